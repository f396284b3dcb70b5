import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Refusal, StepResult } from './flow.ts';
import { plainText } from './plainText.ts';
import type {
  InputOptions,
  PickManyOptions,
  PickOptions,
  PickRow,
  Prompts,
  Submit,
} from './prompts.ts';

/** VS Code's own input boxes and quick picks. They stay open when the focus goes elsewhere. */
export const quickInputs: Prompts = {
  input: showInput,
  pick: showPick,
  pickMany: showPickMany,
};

type Row<T> = vscode.QuickPickItem & { readonly value?: T };
type Box = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/** What differs between the kinds of box. */
interface Parts<T> {
  /** What stands in the box now. */
  readonly read: () => T | undefined;
  /** Why it cannot stand; shown by `refuse`. */
  readonly check: (value: T) => Refusal | undefined;
  readonly refuse: (refusal: Refusal) => void;
  readonly submit: Submit<T> | undefined;
  /** Whether what stands in the box is a draft worth keeping when the user goes back or leaves. */
  readonly keepsDraft: boolean;
}

async function showInput(options: InputOptions): Promise<StepResult<string>> {
  const box = vscode.window.createInputBox();
  box.prompt = plainText(options.prompt);
  box.value = options.value ?? '';
  box.password = options.password ?? false;
  const show = (message: string | undefined, severity: vscode.InputBoxValidationSeverity) => {
    box.validationMessage = message === undefined ? '' : { message: plainText(message), severity };
  };
  const { Error: error, Info: info } = vscode.InputBoxValidationSeverity;
  const judge = (value: string) => {
    const problem = options.validate?.(value);
    if (problem === undefined) show(options.remark?.(value), info);
    else show(problem, error);
  };
  // An empty box that nobody has typed in yet is not told off.
  if (box.value !== '') judge(box.value);
  box.onDidChangeValue((value) => {
    options.onChange?.(value);
    judge(value);
  });
  return present(box, options, {
    read: () => box.value,
    check: (value) => toRefusal(options.validate?.(value)),
    refuse: ({ message, detail }) =>
      show(detail === undefined ? message : `${message} ${detail}`, error),
    submit: options.submit,
    keepsDraft: true,
  });
}

async function showPick<T>(options: PickOptions<T>): Promise<StepResult<T>> {
  const box = vscode.window.createQuickPick<Row<T>>();
  const rows = options.rows.map(toItem);
  box.items = rows;
  matchAll(box, options.matchAll);
  const activate = () => {
    const active = rows.find((row) => 'value' in row && row.value === options.active);
    if (active) box.activeItems = [active];
  };
  activate();
  return present<T>(box, options, {
    read: () => box.selectedItems[0]?.value,
    check: () => undefined,
    refuse: (refusal) => {
      box.items = [...toNotice(refusal), ...rows];
      activate();
    },
    submit: options.submit,
    keepsDraft: false,
  });
}

async function showPickMany<T>(options: PickManyOptions<T>): Promise<StepResult<readonly T[]>> {
  const box = vscode.window.createQuickPick<Row<T>>();
  const rows = options.rows.map(toItem);
  box.canSelectMany = true;
  box.items = rows;
  matchAll(box, options.matchAll);
  const select = (values: readonly T[]) => {
    box.selectedItems = rows.filter((row) => row.value !== undefined && values.includes(row.value));
  };
  const selected = () =>
    box.selectedItems.map((row) => row.value).filter((value) => value !== undefined);
  select(options.selected ?? []);
  return present<readonly T[]>(box, options, {
    read: selected,
    check: (values) => toRefusal(options.validate?.(values)),
    refuse: (refusal) => {
      const kept = selected();
      box.items = [...toNotice(refusal), ...rows];
      select(kept);
    },
    submit: options.submit,
    keepsDraft: true,
  });
}

/** Shows a box until the user gave a value, went back or left, or the dialog's signal closed it. */
function present<T>(
  box: Box,
  options: Pick<InputOptions, 'title' | 'placeholder' | 'place'>,
  parts: Parts<T>,
): Promise<StepResult<T>> {
  const { place } = options;
  const store = new DisposableStore();
  const asking = new AbortController();
  dress(box, options);

  return new Promise((resolve, reject) => {
    const settle = (result: StepResult<T>) => {
      asking.abort();
      resolve(result);
      // The next step replaces this box first: closing it now would let the focus flicker back to the editor.
      setTimeout(() => store.dispose(), 0);
    };
    const leave = (reason: 'hidden' | 'aborted') => {
      settle({ kind: 'cancelled', reason, ...draftOf(parts) });
    };
    const accept = async () => {
      if (box.busy) return;
      const value = parts.read();
      if (value === undefined) return;
      const refusal = parts.check(value) ?? (await ask(box, parts.submit, value, asking.signal));
      if (asking.signal.aborted) return;
      if (refusal === undefined) settle({ kind: 'value', value });
      else if (refusal.step === undefined) parts.refuse(refusal);
      else settle({ kind: 'jump', refusal: { ...refusal, step: refusal.step }, draft: value });
    };

    store.add(box);
    store.add(box.onDidAccept(() => void accept().catch(fail)));
    store.add(box.onDidHide(() => leave('hidden')));
    store.add(
      box.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) settle({ kind: 'back', ...draftOf(parts) });
      }),
    );
    const abort = () => leave('aborted');
    place?.signal?.addEventListener('abort', abort, { once: true });
    store.add({ dispose: () => place?.signal?.removeEventListener('abort', abort) });
    if (place?.signal?.aborted === true) {
      abort();
      return;
    }
    if (place?.refusal) parts.refuse(place.refusal);
    box.show();

    function fail(failure: unknown): void {
      reject(failure instanceof Error ? failure : new Error(String(failure)));
      leave('hidden');
    }
  });
}

function dress(
  box: Box,
  { title, placeholder, place }: Pick<InputOptions, 'title' | 'placeholder' | 'place'>,
): void {
  box.title = plainText(title);
  box.placeholder = plainText(placeholder ?? '');
  box.ignoreFocusOut = true;
  if (place === undefined) return;
  box.step = place.totalSteps > 1 ? place.step : undefined;
  box.totalSteps = place.totalSteps > 1 ? place.totalSteps : undefined;
  if (place.canGoBack) box.buttons = [vscode.QuickInputButtons.Back];
}

/** Asks whether a value may stand, and shows meanwhile that the box is busy. */
async function ask<T>(
  box: Box,
  submit: Submit<T> | undefined,
  value: T,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  if (submit === undefined) return undefined;
  box.busy = true;
  try {
    return await submit(value, signal);
  } finally {
    box.busy = false;
  }
}

function draftOf<T>({ keepsDraft, read }: Parts<T>): { readonly draft?: T } {
  const draft = keepsDraft ? read() : undefined;
  return draft === undefined ? {} : { draft };
}

function toRefusal(message: string | undefined): Refusal | undefined {
  return message === undefined ? undefined : { message };
}

function toItem<T>(row: PickRow<T>): Row<T> {
  if ('separator' in row)
    return { label: plainText(row.separator), kind: vscode.QuickPickItemKind.Separator };
  return {
    label: plainText('note' in row ? row.note : row.label),
    ...(row.description !== undefined && { description: plainText(row.description) }),
    ...(row.detail !== undefined && { detail: plainText(row.detail) }),
    ...(row.icon && { iconPath: row.icon }),
    ...('value' in row && { value: row.value }),
  };
}

/** Rows that say why a choice was refused. Choosing one does nothing: it has no value. */
function toNotice({ message, detail }: Refusal): Row<never>[] {
  return [
    {
      label: plainText(message),
      ...(detail !== undefined && { detail: plainText(detail) }),
      iconPath: new vscode.ThemeIcon('error'),
      alwaysShow: true,
    },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
  ];
}

function matchAll(box: vscode.QuickPick<vscode.QuickPickItem>, on = false): void {
  box.matchOnDescription = on;
  box.matchOnDetail = on;
}
