import * as v from 'valibot';
import type { Intern, SecretMetadata } from '../../api/index.ts';
import type { AccountRecord, CreationRecord, InternRecord, SecretRecord } from './records.ts';

/**
 * How records are read from disk. Files outlive the version that wrote them and may be edited by hand: a record that
 * does not fit is skipped by its folder, and a field that a later version added is dropped.
 */

const text = v.string();
const nullableText = v.nullable(text);
const time = v.number();

const intern: v.GenericSchema<unknown, Intern> = v.object({
  id: text,
  name: nullableText,
  description: nullableText,
  instructions: nullableText,
  model: nullableText,
  status: nullableText,
  hostname: nullableText,
  progress: v.nullable(v.record(v.string(), v.unknown())),
  lastFailureMessage: nullableText,
  vaultId: nullableText,
  attachedVaultId: nullableText,
  workspaceId: text,
  createdAt: nullableText,
  updatedAt: nullableText,
});

const secretMetadata: v.GenericSchema<unknown, SecretMetadata> = v.object({
  name: text,
  hosts: v.nullable(v.array(text)),
  fingerprint: nullableText,
  createdAt: nullableText,
});

export const internSchema: v.GenericSchema<unknown, InternRecord> = v.object({
  id: text,
  intern: v.nullable(intern),
  origin: v.picklist(['created', 'added']),
  addedAt: time,
  status: nullableText,
  statusAt: v.nullable(time),
  statusFrom: v.nullable(v.picklist(['created', 'replayed', 'chat'])),
  creation: nullableText,
});

export const creationSchema: v.GenericSchema<unknown, CreationRecord> = v.object({
  id: text,
  name: text,
  body: text,
  header: v.nullable(v.object({ name: text, value: text })),
  provision: v.boolean(),
  createdAt: time,
  internId: nullableText,
});

export const secretSchema: v.GenericSchema<unknown, SecretRecord> = v.object({
  name: text,
  metadata: secretMetadata,
  storedAt: time,
});

export const accountSchema: v.GenericSchema<unknown, AccountRecord> = v.pipe(
  v.object({
    id: text,
    root: text,
    label: text,
    workspaceId: text,
    creatorUserId: text,
    expiresAt: nullableText,
    keyState: v.picklist(['present', 'refused']),
    fromEnvironment: v.boolean(),
    signedInAt: time,
    keySince: v.optional(time),
  }),
  v.transform((record) => ({ ...record, keySince: record.keySince ?? record.signedInAt })),
);
