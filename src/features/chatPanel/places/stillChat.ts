import { l10n, type Uri, type Webview } from 'vscode';
import type { CommandId } from '../../../platform/commands/ids.ts';
import { escapeHtml } from '../../../platform/escapeHtml.ts';
import { pageRoot, stillHtml } from '../page/pageHtml.ts';
import { goneWords, type GoneReason } from './foundChat.ts';

/** The content of a chat without a conversation. It has no script, but links that run commands. */
interface StillChat {
  readonly words: string;
  readonly ways: readonly {
    readonly label: string;
    readonly command: CommandId | 'workbench.action.closeActiveEditor';
    readonly target?: object | undefined;
  }[];
}

/** The side bar without a conversation. @param gone why the one that it had cannot be shown */
export function stillView(isSignedIn: boolean, gone: GoneReason | undefined): StillChat {
  if (!isSignedIn)
    return {
      words: l10n.t('Sign in with an API key to chat with interns.'),
      ways: [{ label: l10n.t('Sign In'), command: 'interns.signIn' }],
    };
  return {
    words: gone === undefined ? l10n.t('No conversation is open here.') : goneWords(gone),
    ways: [
      { label: l10n.t('New Conversation'), command: 'interns.newInSideBar' },
      { label: l10n.t('Choose Conversation'), command: 'interns.showInSideBar' },
    ],
  };
}

/** A tab whose conversation cannot be shown. @param intern whom a new one is with; undefined to ask for it */
export function stillTab(gone: GoneReason, intern: string | undefined): StillChat {
  return {
    words: goneWords(gone),
    ways: [
      {
        label: l10n.t('New Conversation'),
        command: 'interns.newConversation',
        target: intern === undefined ? undefined : { intern },
      },
      { label: l10n.t('Close'), command: 'workbench.action.closeActiveEditor' },
    ],
  };
}

/** Shows a chat without a conversation in a tab or in the side bar. The title could tell what was said in it. */
export function showStillChat(
  host: { title?: string; readonly webview: Webview },
  ground: Parameters<typeof stillHtml>[0]['ground'],
  extension: Uri,
  { words, ways }: StillChat,
): void {
  const links = ways.map(({ label, command, target }, index) => {
    const query = target === undefined ? '' : `?${encodeURIComponent(JSON.stringify([target]))}`;
    const look = index === 0 ? ' primary' : '';
    return `<a class="button${look}" href="${escapeHtml(`command:${command}${query}`)}">${escapeHtml(label)}</a>`;
  });
  const body = `<main class="empty"><p>${escapeHtml(words)}</p>${links.join('\n')}</main>`;
  const { webview } = host;
  host.title = l10n.t('Chat');
  webview.options = {
    enableCommandUris: ways.map(({ command }) => command),
    localResourceRoots: [pageRoot(extension)],
  };
  webview.html = stillHtml({ webview, ground }, extension, l10n.t('Chat'), body);
}
