import type { StoredCreate } from './types.ts';

/** What a user says about an intern to be created. */
export interface InternDraft {
  /** See `checkInternName`. */
  readonly name: string;
  /** At most 2,000 characters; null or empty sends none. */
  readonly description: string | null;
  /** At most 100,000 characters; null or empty sends none. */
  readonly instructions: string | null;
  /** Whether provisioning starts in this operation, or waits for a later call that this interface does not have. */
  readonly provision: boolean;
}

/** The header that names a create operation. */
export interface IdempotencyKey {
  /** See `checkIdempotencyHeader`. */
  readonly headerName: string;
  /** One UUID for each draft, a new one after an edit. */
  readonly uuid: string;
}

/**
 * Fixes the bytes of a create, to be stored and sent as they are each time: the service resumes the operation only for
 * the same header and the same body, and derives the operation's key from the body where there is no header.
 *
 * The workspace is left to the key, which decides it anyway.
 */
export function storeCreate(draft: InternDraft, idempotency: IdempotencyKey | null): StoredCreate {
  const body = {
    name: draft.name,
    ...(isSet(draft.description) && { description: draft.description }),
    ...(isSet(draft.instructions) && { instructions: draft.instructions }),
    provision: draft.provision,
  };
  return {
    body: JSON.stringify(body),
    idempotency:
      idempotency === null ? null : { name: idempotency.headerName, value: idempotency.uuid },
  };
}

function isSet(text: string | null): boolean {
  return text !== null && text !== '';
}
