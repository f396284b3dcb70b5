import * as v from 'valibot';
import { text } from './fields.ts';

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
