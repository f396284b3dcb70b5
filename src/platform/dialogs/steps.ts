/** Runs the steps of a dialog: each asks by one box, and all gather one set of values. */
import type {
  InputOptions,
  PickManyOptions,
  PickOptions,
  Dialogs,
  Refusal,
  StepResult,
} from './dialogs.ts';

/** One step of a dialog that gathers `V`. */
export interface Step<V> {
  readonly id: string;
  /** Returns whether the step is asked (and counted), given the values so far; always, if left out. */
  readonly applies?: (values: V) => boolean;
  /** Asks, and gives the values with its own among them. A jump to its own id asks again. */
  readonly show: (values: V, ask: StepDialogs) => Promise<StepResult<V>>;
}

interface DialogResult<V> {
  readonly kind: 'done' | 'left';
  /** All that was entered, in every case. */
  readonly values: V;
  /** Id of the step that was shown last; give it as `startAt` to go on from there. */
  readonly step: string;
  /** The button that the user left by. */
  readonly button?: string | undefined;
}

export interface DialogOptions {
  /** Id of the step to begin with; the first where left out. */
  readonly startAt?: string | undefined;
  /** Closes the dialog as if its user had left. */
  readonly signal?: AbortSignal | undefined;
}

/** Puts what was entered, or half entered, among the values. */
interface Write<T, V> {
  readonly write: (value: T) => V;
}

/** Asks for a step's part of the values. */
export type StepDialogs = ReturnType<typeof stepDialogs>;

function stepDialogs(dialogs: Dialogs, box: Pick<InputOptions, 'position' | 'signal'>) {
  return {
    input: async <V>({ write, ...options }: InputOptions & Write<string, V>) =>
      mapResult(await dialogs.input({ ...options, ...box }), write),
    pick: async <T, V>({ write, ...options }: PickOptions<T> & Write<T, V>) =>
      mapResult(await dialogs.pick<T>({ ...options, ...box }), write),
    pickMany: async <T, V>({ write, ...options }: PickManyOptions<T> & Write<readonly T[], V>) =>
      mapResult(await dialogs.pickMany<T>({ ...options, ...box }), write),
  };
}

/**
 * Shows the steps that apply, one after the other, until the last one gave its value.
 *
 * Steps are chosen anew after each one, so an answer may add or remove later ones.
 *
 * @throws Whatever a step throws, and an Error for a `startAt` or jump to a step that does not exist.
 */
export async function runSteps<V>(
  dialogs: Dialogs,
  steps: readonly Step<V>[],
  initial: V,
  { startAt, signal }: DialogOptions = {},
): Promise<DialogResult<V>> {
  let values = initial;
  let refusal: Refusal | undefined;
  const applies = (step: Step<V>) => step.applies?.(values) ?? true;
  let next = startAt === undefined ? steps.find(applies) : find(steps, startAt);
  let shown = '';
  while (next !== undefined) {
    const current = next;
    const asked = steps.filter((step) => step === current || applies(step));
    const step = asked.indexOf(current) + 1;
    const position = { step, totalSteps: asked.length, canGoBack: step > 1, refusal };
    const result = await current.show(values, stepDialogs(dialogs, { position, signal }));
    refusal = undefined;
    shown = current.id;
    values = result.kind === 'value' ? result.value : (result.draft ?? values);
    const index = steps.indexOf(current);
    switch (result.kind) {
      case 'value':
        next = steps.slice(index + 1).find(applies);
        break;
      case 'back':
        next = steps.slice(0, index).findLast(applies) ?? current;
        break;
      case 'jump':
        refusal = result.refusal;
        next = find(steps, result.step);
        break;
      case 'left':
        return { kind: 'left', values, step: shown, button: result.button };
    }
  }
  return { kind: 'done', values, step: shown };
}

/** The same result with its value, or its draft, put elsewhere. */
function mapResult<T, V>(result: StepResult<T>, map: (value: T) => V): StepResult<V> {
  if (result.kind === 'value') return { kind: 'value', value: map(result.value) };
  const { draft, ...rest } = result;
  return draft === undefined ? rest : { ...rest, draft: map(draft) };
}

function find<V>(steps: readonly Step<V>[], id: string): Step<V> {
  const step = steps.find((candidate) => candidate.id === id);
  if (step === undefined) throw new Error(`No step ${id}`);
  return step;
}
