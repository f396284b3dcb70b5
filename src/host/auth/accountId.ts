import { createHash } from 'node:crypto';

/** What makes an account: where it is, the workspace of its key, and who made the key. */
export interface AccountIdentity {
  readonly root: string;
  readonly workspaceId: string;
  readonly creatorUserId: string;
}

/** Names an account so that a rotated key finds its lists again: 32 hexadecimal digits, safe as a file name. */
export function accountIdOf({ root, workspaceId, creatorUserId }: AccountIdentity): string {
  const identity = JSON.stringify([root, workspaceId, creatorUserId]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
