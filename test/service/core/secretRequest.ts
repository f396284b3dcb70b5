import { requiredString, type JsonObject } from './fields.ts';
import { normalizeHosts } from './hosts.ts';

const SECRET_NAME = /^(?!.*__)[a-z]([a-z0-9_]*[a-z0-9])?$/;

export interface SecretRequest {
  name: string;
  hosts: string[];
  value: string;
}

/**
 * Reads `PUT /vault/secrets/{name}`. The interface does not show whether each body field is required: both are here, since
 * a secret without hosts could be released nowhere.
 * @throws InvalidBody
 */
export function parseSecretRequest(name: string, body: JsonObject): SecretRequest {
  return {
    name: requiredString(name, 'The secret name', { min: 1, max: 255, pattern: SECRET_NAME }),
    hosts: normalizeHosts(body['hosts']),
    value: requiredString(body['value'], 'value', { min: 1, max: 65_536 }),
  };
}
