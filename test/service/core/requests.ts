import * as v from 'valibot';
import { parseBody, text, validate } from './fields.ts';

const INTERN_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const SECRET_NAME = /^(?!.*__)[a-z]([a-z0-9_]*[a-z0-9])?$/;

const MAX_HOSTS = 100;
/** 253 of a DNS name and a trailing dot. */
const MAX_HOST_CHARACTERS = 254;
const MAX_NAME_CHARACTERS = 253;
/** Includes underscores, which DNS names may have and the interface does not forbid. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A hostname, in lower case and without a trailing dot. */
const host = v.pipe(
  text(1, MAX_HOST_CHARACTERS),
  v.transform((name) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
  v.transform((name) => name.replace(/\.$/, '')),
  v.check((name) => name !== '', 'must not be empty'),
  v.check((name) => !name.includes('://'), 'must not have a scheme'),
  v.check((name) => !name.includes('*'), 'must not have a wildcard'),
  v.check((name) => !/[/?#\\]/.test(name), 'must not have a path'),
  v.check((name) => !name.includes(':'), 'must not have a port'),
  v.check((name) => !name.includes('@'), 'must not have a user'),
  text(1, MAX_NAME_CHARACTERS),
  v.check((name) => name.split('.').every((label) => LABEL.test(label)), 'must be a DNS hostname'),
);

const COUNT = `must have 1 to ${MAX_HOSTS} entries`;

/**
 * The hosts of a secret (interface: PUT /vault/secrets/{name}, rules for `hosts`): 1 to 100 exact DNS hostnames, without
 * duplicates.
 */
export const hosts = v.pipe(
  v.array(host),
  v.minLength(1, COUNT),
  v.maxLength(MAX_HOSTS, COUNT),
  v.transform((names) => [...new Set(names)]),
);

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
