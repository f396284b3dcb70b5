import * as v from 'valibot';
import { parseBody, text, validate } from './fields.ts';
import { hosts } from './hosts.ts';

const INTERN_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const SECRET_NAME = /^(?!.*__)[a-z]([a-z0-9_]*[a-z0-9])?$/;

/** The borrowed vault is left out: the interface does not show its field name. */
const createRequest = v.object({
  name: v.pipe(text(2, 17), v.regex(INTERN_NAME, `must match ${INTERN_NAME.source}`)),
  description: v.nullish(text(0, 2_000), null),
  instructions: v.nullish(text(0, 100_000), null),
  provision: v.optional(v.boolean(), false),
  workspace_id: v.optional(v.string()),
});

/** The interface does not show which fields are required. Here all are: a secret without hosts could not be released. */
const secretRequest = v.object({ hosts, value: text(1, 65_536) });

const secretName = v.pipe(text(1, 255), v.regex(SECRET_NAME, `must match ${SECRET_NAME.source}`));

export type CreateRequest = v.InferOutput<typeof createRequest>;

/** Parses the body of `POST /interns`. Fields that the interface does not name are ignored. @throws InvalidBody */
export function parseCreateRequest(body: Uint8Array): CreateRequest {
  return parseBody(createRequest, body);
}

/** Parses `PUT /vault/secrets/{name}`. @throws InvalidBody */
export function parseSecretRequest(name: string, body: Uint8Array) {
  return {
    name: validate(secretName, name, 'The secret name'),
    ...parseBody(secretRequest, body),
  };
}
