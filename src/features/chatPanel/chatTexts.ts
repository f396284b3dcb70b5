import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import type { Message, ReplyMessage } from '../../conversation/messages.ts';
import type { CommandId } from '../../platform/commands/ids.ts';
import { withoutCommands } from '../../platform/dialogs/plainText.ts';
import type { Settings } from '../../platform/settings.ts';
import { formatDateTime } from '../../platform/text/format.ts';
import type { PageSettings } from '../../protocol/view.ts';
import type { Conversations, OpenConversation } from '../conversations/conversations.ts';
import { messageToMarkdown } from '../conversations/exportConversation.ts';

const REPLY_SCHEME = 'interns-reply';
const HELP_SCHEME = 'interns-help';

interface ChatTextsOptions {
  readonly conversations: Pick<Conversations, 'live' | 'onDidChangeState'>;
  readonly internName: (open: OpenConversation) => string;
  readonly extension: vscode.Extension<unknown>;
  readonly settings: Pick<Settings, 'page'>;
}

/** Opens replies and the accessibility help as read-only Markdown in an editor. */
export class ChatTexts
  extends DisposableBase
  implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider
{
  readonly #options: ChatTextsOptions;
  readonly #changed = this.own(new Emitter<vscode.Uri>());
  /** The message to return to; null for the composer. */
  #returnTo: string | null = null;

  readonly onDidChange = this.#changed.event;

  constructor(options: ChatTextsOptions) {
    super();
    this.#options = options;
    for (const scheme of [REPLY_SCHEME, HELP_SCHEME])
      this.own(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.own(vscode.languages.registerDocumentLinkProvider({ scheme: HELP_SCHEME }, this));
    this.own(options.conversations.onDidChangeState(() => this.#refreshReplies()));
  }

  /** Opens the reply at or after a message; the last reply if that is null. */
  async showReply(open: OpenConversation, from: string | null): Promise<void> {
    const { messages } = open.conversation.transcript;
    const start = messages.findIndex(({ id }) => id === from);
    const after = start === -1 ? [] : messages.slice(start);
    const reply = after.find(isReply) ?? messages.findLast(isReply);
    this.#returnTo = from;
    if (reply !== undefined) await this.#showReply(open, reply);
  }

  /** Opens the reply after or before the one in the active editor. @returns false if that shows no reply */
  async step(step: -1 | 1): Promise<boolean> {
    const shown = this.#replyAt(vscode.window.activeTextEditor?.document.uri);
    if (shown === undefined) return false;
    const replies = shown.open.conversation.transcript.messages.filter(isReply);
    const next = replies[replies.indexOf(shown.reply) + step];
    if (next === undefined) return true;
    this.#returnTo = next.id;
    await this.#showReply(shown.open, next);
    return true;
  }

  /** @param from the focused message of the chat; null if none has the focus */
  async showHelp(from: string | null): Promise<void> {
    this.#returnTo = from;
    const name = l10n.t('Chat Accessibility Help');
    await this.#show(vscode.Uri.from({ scheme: HELP_SCHEME, path: `/${name}.md` }));
  }

  /**
   * Closes the text in the active editor.
   *
   * @returns the message to return to; null for the composer; undefined if the editor shows something else
   */
  async close(): Promise<string | null | undefined> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    if (uri === undefined || ![REPLY_SCHEME, HELP_SCHEME].includes(uri.scheme)) return undefined;
    if (activeTab !== undefined) await vscode.window.tabGroups.close(activeTab);
    return this.#returnTo;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    if (uri.scheme === HELP_SCHEME) {
      const { extension, settings } = this.#options;
      return accessibilityHelp(extension.packageJSON, settings.page);
    }
    const shown = this.#replyAt(uri);
    if (shown === undefined) return l10n.t('This reply is no longer available.');
    const { open, reply } = shown;
    const title = `# ${this.#options.internName(open)}, ${formatDateTime(reply.at)}`;
    return withoutCommands(`${title}\n\n${messageToMarkdown(reply)}\n`);
  }

  /** Links the Keyboard Shortcuts editor in the help. */
  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const label = l10n.t('Keyboard Shortcuts');
    const at = document.getText().indexOf(label);
    const range = new vscode.Range(document.positionAt(at), document.positionAt(at + label.length));
    // Extensions cannot read the user's own keys.
    const args = encodeURIComponent(JSON.stringify(['@ext:intern-service.interns']));
    const link = vscode.Uri.parse(`command:workbench.action.openGlobalKeybindings?${args}`);
    return [new vscode.DocumentLink(range, link)];
  }

  async #showReply(open: OpenConversation, reply: ReplyMessage): Promise<void> {
    const { conversation } = open;
    const number = conversation.transcript.messages.filter(isReply).indexOf(reply) + 1;
    const name = `${this.#options.internName(open)} ${number}`.replaceAll(/[\\/]/g, '-');
    const query = new URLSearchParams({ conversation: conversation.id, reply: reply.id });
    await this.#show(
      vscode.Uri.from({ scheme: REPLY_SCHEME, path: `/${name}.md`, query: String(query) }),
    );
  }

  async #show(uri: vscode.Uri): Promise<void> {
    // The text may have grown since it was last shown.
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  /** Updates the open replies that are not being written now. They may have grown. */
  #refreshReplies(): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      const { state } = this.#replyAt(uri)?.reply ?? {};
      if (state !== undefined && state !== 'working') this.#changed.fire(uri);
    }
  }

  #replyAt(
    uri: vscode.Uri | undefined,
  ): { open: OpenConversation; reply: ReplyMessage } | undefined {
    if (uri?.scheme !== REPLY_SCHEME) return undefined;
    const query = new URLSearchParams(uri.query);
    const open = this.#options.conversations.live.find(
      ({ conversation }) => conversation.id === query.get('conversation'),
    );
    const reply = open?.conversation.transcript.reply(query.get('reply') ?? '');
    return open && reply && { open, reply };
  }
}

const isReply = (message: Message) => message.kind === 'reply';

/** The part of package.json that names keys. */
interface Manifest {
  readonly contributes: {
    readonly keybindings: readonly { command: string; key: string; mac?: string }[];
  };
}

/**
 * Returns the help on the chat's keys and on screen readers, as Markdown with the default keys.
 *
 * @param manifest the extension's package.json
 */
export function accessibilityHelp(
  manifest: unknown,
  { sendWith, escapeStops }: Pick<PageSettings, 'sendWith' | 'escapeStops'>,
): string {
  const { keybindings } = (manifest as Manifest).contributes;
  const row = (command: CommandId, what: string): string => {
    const binding = keybindings.find((each) => each.command === command);
    return `- ${what}: ${keysText(binding?.key ?? '', binding?.mac)}`;
  };
  const isEnter = sendWith === 'enter';
  return [
    `# ${l10n.t('Chat Accessibility Help')}`,
    l10n.t('These are the default keys. You can see and change yours in Keyboard Shortcuts.'),
    `## ${l10n.t('Writing')}`,
    [
      `- ${l10n.t('Send the prompt')}: ${isEnter ? 'Enter' : keysText('ctrl+enter', 'cmd+enter')}`,
      `- ${l10n.t('Start a new line')}: ${isEnter ? 'Shift+Enter' : 'Enter'}`,
      `- ${l10n.t('Recall an earlier prompt')}: ↑, ↓`,
      `- ${l10n.t('Attach a file: type @ and the beginning of its name, select with ↑ and ↓')}: Enter`,
      `- ${l10n.t('Insert a workspace prompt: type / at the beginning, select with ↑ and ↓')}: Enter`,
      `- ${l10n.t('Close an open part of the chat, such as find, or go to the composer')}: Escape`,
      row('interns.focusComposer', l10n.t('Go to the composer from anywhere in the window')),
    ].join('\n'),
    `## ${l10n.t('Reading')}`,
    readingRows(row).join('\n'),
    l10n.t(
      'Each message is an article with a level 2 heading. Headings in replies have lower levels. In a reply that is open as text, the keys for the previous and next message open the previous and next reply.',
    ),
    `## ${l10n.t('Runs and questions')}`,
    [
      ...(escapeStops
        ? [
            `- ${l10n.t('Stop the run while the intern is working')}: ${l10n.t('Escape twice within a second')}`,
          ]
        : []),
      row('interns.stop', l10n.t('Stop the run, also while it’s waiting for an answer')),
      row('interns.answer', l10n.t('Answer the pending question')),
      row('interns.goToWaiting', l10n.t('Show the next chat that is waiting for you')),
    ].join('\n'),
    l10n.t(
      'Escape in a question’s dialog doesn’t answer. The question stays open. The dialog ignores input for its first half second.',
    ),
    `## ${l10n.t('What is announced')}`,
    l10n.t(
      'The setting {0} controls which parts of a reply are announced: sentences as they arrive, the complete reply, or nothing. Questions, failures and the end of a run are always announced, even while the chat is hidden.',
      '`interns.chat.narration`',
    ),
    '',
  ].join('\n\n');
}

function readingRows(row: (command: CommandId, what: string) => string): readonly string[] {
  return [
    row('interns.previousMessage', l10n.t('Go to the previous message')),
    row('interns.nextMessage', l10n.t('Go to the next message')),
    row('interns.previousPrompt', l10n.t('Go to your previous prompt')),
    row('interns.nextPrompt', l10n.t('Go to your next prompt')),
    row('interns.goToPrompt', l10n.t('Select one of your prompts and go to it')),
    row('interns.previousCodeBlock', l10n.t('Go to the previous code block')),
    row('interns.nextCodeBlock', l10n.t('Go to the next code block')),
    `- ${l10n.t('Copy, insert or save a code block: Shift+Tab to its buttons, then')}: ←, →, Enter`,
    row('interns.findInChat', l10n.t('Find in the conversation')),
    row('interns.openReplyAsText', l10n.t('Open the reply as text')),
    row('interns.returnToChat', l10n.t('Close the reply or this help, and return to the chat')),
  ];
}

/** Writes `ctrl+k shift+pageup` as `Ctrl+K Shift+PageUp`. */
function keysText(key: string, mac?: string): string {
  const keys = mac === undefined ? key : `${key}, macOS ${mac}`;
  return keys.replace(/\b\p{L}(?!acOS)|(?<=page)\p{L}/gu, (letter) => letter.toUpperCase());
}
