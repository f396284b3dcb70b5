/**
 * How the steps of one dialog follow each other. Knows no widgets: steps.ts shows them.
 */

/** Why the values of a dialog were not taken, in words for its user; the values are kept. */
export interface Refusal {
  /** One plain sentence. */
  readonly message: string;
  /** More to know, such as the causes that are possible. */
  readonly detail?: string;
  /** Id of the step that can mend it; the one that was shown where left out. */
  readonly step?: string;
}

/** What became of one step. `draft` is what stood in its box, kept for when the step is shown again. */
export type StepResult<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'back'; readonly draft?: T }
  /** What was submitted was refused, and another step can mend it. */
  | { readonly kind: 'jump'; readonly refusal: Refusal & { step: string }; readonly draft?: T }
  /** `hidden`: the user left, or another quick input took the place; `aborted`: the dialog's signal. */
  | { readonly kind: 'cancelled'; readonly reason: 'hidden' | 'aborted'; readonly draft?: T };

/** Where a step stands in its dialog. */
export interface StepPlace {
  /** 1 for the first. */
  readonly step: number;
  readonly totalSteps: number;
  readonly canGoBack: boolean;
  /** Shown from the start: why the dialog came back to this step. */
  readonly refusal?: Refusal | undefined;
  /** Closes the step with `aborted`. */
  readonly signal?: AbortSignal;
}

/** One step of a dialog that gathers `V`. */
export interface Step<V> {
  readonly id: string;
  /** Whether the step is asked (and counted), given the values so far; always, where left out. */
  readonly applies?: (values: V) => boolean;
  /** Shows the step and gives the values with its own among them. */
  readonly show: (values: V, place: StepPlace) => Promise<StepResult<V>>;
}

/** What became of a dialog. `values` holds all that was entered, in every case. */
export type DialogResult<V> =
  | { readonly kind: 'done'; readonly values: V }
  /** Back on the first step, where the caller allowed it. */
  | { readonly kind: 'back'; readonly values: V }
  | {
      readonly kind: 'cancelled';
      readonly reason: 'hidden' | 'aborted';
      readonly values: V;
      /** Id of the step that was shown; give it as `startAt` to go on from there. */
      readonly step: string;
    };

export interface DialogOptions {
  /** Id of the step to begin with; the first where left out. */
  readonly startAt?: string;
  /** Why it begins there. */
  readonly refusal?: Refusal;
  /** Offers Back on the first step too. */
  readonly backOnFirst?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Shows the steps that apply, one after the other, until the last one gave its value.
 *
 * Steps are chosen anew after each one, so an answer may add or remove later ones.
 *
 * @throws Whatever a step throws, and an Error for a `startAt` or jump to a step that does not exist.
 */
export async function runSteps<V>(
  steps: readonly Step<V>[],
  initial: V,
  options: DialogOptions = {},
): Promise<DialogResult<V>> {
  let values = initial;
  let refusal = options.refusal;
  let current =
    options.startAt === undefined ? nextOf(steps, -1, values) : find(steps, options.startAt);
  while (current !== undefined) {
    const result = await current.show(values, placeOf(steps, current, values, options, refusal));
    refusal = undefined;
    values = result.kind === 'value' ? result.value : (result.draft ?? values);
    const index = steps.indexOf(current);
    switch (result.kind) {
      case 'value':
        current = nextOf(steps, index, values);
        break;
      case 'back': {
        const previous = previousOf(steps, index, values);
        if (previous === undefined) return { kind: 'back', values };
        current = previous;
        break;
      }
      case 'jump':
        refusal = result.refusal;
        current = find(steps, result.refusal.step);
        break;
      case 'cancelled':
        return { kind: 'cancelled', reason: result.reason, values, step: current.id };
    }
  }
  return { kind: 'done', values };
}

function placeOf<V>(
  steps: readonly Step<V>[],
  current: Step<V>,
  values: V,
  { backOnFirst = false, signal }: DialogOptions,
  refusal: Refusal | undefined,
): StepPlace {
  const asked = steps.filter((step) => step === current || applies(step, values));
  const step = asked.indexOf(current) + 1;
  return {
    step,
    totalSteps: asked.length,
    canGoBack: step > 1 || backOnFirst,
    refusal,
    ...(signal && { signal }),
  };
}

function applies<V>(step: Step<V>, values: V): boolean {
  return step.applies?.(values) ?? true;
}

function nextOf<V>(steps: readonly Step<V>[], index: number, values: V): Step<V> | undefined {
  return steps.slice(index + 1).find((step) => applies(step, values));
}

function previousOf<V>(steps: readonly Step<V>[], index: number, values: V): Step<V> | undefined {
  return steps.slice(0, index).findLast((step) => applies(step, values));
}

function find<V>(steps: readonly Step<V>[], id: string): Step<V> {
  const step = steps.find((candidate) => candidate.id === id);
  if (step === undefined) throw new Error(`No step ${id}`);
  return step;
}
