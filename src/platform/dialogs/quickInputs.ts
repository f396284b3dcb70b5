import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/disposable.ts';
import { plainText } from './plainText.ts';
import { INPUT_GUARD_MS, presentBox, toButton, type BoxServices } from './presentBox.ts';
import type {
  InputOptions,
  PickManyOptions,
  PickOptions,
  PickRow,
  Dialogs,
  Refusal,
  Search,
  StepResult,
} from './dialogs.ts';
import { formatSentences } from '../text/format.ts';

/** VS Code's input boxes and quick picks. Tracks whether one is open, so that no other dialog replaces it unasked. */
export class QuickInputs implements Dialogs {
  readonly #changed = new Emitter<void>();
  readonly #pageFocused = new Emitter<void>();
  readonly #services: BoxServices;
  #open = 0;

  readonly onDidChange = this.#changed.event;

  /** @param clock for guards and countdowns */
  constructor(clock: Clock) {
    this.#services = { clock, onPageFocus: this.#pageFocused.event };
  }

  get isOpen(): boolean {
    return this.#open > 0;
  }

  input(options: InputOptions): Promise<StepResult<string>> {
    return this.during(() => showInput(options, this.#services));
  }

  pick<T>(options: PickOptions<T>): Promise<StepResult<T>> {
    return this.during(() => showPick(options, this.#services));
  }

  pickMany<T>(options: PickManyOptions<T>): Promise<StepResult<readonly T[]>> {
    return this.during(() => showPickMany(options, this.#services));
  }

  /** Must be called when a page gets the focus. A dialog that has just opened takes it back. */
  handlePageFocus(): void {
    this.#pageFocused.fire();
  }

  /** Counts as an open dialog while a task runs, even if it shows an editor instead of a box. */
  async during<T>(task: () => Promise<T>): Promise<T> {
    this.#open += 1;
    this.#changed.fire();
    try {
      return await task();
    } finally {
      this.#open -= 1;
      this.#changed.fire();
    }
  }
}

function showInput(options: InputOptions, services: BoxServices): Promise<StepResult<string>> {
  const box = vscode.window.createInputBox();
  box.value = options.value ?? '';
  box.password = options.password ?? false;
  const show = (message: string, severity: vscode.InputBoxValidationSeverity) => {
    box.validationMessage = message === '' ? '' : { message: plainText(message), severity };
  };
  const { Error: error, Warning: warning, Info: info } = vscode.InputBoxValidationSeverity;
  const judge = (value: string) => {
    const problem = options.validate?.(value);
    if (problem !== undefined) {
      // An empty box shows no error before Enter: the user is about to type.
      show(value === '' ? '' : problem, error);
      return;
    }
    const caution = options.warning?.(value);
    const text = formatSentences([caution, options.remark?.(value)]);
    show(text, caution === undefined ? info : warning);
  };
  if (box.value !== '') judge(box.value);
  box.onDidChangeValue(judge);
  return presentBox(box, options, services, {
    accept: () => box.value,
    draft: () => box.value,
    check: (value) => toRefusal(options.validate?.(value)),
    refuse: ({ message, detail }) => show(formatSentences([message, detail]), error),
  });
}

type Row<T> = vscode.QuickPickItem & {
  readonly value?: T;
  readonly run?: () => Promise<void>;
};

function toItem<T>(row: PickRow<T>): Row<T> {
  if ('separator' in row)
    return { label: plainText(row.separator), kind: vscode.QuickPickItemKind.Separator };
  const { icon } = row;
  return {
    label: plainText('note' in row ? row.note : row.label),
    ...(row.description !== undefined && { description: plainText(row.description) }),
    ...(row.detail !== undefined && { detail: plainText(row.detail) }),
    ...(icon && { iconPath: typeof icon === 'string' ? new vscode.ThemeIcon(icon) : icon }),
    ...(row.button && { buttons: [toButton(row.button)] }),
    ...('value' in row && { value: row.value }),
    ...('run' in row && { run: row.run }),
  };
}

/** Returns rows that show a refusal. They have no value, so selecting them does nothing. */
function noticeRows({ message: note, detail }: Refusal): Row<never>[] {
  const notice = toItem<never>({ note, detail, icon: 'error' });
  return [{ ...notice, alwaysShow: true }, toItem({ separator: '' })];
}

/**
 * Makes a quick pick ignore input until it has been visible for {@link INPUT_GUARD_MS}, and disables its filter. Typing would
 * make the first match active, so typed text is removed and starts the guard again.
 */
function guardPick(box: vscode.QuickPick<vscode.QuickPickItem>, clock: Clock) {
  // Set when the list is drawn, which fires the first change of active rows.
  let until: number | undefined;
  const isOn = () => until === undefined || clock.monotonic() < until;
  const restart = () => {
    until = clock.monotonic() + INPUT_GUARD_MS;
  };
  box.onDidChangeValue((value) => {
    if (value === '') return;
    restart();
    box.value = '';
    box.activeItems = [];
  });
  box.onDidChangeActive((active) => {
    if (!isOn()) return;
    if (until === undefined) restart();
    if (active.length > 0) box.activeItems = [];
  });
  return { isOn, restart };
}

function showPick<T>(options: PickOptions<T>, services: BoxServices): Promise<StepResult<T>> {
  const { search } = options;
  const box = vscode.window.createQuickPick<Row<T>>();
  box.matchOnDescription = true;
  box.matchOnDetail = true;
  const guard = options.guard === true ? guardPick(box, services.clock) : undefined;
  const rowsNow = () => (typeof options.rows === 'function' ? options.rows() : options.rows);
  const draw = (notice: readonly Row<T>[] = [], rows = rowsNow()) => {
    const alwaysShow = guard !== undefined || search !== undefined;
    const items = rows.map((row) => ({ ...toItem(row), ...(alwaysShow && { alwaysShow }) }));
    box.items = [...notice, ...items];
    const active = items.filter((item) => 'value' in item && item.value === options.active);
    if (guard !== undefined) box.activeItems = [];
    else if (active.length > 0) box.activeItems = active;
  };
  draw();
  return presentBox<T>(box, options, services, {
    accept: () => {
      // `selectedItems` would keep the row of an ignored click, and a second click on it would then do nothing.
      const row = guard?.isOn() === true ? undefined : box.activeItems[0];
      box.selectedItems = [];
      void row?.run?.().then(() => {
        guard?.restart();
        if (typeof options.rows === 'function') draw();
      });
      return row?.value;
    },
    refuse: (refusal) => draw(noticeRows(refusal)),
    start: search && ((fail) => searchAsTyped(box, search, (rows) => draw([], rows), fail)),
  });
}

function searchAsTyped<T>(
  box: vscode.QuickPick<Row<T>>,
  search: Search<T>,
  draw: (rows: readonly PickRow<T>[]) => void,
  fail: (failure: unknown) => void,
): void {
  let latest = new AbortController();
  const find = async (query: string) => {
    latest.abort();
    latest = new AbortController();
    const { signal } = latest;
    box.busy = true;
    const rows = await search(query, signal);
    if (signal.aborted) return;
    draw(rows);
    box.busy = false;
  };
  box.onDidChangeValue((query) => void find(query).catch(fail));
  box.onDidHide(() => latest.abort());
  void find('').catch(fail);
}

function showPickMany<T>(
  options: PickManyOptions<T>,
  services: BoxServices,
): Promise<StepResult<readonly T[]>> {
  const { selected = [], validate } = options;
  const box = vscode.window.createQuickPick<Row<T>>();
  const rows = options.rows.map(toItem);
  box.canSelectMany = true;
  box.matchOnDescription = true;
  box.matchOnDetail = true;
  const draw = (notice: readonly Row<T>[], checkedValues: readonly T[]) => {
    box.items = [...notice, ...rows];
    // Screen readers say only the active row.
    if (notice.length > 0) box.activeItems = notice.slice(0, 1);
    box.selectedItems = rows.filter(
      ({ value }) => value !== undefined && checkedValues.includes(value),
    );
  };
  const checked = () =>
    box.selectedItems.map(({ value }) => value).filter((value) => value !== undefined);
  draw([], selected);
  return presentBox<readonly T[]>(box, options, services, {
    accept: checked,
    draft: checked,
    check: (values) => toRefusal(validate?.(values)),
    refuse: (refusal) => draw(noticeRows(refusal), checked()),
  });
}

function toRefusal(message: string | undefined): Refusal | undefined {
  return message === undefined ? undefined : { message };
}
