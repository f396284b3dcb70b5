import type { ElicitationContent, QuestionField } from '../../api/index.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { exactNumber } from './exactNumber.ts';

export type FieldValue = ElicitationContent[string];

/** One row of a choice: what is shown, verbatim, and what is sent. */
export interface FieldChoice {
  readonly label: string;
  readonly value: string | number | boolean;
}

interface StepBase {
  readonly name: string;
  readonly required: boolean;
}

/** Which dialog asks for a field, and how its input becomes a value. */
export type FieldStep =
  /** An input box; `masked` where the name smells of a secret. */
  | (StepBase & {
      readonly kind: 'text';
      readonly value: 'string' | 'number' | 'integer' | 'list';
      readonly masked: boolean;
    })
  /** One of several rows. */
  | (StepBase & { readonly kind: 'choice'; readonly choices: readonly FieldChoice[] })
  /** Any number of rows. */
  | (StepBase & { readonly kind: 'choices'; readonly choices: readonly FieldChoice[] });

/** What a user has entered for one field so far: as typed, so that it can be shown again. */
export type FieldInput =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'choice'; readonly index: number }
  | { readonly kind: 'choices'; readonly indexes: readonly number[] }
  | { readonly kind: 'left-out' };

/** Why an input is not a value of its field. */
export type FieldProblem =
  | 'required'
  | 'not-a-number'
  | 'not-an-integer'
  /** A number with more digits than JSON numbers carry in practice. */
  | 'too-many-digits'
  /** A PEM block, whose line breaks an input box has turned into spaces. */
  | 'line-breaks-lost';

const NUMBER_TYPES = new Set(['number', 'float', 'double', 'decimal']);
const INTEGER_TYPES = new Set(['integer', 'int', 'long']);
const BOOLEAN_TYPES = new Set(['boolean', 'bool']);
const LIST_TYPE = /^(?:array|list|set|multi-?select)\b|\[\]$/;
const SECRET_WORD = /(?:password|passwd|pwd|passphrase|passcode|token|key|secret|credential)$/;

/**
 * Turns the descriptors of an elicitation into steps, in their order (interface: Tool call entry, field descriptor).
 * A name that repeats is asked once, by its first descriptor. The interface lists no types: unknown ones are text.
 */
export function planFields(fields: readonly QuestionField[]): readonly FieldStep[] {
  const seen = new Set<string>();
  return fields.filter(({ name }) => !seen.has(name) && seen.add(name)).map(planField);
}

function planField({ name, type, required, options }: QuestionField): FieldStep {
  const typeName = type.trim().toLowerCase();
  const isList = LIST_TYPE.test(typeName);
  if (options.length > 0) {
    const labels = [...new Set(options)];
    if (isList)
      return { kind: 'choices', name, required, choices: labels.map((o) => choice(o, 'string')) };
    return { kind: 'choice', name, required, choices: labels.map((o) => choice(o, typeName)) };
  }
  if (BOOLEAN_TYPES.has(typeName)) {
    const choices = ['true', 'false'].map((label) => choice(label, typeName));
    return { kind: 'choice', name, required, choices };
  }
  const value = isList ? 'list' : numberType(typeName);
  // A number of several is their count, as `max_tokens` is: no secret.
  const isMany = value === 'string' || value === 'list';
  return { kind: 'text', name, required, value, masked: isSecretName(name, isMany) };
}

function numberType(typeName: string): 'string' | 'number' | 'integer' {
  if (NUMBER_TYPES.has(typeName)) return 'number';
  return INTEGER_TYPES.has(typeName) ? 'integer' : 'string';
}

/** An option as the type that its field has, where nothing is lost; else as text. */
function choice(label: string, typeName: string): FieldChoice {
  if (BOOLEAN_TYPES.has(typeName) && (label === 'true' || label === 'false'))
    return { label, value: label === 'true' };
  const type = numberType(typeName);
  const number = type === 'string' ? undefined : exactNumber(label);
  const converts = number !== undefined && (type === 'number' || Number.isInteger(number));
  return { label, value: converts ? number : label };
}

/**
 * Whether one of a name's words says that its value should not be seen: `apiKey`, `auth_token`, `Password 2`.
 *
 * @param mayBeMany whether the value may hold several, as that of `api_keys` does
 */
function isSecretName(name: string, mayBeMany: boolean): boolean {
  const words = name.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').toLowerCase();
  return words
    .split(/[^\p{L}]+/u)
    .some((word) => SECRET_WORD.test(mayBeMany ? word.replace(/s$/, '') : word));
}

/** The value that an input stands for; null where the field is left out of the answer. */
export function readInput(
  step: FieldStep,
  input: FieldInput | undefined,
): Result<FieldValue | null, FieldProblem> {
  if (input === undefined || input.kind === 'left-out')
    return step.required ? err('required') : ok(null);
  if (step.kind === 'text') return readText(step, input.kind === 'text' ? input.text : '');
  const indexes = chosenIndexes(input);
  const values = step.choices.filter((_, index) => indexes.includes(index));
  const [first] = values;
  if (first === undefined) return step.required ? err('required') : ok(null);
  return ok(step.kind === 'choice' ? first.value : values.map(({ label }) => label));
}

function chosenIndexes(input: FieldInput): readonly number[] {
  if (input.kind === 'choice') return [input.index];
  return input.kind === 'choices' ? input.indexes : [];
}

function readText(
  step: Extract<FieldStep, { kind: 'text' }>,
  text: string,
): Result<FieldValue | null, FieldProblem> {
  const entered = step.value === 'string' ? text : text.trim();
  if (entered === '') return step.required ? err('required') : ok(null);
  switch (step.value) {
    case 'string':
      return /-----BEGIN .*-----/.test(entered) ? err('line-breaks-lost') : ok(entered);
    case 'list':
      return readList(step.required, entered);
    case 'number':
    case 'integer':
      return readNumber(step.value, entered);
  }
}

function readList(required: boolean, text: string): Result<FieldValue | null, FieldProblem> {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.length > 0) return ok(items);
  return required ? err('required') : ok(null);
}

function readNumber(type: 'number' | 'integer', text: string): Result<FieldValue, FieldProblem> {
  const value = exactNumber(text);
  const problem = type === 'integer' ? 'not-an-integer' : 'not-a-number';
  if (value === undefined)
    return err(/^-?[1-9]\d*(?:\.\d+)?$/.test(text) ? 'too-many-digits' : problem);
  return type === 'integer' && !Number.isInteger(value) ? err(problem) : ok(value);
}

/**
 * The values of an accepted elicitation, or the first step whose input is not good yet.
 *
 * `inputs` are in the order of `steps`; a hole is a field that was never reached.
 */
export function readContent(
  steps: readonly FieldStep[],
  inputs: readonly (FieldInput | undefined)[],
): Result<ElicitationContent, number> {
  const entries: [string, FieldValue][] = [];
  for (const [index, step] of steps.entries()) {
    const value = readInput(step, inputs[index]);
    if (!value.ok) return err(index);
    if (value.value !== null) entries.push([step.name, value.value]);
  }
  return ok(Object.fromEntries(entries));
}
