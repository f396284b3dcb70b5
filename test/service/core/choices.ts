/**
 * Where the interface says "not shown", or leaves two readings, the service must still do something. What it does is here,
 * in one place; nothing in a client may depend on it, and a test can choose otherwise where a client must cope with both.
 */
export interface Choices {
  /** The name of the idempotency header on create. */
  idempotencyHeader: string;
  /** A prompt with a `session_id` that this service never told: it starts that session, or is a bad request. */
  unknownSession: 'started' | 'refused';
  /** How many bytes the vault route reads of a body: the interface gives no limit for it. */
  secretBodyBytes: number;
}

export const DEFAULT_CHOICES: Choices = {
  idempotencyHeader: 'idempotency-key',
  unknownSession: 'started',
  secretBodyBytes: 1_048_576,
};

/** HTTP statuses that the interface does not show. */
export const STATUS = {
  created: 201,
  /** A completed create that is replayed. */
  replayed: 200,
  keyRead: 200,
  secretStored: 200,
  /** Validation failures on create and on the vault route. */
  invalid: 400,
  duplicateName: 409,
  /** A `workspace_id` that is not the key's. */
  foreignWorkspace: 403,
  /** An idempotency key that was used with another body. */
  idempotencyMismatch: 409,
  /** Create and vault routes on a regional hostname. */
  regional: 403,
  methodNotAllowed: 405,
} as const;
