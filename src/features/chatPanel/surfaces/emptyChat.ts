import { l10n, type Uri, type Webview } from 'vscode';
import type { CommandId } from '../../../platform/commands/ids.ts';
import { escapeHtml } from '../../../platform/escapeHtml.ts';
import { conversationNotHereMessage } from '../commands/chatLinks.ts';
import { pageRoot, documentHtml } from '../page/pageHtml.ts';
import type { Surface } from './surface.ts';

/** Why a conversation cannot be shown again. */
export type GoneReason = 'deleted' | 'not-here' | 'unreadable';

/** A surface without a conversation. It has links to commands, and no script. */
interface EmptyChat {
  readonly text: string;
  readonly links: readonly {
    readonly label: string;
    readonly command: CommandId | 'workbench.action.closeActiveEditor';
    readonly target?: object | undefined;
  }[];
}

/** Returns the side bar's empty chat. @param gone why its last conversation cannot be shown */
export function emptySideBar(isSignedIn: boolean, gone: GoneReason | undefined): EmptyChat {
  if (!isSignedIn)
    return {
      text: l10n.t('Sign in with an API key to chat with interns.'),
      links: [{ label: l10n.t('Sign In'), command: 'interns.signIn' }],
    };
  return {
    text: gone === undefined ? l10n.t('No conversation is open here.') : goneMessage(gone),
    links: [
      { label: l10n.t('New Conversation'), command: 'interns.newInSideBar' },
      { label: l10n.t('Select Conversation'), command: 'interns.showInSideBar' },
    ],
  };
}

/** Returns a tab's empty chat. @param intern the intern of a new conversation; undefined to ask for it */
export function emptyTab(gone: GoneReason, intern: string | undefined): EmptyChat {
  const target = intern === undefined ? undefined : { intern };
  return {
    text: goneMessage(gone),
    links: [
      { label: l10n.t('New Conversation'), command: 'interns.newConversation', target },
      { label: l10n.t('Close'), command: 'workbench.action.closeActiveEditor' },
    ],
  };
}

function goneMessage(reason: GoneReason): string {
  return {
    deleted: l10n.t('This conversation was deleted.'),
    'not-here': conversationNotHereMessage(),
    unreadable: l10n.t(
      'Couldn’t read this conversation. It’s damaged or from a newer version. It wasn’t changed.',
    ),
  }[reason];
}

/** Shows an empty chat, and resets the title, which may quote the last conversation. */
export function showEmptyChat(
  host: { title?: string; readonly webview: Webview },
  bodyClass: Surface['bodyClass'],
  extension: Uri,
  { text, links }: EmptyChat,
): void {
  const buttons = links.map(({ label, command, target }, index) => {
    const query = target === undefined ? '' : `?${encodeURIComponent(JSON.stringify([target]))}`;
    const look = index === 0 ? ' primary' : '';
    return `<a class="button${look}" href="${escapeHtml(`command:${command}${query}`)}">${escapeHtml(label)}</a>`;
  });
  const body = `<main class="empty"><p>${escapeHtml(text)}</p>${buttons.join('\n')}</main>`;
  const { webview } = host;
  host.title = l10n.t('Chat');
  webview.options = {
    enableCommandUris: links.map(({ command }) => command),
    localResourceRoots: [pageRoot(extension)],
  };
  webview.html = documentHtml({ webview, bodyClass }, extension, l10n.t('Chat'), body);
}
