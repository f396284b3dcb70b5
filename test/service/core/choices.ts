import type { InternStatus } from './interns.ts';

/**
 * Where the interface says "not shown", or leaves two readings, the service must still do something. What it does is here,
 * in one place, and a test can choose otherwise. Nothing in a client may depend on these values.
 */
export interface Choices {
  /** Name of the idempotency header on create, in lower case. */
  idempotencyHeader: string;
  /** HTTP statuses that the interface does not show. */
  status: {
    created: number;
    /** A completed create that is replayed. */
    replayed: number;
    keyRead: number;
    secretStored: number;
    /** Validation failures on create and on the vault route. */
    invalid: number;
    duplicateName: number;
    /** `workspace_id` that is not the key's. */
    foreignWorkspace: number;
    /** An idempotency key that was used with another body. */
    idempotencyMismatch: number;
    /** Create and vault routes on a regional hostname. */
    regional: number;
    methodNotAllowed: number;
  };
  /** The status of an intern that waits for a later provision call. */
  unprovisioned: InternStatus;
  /** What a "character" of the interface's limits is. */
  characters: 'code points' | 'UTF-16 units';
  /** Whether 429 and 503 `busy` carry a `retry-after` header. */
  retryAfter: boolean;
  /** A prompt with a `session_id` that this service never told: it starts that session, or is a bad request. */
  unknownSession: 'started' | 'refused';
  /** What a completed create is replayed with: the intern as it is now, or the response that the first one got. */
  replay: 'current' | 'original';
  /** Bytes that the vault route reads of a body: the interface gives no limit for it. */
  secretBodyBytes: number;
}

const DEFAULT_CHOICES: Choices = {
  idempotencyHeader: 'idempotency-key',
  status: {
    created: 201,
    replayed: 200,
    keyRead: 200,
    secretStored: 200,
    invalid: 400,
    duplicateName: 409,
    foreignWorkspace: 403,
    idempotencyMismatch: 409,
    regional: 403,
    methodNotAllowed: 405,
  },
  unprovisioned: 'stopped',
  characters: 'code points',
  retryAfter: true,
  unknownSession: 'started',
  replay: 'current',
  secretBodyBytes: 1_048_576,
};

/** What a caller may override: any choice, and any single status. */
export interface ChoiceOverrides extends Partial<Omit<Choices, 'status'>> {
  status?: Partial<Choices['status']>;
}

export function resolveChoices(overrides: ChoiceOverrides = {}): Choices {
  return {
    ...DEFAULT_CHOICES,
    ...overrides,
    idempotencyHeader: (
      overrides.idempotencyHeader ?? DEFAULT_CHOICES.idempotencyHeader
    ).toLowerCase(),
    status: { ...DEFAULT_CHOICES.status, ...overrides.status },
  };
}
