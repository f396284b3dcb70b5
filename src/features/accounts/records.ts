/**
 * What this editor remembers of one account, one JSON file a record (layout.ts). No record holds a key or a secret
 * value; times are epoch ms.
 *
 * Files outlive the version that wrote them and may be edited by hand: a record that does not fit its schema is left
 * alone by its folder, and a field that a later version added stays in its file.
 */

import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Intern, SecretMetadata } from '../../api/index.ts';
import { windowMark } from '../../platform/storage/windowMark.ts';

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

export const internSchema = v.object({
  id: text,
  /** What the service said of it when it was created; null for one that was added by its id. */
  intern: v.nullable(intern),
  origin: v.picklist(['created', 'added']),
  addedAt: time,
  /** The last status learned; null is `Not known`. Unlisted values are kept as they came. */
  status: nullableText,
  statusAt: v.nullable(time),
  /** How the status was learned: the interface has no route to read one (interface: Endpoints). */
  statusFrom: v.nullable(v.picklist(['created', 'replayed', 'chat'])),
  /** The create that made it, kept while it may be replayed. */
  creation: nullableText,
});

/** An intern that was created or added here. */
export type InternRecord = Readonly<v.InferOutput<typeof internSchema>>;
export type StatusSource = NonNullable<InternRecord['statusFrom']>;

export const allowedSchema = v.object({
  /** One for each intern and operation, and one for each question whose answer may have been received. */
  id: text,
  intern: text,
  internName: text,
  /** Null if the tool was unnamed. */
  operation: nullableText,
  /** The last time. */
  allowedAt: time,
  /** Whether the service may not have received it; absent once the service has taken it. */
  isUnclear: v.exactOptional(v.boolean()),
});

/** An `allow_always` of a user. The interface does not say how long the intern honors it. */
export type AllowedRecord = Readonly<v.InferOutput<typeof allowedSchema>>;

export const creationSchema = v.object({
  id: text,
  name: text,
  /** The request body, as a string whose UTF-8 bytes are what was sent. */
  body: text,
  header: v.nullable(v.object({ name: text, value: text })),
  provision: v.boolean(),
  createdAt: time,
  /** The intern that came of it; null while that is not known. */
  internId: nullableText,
  /** The window that sends it now; null if none does. A window that was closed leaves its mark behind. */
  sentBy: v.optional(v.nullable(windowMark), null),
});

/** A create that was sent, or is about to be: resumed with identical bytes (interface: POST /interns). */
export type CreationRecord = Readonly<v.InferOutput<typeof creationSchema>>;

export const secretSchema = v.object({ name: text, metadata: secretMetadata, storedAt: time });

/** A vault secret that was stored here: metadata only. */
export type SecretRecord = Readonly<v.InferOutput<typeof secretSchema>>;

export const accountSchema = v.pipe(
  v.object({
    id: text,
    root: text,
    label: text,
    workspaceId: text,
    /** Null where the service does not say who made the key. */
    creatorUserId: nullableText,
    expiresAt: nullableText,
    /** `refused`: the service answered 401 or 403 to the key. */
    keyState: v.picklist(['present', 'refused']),
    /** From INTERNS_BASE_URL and INTERNS_API_KEY: never stored as a secret. */
    fromEnvironment: v.boolean(),
    /** When it was first signed in to. */
    signedInAt: time,
    /** Since when it has its present key: what was stored under another cannot be compared by fingerprints. */
    keySince: v.optional(time),
  }),
  v.transform((record) => ({ ...record, keySince: record.keySince ?? record.signedInAt })),
);

/** An account: never its key, only that one exists (a host may lose it). */
export type AccountRecord = Readonly<v.InferOutput<typeof accountSchema>>;

/**
 * Names an account by where it is, the workspace of its key, and who made the key, so that a rotated key finds its lists
 * again: 32 hexadecimal digits, safe as a file name.
 */
export function accountIdOf({
  root,
  workspaceId,
  creatorUserId,
}: Pick<AccountRecord, 'root' | 'workspaceId' | 'creatorUserId'>): string {
  const identity = JSON.stringify([root, workspaceId, creatorUserId]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
