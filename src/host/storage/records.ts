/**
 * What this editor remembers of one account, one JSON file a record (layout.ts). No record holds a key or a secret
 * value; times are epoch ms.
 */

import type { Intern, SecretMetadata } from '../../api/index.ts';

/** How a status was learned: the interface has no route to read one (interface: Endpoints). */
export type StatusSource = 'created' | 'replayed' | 'chat';

/** An intern that was created or added here. */
export interface InternRecord {
  readonly id: string;
  /** What the service said of it when it was created; null for one that was added by its id. */
  readonly intern: Intern | null;
  readonly origin: 'created' | 'added';
  readonly addedAt: number;
  /** The last status learned; null is `Not known`. Unlisted values are kept as they came. */
  readonly status: string | null;
  readonly statusAt: number | null;
  readonly statusFrom: StatusSource | null;
  /** The create that made it, kept while it may be replayed. */
  readonly creation: string | null;
}

/** A create that was sent, or is about to be: resumed with identical bytes (interface: POST /interns). */
export interface CreationRecord {
  readonly id: string;
  readonly name: string;
  /** The request body, as a string whose UTF-8 bytes are what was sent. */
  readonly body: string;
  readonly header: { readonly name: string; readonly value: string } | null;
  readonly provision: boolean;
  readonly createdAt: number;
  /** The intern that came of it; null while that is not known. */
  readonly internId: string | null;
}

/** A vault secret that was stored here: metadata only. */
export interface SecretRecord {
  readonly name: string;
  readonly metadata: SecretMetadata;
  readonly storedAt: number;
}

/** An account: never its key, only that one exists (a host may lose it). */
export interface AccountRecord {
  /** Derived from root, workspace and creator, so that a rotated key finds its lists again. */
  readonly id: string;
  readonly root: string;
  readonly label: string;
  readonly workspaceId: string;
  readonly creatorUserId: string;
  readonly expiresAt: string | null;
  /** `refused`: the service answered 401 or 403 to the key. */
  readonly keyState: 'present' | 'refused';
  /** From INTERNS_BASE_URL and INTERNS_API_KEY: never stored as a secret. */
  readonly fromEnvironment: boolean;
  /** When it was first signed in to. */
  readonly signedInAt: number;
  /** Since when it has its present key: what was stored under another cannot be compared by fingerprints. */
  readonly keySince: number;
}
