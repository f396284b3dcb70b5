import type { Choices } from './choices.ts';

/** A body that breaks a rule. The message names the field and the rule, never the value. */
export class InvalidBody extends Error {
  override readonly name = 'InvalidBody';
}

export interface StringRule {
  min?: number;
  max?: number;
  pattern?: RegExp;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses a body that must be a JSON object. @throws InvalidBody */
export function parseObject(body: Uint8Array): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new InvalidBody('The body is not JSON in UTF-8.');
  }
  return asObject(value, 'The body');
}

export function asObject(value: unknown, what: string): JsonObject {
  if (!isObject(value)) throw new InvalidBody(`${what} must be an object.`);
  return value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asArray(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new InvalidBody(`${what} must be an array.`);
  return value;
}

/** How long a text is in the interface's "characters". */
function countCharacters(text: string, unit: Choices['characters']): number {
  if (unit === 'UTF-16 units') return text.length;
  let count = 0;
  for (let index = 0; index < text.length; count++) {
    index += text.codePointAt(index)! > 0xffff ? 2 : 1;
  }
  return count;
}

/** Reads strings under the interface's limits, counted in the characters that were chosen. */
export class StringReader {
  readonly #unit: Choices['characters'];

  constructor(unit: Choices['characters']) {
    this.#unit = unit;
  }

  /** @throws InvalidBody when `value` is no string or breaks the rule. */
  required(value: unknown, what: string, rule: StringRule = {}): string {
    if (typeof value !== 'string') throw new InvalidBody(`${what} must be a string.`);
    const { min = 0, max = Infinity, pattern } = rule;
    const length = countCharacters(value, this.#unit);
    if (length < min) throw new InvalidBody(`${what} must have at least ${min} characters.`);
    if (length > max) throw new InvalidBody(`${what} must have at most ${max} characters.`);
    if (pattern !== undefined && !pattern.test(value)) {
      throw new InvalidBody(`${what} must match ${pattern.source}.`);
    }
    return value;
  }

  optional(value: unknown, what: string, rule?: StringRule): string | undefined {
    return value === undefined ? undefined : this.required(value, what, rule);
  }

  /** For fields typed "string or null" that may be left out: both read as null. */
  nullable(value: unknown, what: string, rule?: StringRule): string | null {
    return value === undefined || value === null ? null : this.required(value, what, rule);
  }
}
