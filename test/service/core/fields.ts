/** Thrown for an invalid body. The message names the field and the rule, never the value. */
export class InvalidBody extends Error {
  override readonly name = 'InvalidBody';
}

export interface StringRule {
  min?: number;
  max?: number;
  pattern?: RegExp;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** @throws InvalidBody if the body is not a JSON object */
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

/** Validates a string, whose length counts code points. @throws InvalidBody */
export function requiredString(value: unknown, what: string, rule: StringRule = {}): string {
  if (typeof value !== 'string') throw new InvalidBody(`${what} must be a string.`);
  const { min = 0, max = Infinity, pattern } = rule;
  const length = countCodePoints(value);
  if (length < min) throw new InvalidBody(`${what} must have at least ${min} characters.`);
  if (length > max) throw new InvalidBody(`${what} must have at most ${max} characters.`);
  if (pattern !== undefined && !pattern.test(value))
    throw new InvalidBody(`${what} must match ${pattern.source}.`);

  return value;
}

export function optionalString(
  value: unknown,
  what: string,
  rule?: StringRule,
): string | undefined {
  return value === undefined ? undefined : requiredString(value, what, rule);
}

/** Validates a string that may be null or missing. */
export function nullableString(value: unknown, what: string, rule?: StringRule): string | null {
  return value === undefined || value === null ? null : requiredString(value, what, rule);
}

function countCodePoints(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; count++)
    index += text.codePointAt(index)! > 0xffff ? 2 : 1;

  return count;
}
