import * as v from 'valibot';

/** Thrown for an invalid body. The message names the field and the rule, never the value. */
export class InvalidBody extends Error {
  override readonly name = 'InvalidBody';
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON object with any fields. */
export const jsonObject = v.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

/** Returns the schema of a string, whose length counts code points. */
export const text = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.check((value) => Array.from(value).length >= min, `must have at least ${min} characters`),
    v.check((value) => Array.from(value).length <= max, `must have at most ${max} characters`),
  );

/** @throws InvalidBody if the body is not JSON or does not match the schema */
export function parseBody<S extends v.GenericSchema>(schema: S, body: Uint8Array) {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new InvalidBody('The body is not JSON in UTF-8.');
  }
  return validate(schema, value, 'The body');
}

/** @throws InvalidBody if a value does not match the schema */
export function validate<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  what: string,
): v.InferOutput<S> {
  const { success, output, issues } = v.safeParse(schema, value, { abortEarly: true });
  if (success) return output;
  const [issue] = issues;
  // Valibot's own messages quote the value.
  const rule = issue.message.startsWith('must') ? issue.message : `must be ${issue.expected}`;
  throw new InvalidBody(`${v.getDotPath(issue) ?? what} ${rule}.`);
}
