/**
 * Choices of this service for what the interface leaves open. No client may depend on it. A test can
 * choose otherwise.
 */
export interface Choices {
  idempotencyHeader: string;
  /** The size limit of the vault route, for which the interface gives none. */
  secretBodyBytes: number;
}

export const DEFAULT_CHOICES: Choices = {
  idempotencyHeader: 'idempotency-key',
  secretBodyBytes: 1_048_576,
};

/** HTTP statuses that the interface does not show. */
export const STATUS = {
  created: 201,
  replayed: 200,
  keyRead: 200,
  secretStored: 200,
  /** Validation failures on create and on the vault route. */
  invalid: 400,
  duplicateName: 409,
  /** A `workspace_id` that is not the key's. */
  foreignWorkspace: 403,
  idempotencyMismatch: 409,
  /** Create and vault routes on a regional hostname. */
  regional: 403,
  methodNotAllowed: 405,
} as const;
