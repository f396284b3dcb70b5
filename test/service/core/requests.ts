import {
  InvalidBody,
  type JsonObject,
  requiredString,
  optionalString,
  nullableString,
} from './fields.ts';
import { normalizeHosts } from './hosts.ts';

const INTERN_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

export type CreateRequest = ReturnType<typeof parseCreateRequest>;

/**
 * Parses the body of `POST /interns`. Fields that the interface does not name are ignored. The borrowed vault is one
 * of them: its field name is not shown.
 * @throws InvalidBody
 */
export function parseCreateRequest(body: JsonObject) {
  const { provision = false } = body;
  if (typeof provision !== 'boolean') throw new InvalidBody('provision must be a boolean.');
  return {
    name: requiredString(body['name'], 'name', { min: 2, max: 17, pattern: INTERN_NAME }),
    description: nullableString(body['description'], 'description', { max: 2_000 }),
    instructions: nullableString(body['instructions'], 'instructions', { max: 100_000 }),
    provision,
    workspaceId: optionalString(body['workspace_id'], 'workspace_id'),
  };
}

const SECRET_NAME = /^(?!.*__)[a-z]([a-z0-9_]*[a-z0-9])?$/;

/**
 * Parses `PUT /vault/secrets/{name}`. The interface does not show which fields are required. Here all are: a secret
 * without hosts could not be released.
 * @throws InvalidBody
 */
export function parseSecretRequest(name: string, body: JsonObject) {
  return {
    name: requiredString(name, 'The secret name', { min: 1, max: 255, pattern: SECRET_NAME }),
    hosts: normalizeHosts(body['hosts']),
    value: requiredString(body['value'], 'value', { min: 1, max: 65_536 }),
  };
}
