import assert from 'node:assert/strict';
import type { Refusal, StepResult } from '../../../../src/host/dialogs/flow.ts';
import type {
  InputOptions,
  PickManyOptions,
  PickOptions,
  PickRow,
  Prompts,
  Submit,
} from '../../../../src/host/dialogs/prompts.ts';

/** The user presses Back. */
export const BACK = Symbol('back');
/** The user leaves the dialog. */
export const LEAVE = Symbol('leave');

/** What is typed, the beginning of the label that is picked, {@link BACK} or {@link LEAVE}. */
export type Move = string | typeof BACK | typeof LEAVE;

/** A box as it was shown, with everything that it refused. */
export interface ShownBox {
  readonly title: string;
  readonly value: string;
  readonly password: boolean;
  /** Labels. */
  readonly rows: readonly string[];
  readonly refusals: string[];
}

/** A user who answers box after box as the script says, under the rules of the real boxes. */
export class ScriptedPrompts implements Prompts {
  readonly #script: Move[];
  readonly shown: ShownBox[] = [];

  constructor(script: readonly Move[]) {
    this.#script = [...script];
  }

  input(options: InputOptions): Promise<StepResult<string>> {
    const box = this.#open(options, options.value ?? '', []);
    return this.#answer(box, options.submit, (typed) => {
      const problem = options.validate?.(typed);
      if (problem === undefined) return { value: typed };
      box.refusals.push(problem);
      return undefined;
    });
  }

  pick<T>(options: PickOptions<T>): Promise<StepResult<T>> {
    const rows = options.rows.filter((row): row is Choosable<T> => 'value' in row);
    const box = this.#open(
      options,
      '',
      rows.map(({ label }) => label),
    );
    return this.#answer(box, options.submit, (label) => {
      const row = rows.find((candidate) => candidate.label.startsWith(label));
      assert.ok(row, `no row “${label}” in ${box.rows.join(', ')}`);
      return { value: row.value };
    });
  }

  pickMany<T>(options: PickManyOptions<T>): Promise<StepResult<readonly T[]>> {
    return Promise.reject(new Error(`no script picks several in “${options.title}”`));
  }

  async #answer<T>(
    box: ShownBox,
    submit: Submit<T> | undefined,
    take: (move: string) => { readonly value: T } | undefined,
  ): Promise<StepResult<T>> {
    for (;;) {
      const move = this.#script.shift();
      assert.ok(move !== undefined, `the script ended at “${box.title}”`);
      if (move === BACK) return { kind: 'back' };
      if (move === LEAVE) return { kind: 'cancelled', reason: 'hidden' };
      const taken = take(move);
      if (taken === undefined) continue;
      const refusal = await submit?.(taken.value, new AbortController().signal);
      if (refusal === undefined) return { kind: 'value', value: taken.value };
      const { step } = refusal;
      if (step !== undefined) {
        return { kind: 'jump', refusal: { ...refusal, step }, draft: taken.value };
      }
      box.refusals.push(wordsOf(refusal));
    }
  }

  #open(
    { title, place, password = false }: Pick<InputOptions, 'title' | 'place' | 'password'>,
    value: string,
    rows: readonly string[],
  ): ShownBox {
    const refusals = place?.refusal ? [wordsOf(place.refusal)] : [];
    const box = { title, value, password, rows, refusals };
    this.shown.push(box);
    return box;
  }
}

type Choosable<T> = Extract<PickRow<T>, { readonly value: T }>;

function wordsOf({ message, detail = '' }: Refusal): string {
  return [message, detail].filter(Boolean).join(' ');
}
