import { l10n, type WebviewPanel, type WebviewView } from 'vscode';
import type { CommandId } from '../../../platform/commands/ids.ts';
import { escapeHtml, staticDocument } from '../../../platform/htmlDocument.ts';
import { conversationNotHereMessage } from '../commands/chatLinks.ts';
import type { Surface } from './surface.ts';

/** Why a conversation cannot be shown again. */
export type GoneReason = 'deleted' | 'not-here' | 'unreadable';

type View = Pick<WebviewPanel | WebviewView, 'title' | 'webview'>;

/** A link to a command. */
type Link = readonly [
  label: string,
  command: CommandId | 'workbench.action.closeActiveEditor',
  target?: object | undefined,
];

/** Shows the side bar's empty chat. @param gone why its last conversation cannot be shown */
export function showEmptySideBar(
  view: View,
  isSignedIn: boolean,
  gone: GoneReason | undefined,
): void {
  if (!isSignedIn) {
    const text = l10n.t('Sign in with an API key to chat with interns.');
    show(view, 'in-view', text, [[l10n.t('Sign In'), 'interns.signIn']]);
    return;
  }
  const text = gone === undefined ? l10n.t('No conversation is open here.') : goneMessage(gone);
  show(view, 'in-view', text, [
    [l10n.t('New Conversation'), 'interns.newInSideBar'],
    [l10n.t('Select Conversation'), 'interns.showInSideBar'],
  ]);
}

/** Shows a tab's empty chat. @param intern the intern of a new conversation; undefined to ask for it */
export function showEmptyTab(panel: View, gone: GoneReason, intern: string | undefined): void {
  const target = intern === undefined ? undefined : { intern };
  show(panel, '', goneMessage(gone), [
    [l10n.t('New Conversation'), 'interns.newConversation', target],
    [l10n.t('Close'), 'workbench.action.closeActiveEditor'],
  ]);
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

/** Shows a text with links to commands, without a script. Resets the title, which may quote the last conversation. */
function show(
  view: View,
  bodyClass: Surface['bodyClass'],
  text: string,
  links: readonly Link[],
): void {
  const buttons = links.map(([label, command, target]) => {
    const query = target === undefined ? '' : `?${encodeURIComponent(JSON.stringify([target]))}`;
    return `<a href="${escapeHtml(`command:${command}${query}`)}">${escapeHtml(label)}</a>`;
  });
  const { webview } = view;
  view.title = l10n.t('Chat');
  webview.options = { enableCommandUris: links.map(([, command]) => command) };
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
