/**
 * The toolkit that every dialog is made of: an input box or a quick pick a step, all on one flow (flow.ts).
 *
 * Every text given here is shown as plain text, whatever links or icons it spells; icons go by `icon`.
 */
import type { Step, StepResult } from './flow.ts';
import type { InputOptions, PickOptions, PickRow, Prompts, Submit } from './prompts.ts';

export { quickInputs } from './boxes.ts';
export * from './flow.ts';
export { plainLine, plainText } from './plainText.ts';
export type * from './prompts.ts';

/** An input box as a step of a dialog that gathers `V`. */
export interface InputStep<V> extends Omit<
  InputOptions,
  'place' | 'value' | 'submit' | 'validate' | 'remark'
> {
  readonly id: string;
  readonly applies?: (values: V) => boolean;
  readonly read: (values: V) => string;
  readonly write: (values: V, text: string) => V;
  /** As in the box, with the values of the other steps. */
  readonly validate?: (text: string, values: V) => string | undefined;
  readonly remark?: (text: string, values: V) => string | undefined;
  /** As `submit` of the box, with the values that this step would give. */
  readonly submit?: Submit<V>;
}

/** Makes a {@link Step} of an input box; what was typed is kept on the way back too. */
export function inputStep<V>(prompts: Prompts, options: InputStep<V>): Step<V> {
  const { id, applies, read, write, validate, remark, submit, ...box } = options;
  return {
    id,
    ...(applies && { applies }),
    show: async (values, place) => {
      const result = await prompts.input({
        ...box,
        place,
        value: read(values),
        ...(validate && { validate: (text: string) => validate(text, values) }),
        ...(remark && { remark: (text: string) => remark(text, values) }),
        ...(submit && {
          submit: (text: string, signal: AbortSignal) => submit(write(values, text), signal),
        }),
      });
      return mapStep(result, (text) => write(values, text));
    },
  };
}

/** A quick pick as a step of a dialog that gathers `V`. */
export interface PickStep<V, T> extends Omit<
  PickOptions<T>,
  'place' | 'active' | 'submit' | 'rows'
> {
  readonly id: string;
  readonly applies?: (values: V) => boolean;
  readonly rows: (values: V) => readonly PickRow<T>[];
  readonly read: (values: V) => T | undefined;
  readonly write: (values: V, value: T) => V;
  readonly submit?: Submit<V>;
}

/** Makes a {@link Step} of a quick pick. */
export function pickStep<V, T>(prompts: Prompts, options: PickStep<V, T>): Step<V> {
  const { id, applies, read, write, rows, submit, ...box } = options;
  return {
    id,
    ...(applies && { applies }),
    show: async (values, place) => {
      const active = read(values);
      const result = await prompts.pick<T>({
        ...box,
        place,
        rows: rows(values),
        ...(active !== undefined && { active }),
        ...(submit && {
          submit: (value: T, signal: AbortSignal) => submit(write(values, value), signal),
        }),
      });
      return mapStep(result, (value) => write(values, value));
    },
  };
}

/** The same result with its value, or its draft, put elsewhere. */
export function mapStep<T, V>(result: StepResult<T>, map: (value: T) => V): StepResult<V> {
  if (result.kind === 'value') return { kind: 'value', value: map(result.value) };
  const { draft, ...rest } = result;
  return draft === undefined ? rest : { ...rest, draft: map(draft) };
}
