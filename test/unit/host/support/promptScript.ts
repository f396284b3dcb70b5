import assert from 'node:assert/strict';
import type { StepPlace, StepResult } from '../../../../src/host/dialogs/flow.ts';
import type {
  InputOptions,
  PickManyOptions,
  PickOptions,
  PickRow,
  Prompts,
  Submit,
} from '../../../../src/host/dialogs/prompts.ts';

/** What the user does in one box. Rows are named by their labels. */
export type Move =
  | { readonly type: string }
  | { readonly pick: string }
  | { readonly tick: readonly string[] }
  | 'back'
  | 'hide'
  /** Leaves while the service is being asked about what was typed or picked. */
  | { readonly hideWhile: { readonly type: string } | { readonly pick: string } };

/** What a box showed when it opened, and the refusals that it showed after. */
export interface ShownBox {
  readonly title: string;
  readonly step: string;
  /** What stood in the input box, or the label of the active row. */
  readonly value: string;
  readonly password: boolean;
  readonly rows: readonly string[];
  readonly refusals: string[];
}

/** A user who does what the script says, under the same rules as the real boxes (src/host/dialogs/boxes.ts). */
export class ScriptedPrompts implements Prompts {
  readonly #moves: Move[];
  readonly shown: ShownBox[] = [];

  constructor(moves: readonly Move[]) {
    this.#moves = [...moves];
  }

  /** Moves that were never made: a dialog that ended early. */
  get left(): number {
    return this.#moves.length;
  }

  get steps(): readonly string[] {
    return this.shown.map(({ step }) => step);
  }

  async input(options: InputOptions): Promise<StepResult<string>> {
    const box = this.#open(options, options.value ?? '', []);
    let draft = options.value ?? '';
    return this.#run(
      options,
      box,
      () => draft,
      (move) => {
        assert.ok('type' in move, `the box “${box.title}” takes text`);
        draft = move.type;
        const problem = options.validate?.(move.type);
        if (problem !== undefined) box.refusals.push(problem);
        return problem === undefined ? { value: move.type } : undefined;
      },
    );
  }

  async pick<T>(options: PickOptions<T>): Promise<StepResult<T>> {
    const active = choosable(options.rows).find(({ value }) => value === options.active);
    const box = this.#open(options, active?.label ?? '', options.rows.map(textOf));
    return this.#run<T>(
      options,
      box,
      () => undefined,
      (move) => {
        assert.ok('pick' in move, `the quick pick “${box.title}” takes a row`);
        return { value: find(options.rows, move.pick) };
      },
    );
  }

  async pickMany<T>(options: PickManyOptions<T>): Promise<StepResult<readonly T[]>> {
    const box = this.#open(options, '', options.rows.map(textOf));
    return this.#run<readonly T[]>(
      options,
      box,
      () => options.selected,
      (move) => {
        assert.ok('tick' in move, `the quick pick “${box.title}” takes several rows`);
        const values = move.tick.map((label) => find(options.rows, label));
        const problem = options.validate?.(values);
        if (problem !== undefined) box.refusals.push(problem);
        return problem === undefined ? { value: values } : undefined;
      },
    );
  }

  async #run<T>(
    { place, submit }: { readonly place?: StepPlace; readonly submit?: Submit<T> },
    box: ShownBox,
    draft: () => T | undefined,
    take: (move: Exclude<Move, string>) => { readonly value: T } | undefined,
  ): Promise<StepResult<T>> {
    for (;;) {
      const move = this.#next(box);
      const kept = draft();
      const withDraft = kept === undefined ? {} : { draft: kept };
      if (move === 'hide') return { kind: 'cancelled', reason: 'hidden', ...withDraft };
      if (move === 'back') {
        assert.equal(place?.canGoBack, true, `“${box.title}” has no way back`);
        return { kind: 'back', ...withDraft };
      }
      const leaves = 'hideWhile' in move;
      const taken = take(leaves ? move.hideWhile : move);
      if (taken === undefined) continue;
      const asking = new AbortController();
      const asked = submit?.(taken.value, asking.signal);
      if (leaves) {
        asking.abort();
        await asked;
        return { kind: 'cancelled', reason: 'hidden', ...withDraft };
      }
      const refusal = await asked;
      if (refusal === undefined) return { kind: 'value', value: taken.value };
      const { step } = refusal;
      if (step !== undefined) {
        return { kind: 'jump', refusal: { ...refusal, step }, draft: taken.value };
      }
      box.refusals.push(refusal.message);
    }
  }

  #open(
    options: Pick<InputOptions, 'title' | 'place' | 'password'>,
    value: string,
    rows: readonly string[],
  ): ShownBox {
    const { title, place, password = false } = options;
    const step = place === undefined ? '' : `${place.step}/${place.totalSteps}`;
    const refusals = place?.refusal ? [place.refusal.message] : [];
    const box = { title, step, value, password, rows, refusals };
    this.shown.push(box);
    return box;
  }

  #next(box: ShownBox): Move {
    const move = this.#moves.shift();
    assert.ok(move !== undefined, `the script ended at “${box.title}” (${box.step})`);
    return move;
  }
}

type Choosable<T> = Extract<PickRow<T>, { readonly value: T }>;

function choosable<T>(rows: readonly PickRow<T>[]): Choosable<T>[] {
  return rows.filter((row): row is Choosable<T> => 'value' in row);
}

function find<T>(rows: readonly PickRow<T>[], label: string): T {
  const row = choosable(rows).find((candidate) => candidate.label === label);
  assert.ok(row !== undefined, `no row “${label}” in ${rows.map(textOf).join(' | ')}`);
  return row.value;
}

/** All that a row says. */
function textOf(row: PickRow<unknown>): string {
  if ('separator' in row) return row.separator;
  const { description = '', detail = '' } = row;
  return ['note' in row ? row.note : row.label, description, detail].filter(Boolean).join(' | ');
}
