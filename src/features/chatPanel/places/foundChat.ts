import { createHash } from 'node:crypto';
import { l10n } from 'vscode';
import { wasRemoved } from '../../../platform/storage/files.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import { notHereWords } from '../commands/chatLinks.ts';

/** Why a conversation that stood somewhere cannot be shown there again. */
export type GoneReason = 'deleted' | 'not-here' | 'unreadable';

/** The conversation of a restored chat, or the reason why there is none. */
export type FoundChat = { readonly open: OpenConversation } | { readonly gone: GoneReason };

/** Tells the place of one record from those of all others, and nothing else about it. */
export function markOf(path: string): string {
  return createHash('sha256').update(path).digest('base64url');
}

/**
 * Why there is no record at a path. A record is known to be deleted only if it was once at this very path, whose folder
 * is still there: the state of a workspace may come from another machine.
 *
 * @param mark That of the path at which the record once was.
 */
export async function reasonOf(path: string, mark: string): Promise<GoneReason> {
  return mark === markOf(path) && (await wasRemoved(path)) ? 'deleted' : 'not-here';
}

export function goneWords(reason: GoneReason): string {
  switch (reason) {
    case 'deleted':
      return l10n.t('This conversation was deleted.');
    case 'not-here':
      return notHereWords();
    case 'unreadable':
      return l10n.t(
        'Couldn’t read this conversation. It’s damaged or from a newer version of Interns. The file wasn’t changed.',
      );
  }
}
