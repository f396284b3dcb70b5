/**
 * The records of an account, one JSON file each (layout.ts), without keys and secret values. Times are epoch ms. A record
 * that does not match its schema is left alone, and fields of later versions are kept.
 */

import { hash } from 'node:crypto';
import * as v from 'valibot';
import type { Intern, SecretMetadata } from '../../api/index.ts';
import { processMarkSchema } from '../../platform/storage/processMark.ts';

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

export const internRecordSchema = v.object({
  id: text,
  /** The service's response to its create (interface: Intern); null if it was added by its ID. */
  intern: v.nullable(intern),
  origin: v.picklist(['created', 'added']),
  addedAt: time,
  /** The last known status, also an unlisted one; null is `Not known`. */
  status: nullableText,
  statusAt: v.nullable(time),
  /** Source of the status, since no route reads it (interface: Endpoints). */
  statusFrom: v.nullable(v.picklist(['created', 'replayed', 'chat'])),
  /** The ID of its creation, while that may be replayed. */
  creation: nullableText,
});

export type InternRecord = Readonly<v.InferOutput<typeof internRecordSchema>>;
export type StatusSource = NonNullable<InternRecord['statusFrom']>;

export const allowedRecordSchema = v.object({
  /** One for each intern and operation, and for each question whose answer may have been received. */
  id: text,
  intern: text,
  internName: text,
  /** Null if the tool was unnamed. */
  operation: nullableText,
  allowedAt: time,
  /** True if the service may not have received it. */
  isUnclear: v.exactOptional(v.boolean()),
});

/** An operation that the user always allowed. The API does not say how long that lasts. */
export type AllowedRecord = Readonly<v.InferOutput<typeof allowedRecordSchema>>;

export const creationRecordSchema = v.object({
  id: text,
  name: text,
  /** The request body: its UTF-8 bytes are sent. */
  body: text,
  header: v.nullable(v.object({ name: text, value: text })),
  provision: v.boolean(),
  createdAt: time,
  /** The created intern; null if not known. */
  internId: nullableText,
  /** The window that sends it; null if none does. It stays when the window closes. */
  sentBy: v.optional(v.nullable(processMarkSchema), null),
});

/** A create that was or will be sent. It is resumed with identical bytes (interface: POST /interns). */
export type CreationRecord = Readonly<v.InferOutput<typeof creationRecordSchema>>;

export const secretRecordSchema = v.object({
  name: text,
  metadata: secretMetadata,
  storedAt: time,
});

export type SecretRecord = Readonly<v.InferOutput<typeof secretRecordSchema>>;

export const accountRecordSchema = v.pipe(
  v.object({
    id: text,
    root: text,
    label: text,
    workspaceId: text,
    /** Null if the service does not say. */
    creatorUserId: nullableText,
    expiresAt: nullableText,
    /** `refused`: the service responded 401 or 403 to the key. */
    keyState: v.picklist(['present', 'refused']),
    /** True if the key comes from INTERNS_API_KEY and is not stored. */
    fromEnvironment: v.boolean(),
    signedInAt: time,
    /** When its present key was entered. Fingerprints of earlier keys cannot be compared. */
    keySince: v.optional(time),
    /** When a window last read the label, expiry and limit of the key. */
    keyReadAt: v.exactOptional(time),
    limit: v.exactOptional(v.nullable(v.number())),
    limitRemaining: v.exactOptional(v.nullable(v.number())),
  }),
  v.transform((record) => ({ ...record, keySince: record.keySince ?? record.signedInAt })),
);

export type AccountRecord = Readonly<v.InferOutput<typeof accountRecordSchema>>;

/** Returns an ID of 32 hexadecimal digits from the URL, the workspace and the key's creator. A rotated key has the same. */
export function accountIdOf(
  of: Pick<AccountRecord, 'root' | 'workspaceId' | 'creatorUserId'>,
): string {
  const identity = JSON.stringify([of.root, of.workspaceId, of.creatorUserId]);
  return hash('sha256', identity).slice(0, 32);
}
