import { l10n, type Uri, type Webview } from 'vscode';
import type { CommandId } from '../../../platform/commands/ids.ts';
import { escapeHtml } from '../../../platform/escapeHtml.ts';
import { stillHtml } from '../page/pageHtml.ts';

/** What the chat in the side bar shows where there is no conversation: no script, but links that run commands. */
export function emptyViewHtml(
  webview: Webview,
  extension: Uri,
  isSignedIn: boolean,
): { readonly html: string; readonly commands: readonly CommandId[] } {
  const ways: Partial<Record<CommandId, string>> = isSignedIn
    ? {
        'interns.newInSideBar': l10n.t('New Conversation'),
        'interns.showInSideBar': l10n.t('Choose Conversation'),
      }
    : { 'interns.signIn': l10n.t('Sign In') };
  const words = isSignedIn
    ? l10n.t('No conversation is open here.')
    : l10n.t('Sign in with an API key to chat with interns.');
  const links = Object.entries(ways).map(
    ([command, label], index) =>
      `<a class="button${index === 0 ? ' primary' : ''}" href="command:${command}">${escapeHtml(label)}</a>`,
  );
  const body = `<main class="empty"><p>${escapeHtml(words)}</p>${links.join('\n')}</main>`;
  return {
    html: stillHtml({ webview, ground: 'in-view' }, extension, l10n.t('Chat'), body),
    commands: Object.keys(ways) as CommandId[],
  };
}
