import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import type { Message, ReplyMessage } from '../../conversation/messages.ts';
import { withoutCommands } from '../../platform/dialogs/plainText.ts';
import type { Settings } from '../../platform/settings.ts';
import { formatDateTime } from '../../platform/text/format.ts';
import { accessibilityHelp, shortcutsLink } from './commands/accessibilityHelp.ts';
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
  #from: string | null = null;

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
    this.#from = from;
    if (reply !== undefined) await this.#showReply(open, reply);
  }

  /** Opens the reply after or before the one in the active editor. @returns false if that shows no reply */
  async step(step: -1 | 1): Promise<boolean> {
    const shown = this.#replyAt(vscode.window.activeTextEditor?.document.uri);
    if (shown === undefined) return false;
    const replies = shown.open.conversation.transcript.messages.filter(isReply);
    const next = replies[replies.findIndex(({ id }) => id === shown.reply.id) + step];
    if (next === undefined) return true;
    this.#from = next.id;
    await this.#showReply(shown.open, next);
    return true;
  }

  /** @param from the focused message of the chat; null if none has the focus */
  async showHelp(from: string | null): Promise<void> {
    this.#from = from;
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
    return this.#from;
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
    return [new vscode.DocumentLink(range, shortcutsLink())];
  }

  async #showReply(open: OpenConversation, reply: ReplyMessage): Promise<void> {
    const { conversation } = open;
    const replies = conversation.transcript.messages.filter(isReply);
    const number = replies.findIndex(({ id }) => id === reply.id) + 1;
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

  /** Updates the open replies whose runs do not work: they may have grown. */
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
