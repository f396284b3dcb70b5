import { randomUUID } from 'node:crypto';
import type { Memento } from 'vscode';

const KEY = 'workspace';

/** What this workspace's folders are called among those of an account: the same one from the first window on. */
export function workspaceId(state: Memento): string {
  const known: unknown = state.get(KEY);
  if (typeof known === 'string') return known;
  const id = randomUUID();
  void state.update(KEY, id);
  return id;
}
