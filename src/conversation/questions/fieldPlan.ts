import { type ElicitationContent, isSecretField, type QuestionField } from '../../api/index.ts';
import { err, ok, type Result } from '../../base/result.ts';

export type FieldValue = ElicitationContent[string];

interface FieldChoice {
  readonly label: string;
  readonly value: string | number | boolean;
}

interface FieldBase {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
}

/** A field of an elicitation, by the dialog that asks for it. */
export type Field =
  /** An input box; `masked` if the value is a secret by its name or type. */
  | (FieldBase & {
      readonly kind: 'text';
      readonly value: 'string' | 'number' | 'integer' | 'list';
      readonly masked: boolean;
    })
  /** One of several rows, or any number of them. */
  | (FieldBase & { readonly kind: 'choice' | 'choices'; readonly choices: readonly FieldChoice[] });

/** The input for a field so far: a text, or indexes of choices. An index without a choice leaves the field out. */
export type FieldInput = string | readonly number[];

type FieldProblem =
  | 'required'
  | 'not-a-number'
  | 'not-an-integer'
  /** A number that a double would change. */
  | 'too-many-digits'
  /** A PEM block whose line breaks an input box has removed. */
  | 'line-breaks-lost';

const NUMBER_TYPES = new Set(['number', 'float', 'double', 'decimal']);
const INTEGER_TYPES = new Set(['integer', 'int', 'long']);
const BOOLEAN_TYPES = new Set(['boolean', 'bool']);
const LIST_TYPE = /^(?:array|list|set|multi-?select)\b|\[\]$/;

/**
 * Plans how to ask for fields (interface: Tool call entry, field descriptor). A repeated name is asked once, by its first
 * descriptor. The API lists no types: unknown ones are text.
 */
export function planFields(descriptors: readonly QuestionField[]): readonly Field[] {
  const seen = new Set<string>();
  return descriptors.filter(({ name }) => !seen.has(name) && seen.add(name)).map(planField);
}

function planField({ name, type, required, options, description = '' }: QuestionField): Field {
  const typeName = type.trim().toLowerCase();
  const isList = LIST_TYPE.test(typeName);
  const base = { name, required, description };
  const labels = [...new Set(options)];
  if (labels.length > 0 && isList)
    return { ...base, kind: 'choices', choices: labels.map((label) => choice(label, 'string')) };
  if (labels.length === 0 && BOOLEAN_TYPES.has(typeName)) labels.push('true', 'false');
  if (labels.length > 0)
    return { ...base, kind: 'choice', choices: labels.map((label) => choice(label, typeName)) };
  const value = isList ? 'list' : numberType(typeName);
  // A plural in the name of a number, such as `max_tokens`, means a count, not a secret.
  const isMany = value === 'string' || value === 'list';
  return { ...base, kind: 'text', value, masked: isSecretField({ name, type }, isMany) };
}

/** Longest default, in UTF-16 units. A million of them in a box of one line can freeze the editor for minutes. */
const MAX_DEFAULT_CHARACTERS = 10_000;

/** Returns the valid defaults of fields. A secret is not prefilled, since the user could not see it. */
export function initialInputs(
  fields: readonly Field[],
  descriptors: readonly QuestionField[],
): readonly (FieldInput | undefined)[] {
  return fields.map((field) => {
    const given = descriptors.find(({ name }) => name === field.name)?.default;
    const input = initialInput(field, given);
    const isShort = input !== undefined && input.length <= MAX_DEFAULT_CHARACTERS;
    return isShort && readInput(field, input).ok ? input : undefined;
  });
}

function initialInput(field: Field, given: unknown): FieldInput | undefined {
  if (field.kind === 'text') return field.masked ? undefined : textOf(given);
  const chosen = new Set<unknown>([given].flat());
  const indexes = field.choices.flatMap(({ label, value }, index) =>
    chosen.has(label) || chosen.has(value) ? [index] : [],
  );
  return indexes.length > 0 ? indexes : undefined;
}

/** Returns a default as the user would type it, if possible. */
function textOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  if (typeof given === 'number') return String(given);
  return Array.isArray(given) && given.every((item) => typeof item === 'string')
    ? joinListItems(given)
    : undefined;
}

function numberType(typeName: string): 'string' | 'number' | 'integer' {
  if (NUMBER_TYPES.has(typeName)) return 'number';
  return INTEGER_TYPES.has(typeName) ? 'integer' : 'string';
}

/** Converts an option to the type of its field if nothing is lost; otherwise it stays text. */
function choice(label: string, typeName: string): FieldChoice {
  if (BOOLEAN_TYPES.has(typeName) && (label === 'true' || label === 'false'))
    return { label, value: label === 'true' };
  const type = numberType(typeName);
  const number = type === 'string' ? undefined : exactNumber(label);
  const converts = number !== undefined && (type === 'number' || Number.isInteger(number));
  return { label, value: converts ? number : label };
}

/** Returns the value of an input; null if the field is left out. */
export function readInput(
  field: Field,
  input: FieldInput | undefined,
): Result<FieldValue | null, FieldProblem> {
  if (field.kind === 'text') return readText(field, typeof input === 'string' ? input : '');
  const indexes = typeof input === 'object' ? input : [];
  const values = field.choices.filter((_, index) => indexes.includes(index));
  const [first] = values;
  if (first === undefined) return field.required ? err('required') : ok(null);
  return ok(field.kind === 'choice' ? first.value : values.map(({ label }) => label));
}

function readText(
  field: Extract<Field, { kind: 'text' }>,
  text: string,
): Result<FieldValue | null, FieldProblem> {
  const entered = field.value === 'string' ? text : text.trim();
  if (entered === '') return field.required ? err('required') : ok(null);
  if (hasLostLineBreaks(entered)) return err('line-breaks-lost');
  if (field.value === 'list') return readList(field.required, entered);
  return field.value === 'string' ? ok(entered) : readNumber(field.value, entered);
}

/** The first line of a PEM block, with text after it. */
const PEM_LINE = /^\s*-----BEGIN [^-]+-----\s*\S/;

/** Returns whether a PEM block in a text has lost its line breaks. Escaped ones, as in JSON, are not lost. */
function hasLostLineBreaks(text: string): boolean {
  return text.split(/[\r\n]/).some((line) => {
    const [, rest] = line.split('-----BEGIN ');
    const isOnOneLine = PEM_LINE.test(line) || rest?.includes('-----END ') === true;
    return isOnOneLine && !/\\[nr]/.test(line);
  });
}

/** An item of a list: in quotation marks, with commas and doubled quotation marks, or up to the next comma. */
const LIST_ITEM = /\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/g;

function readList(required: boolean, text: string): Result<FieldValue | null, FieldProblem> {
  const items = Array.from(text.matchAll(LIST_ITEM))
    .map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim())
    .filter((item) => item !== '');
  if (items.length > 0) return ok(items);
  return required ? err('required') : ok(null);
}

/** Formats a list as the user would type it. */
export function joinListItems(items: readonly string[]): string {
  return items
    .map((item) => (/[",]|^\s|\s$/.test(item) ? `"${item.replaceAll('"', '""')}"` : item))
    .join(', ');
}

function readNumber(type: 'number' | 'integer', text: string): Result<FieldValue, FieldProblem> {
  const value = exactNumber(text);
  const problem = type === 'integer' ? 'not-an-integer' : 'not-a-number';
  if (value === undefined)
    return err(/^-?[1-9]\d*(?:\.\d+)?$/.test(text) ? 'too-many-digits' : problem);
  return type === 'integer' && !Number.isInteger(value) ? err(problem) : ok(value);
}

/** Returns the values of an elicitation, or the index of the first field without a valid input. */
export function readContent(
  fields: readonly Field[],
  inputs: readonly (FieldInput | undefined)[],
): Result<ElicitationContent, number> {
  const entries: [string, FieldValue][] = [];
  for (const [index, field] of fields.entries()) {
    const value = readInput(field, inputs[index]);
    if (!value.ok) return err(index);
    if (value.value !== null) entries.push([field.name, value.value]);
  }
  return ok(Object.fromEntries(entries));
}

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads a number in JSON's notation. Undefined for any other notation (`007`, `.5`, `1,5`, `NaN`), and for digits that a
 * double would change (`9007199254740993`).
 */
export function exactNumber(text: string): number | undefined {
  if (!JSON_NUMBER.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || canonical(text) !== canonical(String(value))) return undefined;
  return value === 0 ? 0 : value;
}

/** Returns the significant digits and their power of ten, without the sign. */
function canonical(number: string): string {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${significant}e${power}`;
}
