import { l10n, type Webview } from 'vscode';
import type { CommandId } from '../../../platform/commands/ids.ts';
import { escapeHtml } from '../../../platform/escapeHtml.ts';
import { staticDocument } from '../../../platform/htmlDocument.ts';
import { conversationNotHereMessage } from '../commands/chatLinks.ts';
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
  { text, links }: EmptyChat,
): void {
  const buttons = links.map(({ label, command, target }) => {
    const query = target === undefined ? '' : `?${encodeURIComponent(JSON.stringify([target]))}`;
    return `<a href="${escapeHtml(`command:${command}${query}`)}">${escapeHtml(label)}</a>`;
  });
  const { webview } = host;
  host.title = l10n.t('Chat');
  webview.options = { enableCommandUris: links.map(({ command }) => command) };
  webview.html = staticDocument(STYLE_SHEET, {
    title: l10n.t('Chat'),
    bodyClass,
    body: `<main>
<p>${escapeHtml(text)}</p>
${buttons.join('\n')}
</main>`,
  });
}

const STYLE_SHEET = `
body { color: var(--vscode-descriptionForeground); line-height: 1.5; }
body.in-view { background: transparent; }
main {
  display: flex;
  flex-direction: column;
  gap: 8px;
  align-items: center;
  justify-content: center;
  box-sizing: border-box;
  min-height: 100vh;
  padding: 16px;
  text-align: center;
}
p { max-width: 36em; margin: 0; overflow-wrap: anywhere; }
a {
  padding: 3px 10px;
  border: 1px solid var(--vscode-button-border, transparent);
  border-radius: 4px;
  color: var(--vscode-button-secondaryForeground);
  background: var(--vscode-button-secondaryBackground);
  text-decoration: none;
}
a:hover { background: var(--vscode-button-secondaryHoverBackground); }
a:first-of-type { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
a:first-of-type:hover { background: var(--vscode-button-hoverBackground); }
a:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 1px; }
.vscode-high-contrast a:hover { outline: 1px dashed var(--vscode-contrastActiveBorder, var(--vscode-focusBorder)); }
`;
