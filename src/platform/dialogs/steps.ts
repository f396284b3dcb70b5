import type {
  BoxText,
  Dialogs,
  InputOptions,
  PickManyOptions,
  PickOptions,
  Refusal,
  StepResult,
} from './dialogs.ts';

/** A step of a dialog that asks for a `V`. */
export interface Step<V> {
  readonly id: string;
  /** Returns whether the step is shown and counted, given the values so far; default always. */
  readonly applies?: (values: V) => boolean;
  /** Asks, and returns all values. A jump to the step's own ID asks again. */
  readonly show: (values: V, ask: StepDialogs) => Promise<StepResult<V>>;
}

/** The options of a step's box. Its title is that of the dialog, unless it has its own. */
type InStep<O> = Omit<O, 'title'> & { readonly title?: BoxText };

/** A step whose box asks for the text `id` of the values. `optionsFor` returns the box for the values so far. */
export function inputStep<K extends string, V extends Readonly<Partial<Record<K, string>>>>(
  id: K,
  optionsFor: (values: V) => InStep<InputOptions>,
  applies: (values: V) => boolean = () => true,
): Step<V> {
  return {
    id,
    applies,
    show: (values, ask) =>
      ask.input({
        value: values[id],
        ...optionsFor(values),
        write: (text) => ({ ...values, [id]: text }),
      }),
  };
}

/** A step whose pick asks for the value `id` of the values. `optionsFor` returns the pick for the values so far. */
export function pickStep<K extends string & keyof V, V>(
  id: K,
  optionsFor: (values: V) => InStep<PickOptions<V[K]>> | Promise<InStep<PickOptions<V[K]>>>,
): Step<V> {
  return {
    id,
    show: async (values, ask) =>
      ask.pick<V[K], V>({
        active: values[id],
        ...(await optionsFor(values)),
        write: (value) => ({ ...values, [id]: value }),
      }),
  };
}

interface DialogResult<V> {
  readonly kind: 'done' | 'left';
  readonly values: V;
  /** ID of the last step shown, at which {@link DialogOptions.startAt} continues the dialog. */
  readonly step: string;
  readonly button?: string | undefined;
}

export interface DialogOptions {
  readonly title?: string;
  /** ID of the first step to show. */
  readonly startAt?: string | undefined;
  /** Closes the dialog as if the user had left. */
  readonly signal?: AbortSignal | undefined;
}

/** A step's box, and the values of the dialog with that of the box. */
type StepBox<O, T, V> = InStep<O> & { readonly write: (value: T) => V };

export type StepDialogs = ReturnType<typeof stepDialogs>;

function stepDialogs(dialogs: Dialogs, box: Pick<InputOptions, 'title' | 'position' | 'signal'>) {
  return {
    input: async <V>({ write, ...options }: StepBox<InputOptions, string, V>) =>
      mapResult(await dialogs.input({ ...box, ...options }), write),
    pick: async <T, V>({ write, ...options }: StepBox<PickOptions<T>, T, V>) =>
      mapResult(await dialogs.pick<T>({ ...box, ...options }), write),
    pickMany: async <T, V>({ write, ...options }: StepBox<PickManyOptions<T>, readonly T[], V>) =>
      mapResult(await dialogs.pickMany<T>({ ...box, ...options }), write),
  };
}

/**
 * Shows the steps that apply, in order. Each answer may change which later steps apply.
 *
 * @throws Error for a `startAt` or jump to an unknown step, and any error of a step
 */
export async function runSteps<V>(
  dialogs: Dialogs,
  steps: readonly Step<V>[],
  initial: V,
  { title = '', startAt, signal }: DialogOptions = {},
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
    const result = await current.show(values, stepDialogs(dialogs, { title, position, signal }));
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
