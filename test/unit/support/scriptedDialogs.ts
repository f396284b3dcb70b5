import assert from 'node:assert/strict';
import type {
  InputOptions,
  PickManyOptions,
  PickOptions,
  PickRow,
  Dialogs,
  Refusal,
  StepResult,
} from '../../../src/platform/dialogs/dialogs.ts';

/** The user presses Back. */
export const BACK = Symbol('back');
/** The user leaves the dialog. */
export const LEAVE = Symbol('leave');

/**
 * A move of the user: text, or the label of a row or its beginning; the labels to check; {@link BACK}, {@link
 * LEAVE}; a button, `LABEL: ROW` for a row's; or text that is submitted by a user who leaves or goes back before the
 * service responds.
 */
export type Move =
  | string
  | readonly string[]
  | typeof BACK
  | typeof LEAVE
  | { readonly pressing: string }
  | { readonly leavingAfter: string }
  | { readonly goingBackAfter: string };

/** A dialog as it was shown, with its refusals. */
export interface ShownBox {
  readonly title: string;
  /** The prompt below the input. */
  readonly prompt: string;
  readonly placeholder: string;
  /** Such as `2/4`; empty for a single step. */
  readonly step: string;
  /** The initial text, or the label of the active row. */
  readonly value: string;
  readonly password: boolean;
  /** True if it ignores input at first. */
  readonly isGuarded: boolean;
  /** The labels of the selectable rows. */
  readonly rows: readonly string[];
  /** All texts of the rows, notes included. */
  readonly texts: readonly string[];
  readonly refusals: string[];
  /** The remarks on typed text. */
  readonly remarks: string[];
  /** Closes the dialog. */
  readonly signal: AbortSignal | undefined;
}

/** Answers dialogs by a script, under the rules of the real ones. */
export class ScriptedDialogs implements Dialogs {
  readonly #script: Move[];
  readonly shown: ShownBox[] = [];

  constructor(script: readonly Move[]) {
    this.#script = [...script];
  }

  input(options: InputOptions): Promise<StepResult<string>> {
    let draft = options.value ?? '';
    const box = this.#open(options, draft, []);
    return this.#answer(box, options, (move) => {
      if (move === undefined) return { value: draft };
      assert.ok(typeof move === 'string', `“${box.title}” takes text`);
      draft = move;
      const problem = options.validate?.(move);
      if (problem !== undefined) {
        box.refusals.push(problem);
        return undefined;
      }
      box.remarks.push(options.remark?.(move) ?? '');
      return { value: move };
    });
  }

  pick<T>(options: PickOptions<T>): Promise<StepResult<T>> {
    const rows = typeof options.rows === 'function' ? options.rows() : options.rows;
    const active = rows.filter(isChoosable).find(({ value }) => value === options.active);
    const box = this.#open(options, active?.label ?? '', rows);
    return this.#answer<T>(box, options, (move) => {
      if (move === undefined) return undefined;
      assert.ok(typeof move === 'string', `“${box.title}” takes one row`);
      return { value: find(rows, move) };
    });
  }

  pickMany<T>(options: PickManyOptions<T>): Promise<StepResult<readonly T[]>> {
    let draft = options.selected ?? [];
    const box = this.#open(options, '', options.rows);
    const rowButtons = options.rows
      .filter(isChoosable)
      .flatMap(({ label, button }) =>
        button === undefined ? [] : [{ ...button, label: `${button.label}: ${label}` }],
      );
    const buttons = [...(options.buttons ?? []), ...rowButtons];
    return this.#answer<readonly T[]>(box, { ...options, buttons }, (move) => {
      if (move === undefined) return { value: draft };
      assert.ok(typeof move !== 'string', `“${box.title}” takes several rows`);
      draft = move.map((label) => find(options.rows, label));
      const problem = options.validate?.(draft);
      if (problem === undefined) return { value: draft };
      box.refusals.push(problem);
      return undefined;
    });
  }

  /** @param take reads the input, and returns undefined if it is invalid; without a move, returns the draft */
  async #answer<T>(
    box: ShownBox,
    { position, buttons = [], submit }: Pick<PickOptions<T>, 'position' | 'buttons' | 'submit'>,
    take: (move: string | readonly string[] | undefined) => { readonly value: T } | undefined,
  ): Promise<StepResult<T>> {
    for (;;) {
      const move = this.#script.shift();
      assert.ok(move !== undefined, `the script ended at “${box.title}” ${box.step}`);
      if (move === LEAVE) return { kind: 'left', ...draftOf(take) };
      if (move === BACK) {
        assert.equal(position?.canGoBack, true, `“${box.title}” has no way back`);
        return { kind: 'back', ...draftOf(take) };
      }
      if (typeof move === 'object' && 'pressing' in move) {
        const button = buttons.find(({ label }) => label === move.pressing);
        assert.ok(button, `“${box.title}” has no button “${move.pressing}”`);
        return { kind: 'left', button: button.id, ...draftOf(take) };
      }
      const isLeaving = typeof move === 'object' && 'leavingAfter' in move;
      const isGoingBack = typeof move === 'object' && 'goingBackAfter' in move;
      const text = isLeaving ? move.leavingAfter : isGoingBack ? move.goingBackAfter : move;
      const taken = take(text);
      if (taken === undefined) continue;
      const asking = new AbortController();
      const asked = submit?.(taken.value, asking.signal);
      if (isLeaving || isGoingBack) {
        asking.abort();
        return { kind: isLeaving ? 'left' : 'back', draft: taken.value };
      }
      const refusal = await asked;
      if (refusal === undefined) return { kind: 'value', value: taken.value };
      const { step } = refusal;
      if (step !== undefined) return { kind: 'jump', step, refusal, draft: taken.value };
      box.refusals.push(wordsOf(refusal));
    }
  }

  #open(
    {
      title,
      prompt = '',
      placeholder = '',
      position,
      signal,
      password = false,
      guard = false,
    }: Pick<InputOptions, 'title' | 'prompt' | 'placeholder' | 'position' | 'signal' | 'password'> &
      Pick<PickOptions<unknown>, 'guard'>,
    value: string,
    rows: readonly PickRow<unknown>[],
  ): ShownBox {
    const box = {
      title: typeof title === 'function' ? title() : title,
      prompt: typeof prompt === 'function' ? prompt() : prompt,
      placeholder: typeof placeholder === 'function' ? placeholder() : placeholder,
      step: position === undefined ? '' : `${position.step}/${position.totalSteps}`,
      value,
      password,
      isGuarded: guard,
      rows: rows.filter(isChoosable).map(({ label }) => label),
      texts: rows.map(textOf),
      refusals: position?.refusal ? [wordsOf(position.refusal)] : [],
      remarks: [],
      signal,
    };
    this.shown.push(box);
    return box;
  }
}

type Choosable<T> = Extract<PickRow<T>, { readonly value: T }>;

function isChoosable<T>(row: PickRow<T>): row is Choosable<T> {
  return 'value' in row;
}

function find<T>(rows: readonly PickRow<T>[], label: string): T {
  const choosable = rows.filter(isChoosable);
  const row =
    choosable.find((candidate) => candidate.label === label) ??
    choosable.find((candidate) => candidate.label.startsWith(label));
  assert.ok(row, `no row “${label}” in ${choosable.map((each) => each.label).join(', ')}`);
  return row.value;
}

function draftOf<T>(take: (move: undefined) => { readonly value: T } | undefined): {
  readonly draft?: T;
} {
  const draft = take(undefined);
  return draft === undefined ? {} : { draft: draft.value };
}

function textOf(row: PickRow<unknown>): string {
  if ('separator' in row) return row.separator;
  const { description = '', detail = '' } = row;
  return ['note' in row ? row.note : row.label, description, detail].filter(Boolean).join(' | ');
}

function wordsOf({ message, detail = '' }: Refusal): string {
  return [message, detail].filter(Boolean).join(' ');
}
