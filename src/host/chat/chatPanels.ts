import * as vscode from 'vscode';
import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ChatPresence } from '../../chat/questions/types.ts';
import type { ActionId } from '../../protocol/view.ts';
import type { Account, Accounts } from '../auth/account.ts';
import type { PromptContext } from '../context/promptContext.ts';
import type { ReplyActions } from '../editor/types.ts';
import type { InternModel } from '../interns/internModel.ts';
import type { Log } from '../log/log.ts';
import { ThemeColours } from '../theme/themeColours.ts';
import { ChatPanel } from './chatPanel.ts';
import type { Conversations, OpenConversation } from './conversations.ts';
import { DeadTabs } from './deadTabs.ts';
import type { Drafts } from './drafts.ts';
import { OpenTabs, type KeptTab } from './openTabs.ts';
import { pageRoot } from './page.ts';

/** View type of the panels (contract). */
export const chatViewType = 'interns.chat';

/** What a page keeps so that its tab can be restored. */
const keepSchema = v.object({
  account: v.string(),
  intern: v.string(),
  conversation: v.string(),
});

export interface ChatPanelsOptions {
  readonly extension: vscode.Uri;
  readonly accounts: Accounts;
  readonly interns: InternModel;
  readonly conversations: Conversations;
  readonly drafts: Drafts;
  /** What is attached to the prompt being written in a conversation. */
  readonly contextFor: (conversation: string) => PromptContext;
  readonly editor: ReplyActions;
  readonly memento: vscode.Memento;
  readonly log: Log;
  readonly clock: Clock;
  /** Undefined where the page is hidden or closed. */
  readonly presence: (conversation: string, presence: ChatPresence | undefined) => void;
  readonly typed: (conversation: string) => void;
}

/** The chat tabs of this window: at most one a conversation. */
export class ChatPanels implements Disposable, vscode.WebviewPanelSerializer {
  readonly #options: ChatPanelsOptions;
  readonly #store = new DisposableStore();
  readonly #panels = new Map<string, ChatPanel>();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #tabs: OpenTabs;
  readonly #colours: ThemeColours;
  /** Panels that VS Code handed over, until their conversations are read. */
  readonly #arriving = new Set<vscode.WebviewPanel>();
  #last: ChatPanel | undefined;

  /** A tab was opened or closed, or another one is active. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ChatPanelsOptions) {
    const { accounts, interns, conversations } = options;
    this.#options = options;
    this.#tabs = new OpenTabs(options.memento);
    this.#colours = this.#store.add(new ThemeColours(options.log));
    this.#store.add(vscode.window.registerWebviewPanelSerializer(chatViewType, this));
    this.#store.add(
      new DeadTabs({
        clock: options.clock,
        viewType: chatViewType,
        panels: () => [...this.#arriving, ...[...this.#panels.values()].map(({ panel }) => panel)],
        reopen: (dead) => void this.#reopen(dead),
      }),
    );
    this.#store.add(accounts.onDidChange(() => this.#refresh()));
    this.#store.add(interns.onDidChange(() => this.#refresh()));
    this.#store.add(conversations.onDidChange(() => this.#refresh()));
    this.#store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#refresh()));
  }

  /** The tab that is active, or was last. */
  get active(): ChatPanel | undefined {
    return [...this.#panels.values()].find(({ panel }) => panel.active) ?? this.#last;
  }

  get(conversation: string): ChatPanel | undefined {
    return this.#panels.get(conversation);
  }

  /** Opens a conversation in a tab, or shows the tab that it has. @returns undefined where there is no such record. */
  async show(account: Account, conversation: string): Promise<ChatPanel | undefined> {
    const known = this.#panels.get(conversation);
    if (known !== undefined) {
      known.reveal();
      return known;
    }
    const open = await this.#options.conversations.get(account, conversation);
    return open && this.#openTab(open);
  }

  /** As {@link show}, for a conversation whose account is not known. */
  async showOfAnyAccount(conversation: string): Promise<ChatPanel | undefined> {
    const known = this.#panels.get(conversation);
    const accounts = known === undefined ? this.#options.accounts.all : [known.open.account];
    for (const account of accounts) {
      const panel = await this.show(account, conversation);
      if (panel !== undefined) return panel;
    }
    return undefined;
  }

  /** Opens a new conversation with an intern. */
  start(account: Account, intern: string): ChatPanel {
    return this.#openTab(this.#options.conversations.create(account, intern));
  }

  /** Closes a conversation's tab, if it has one. */
  close(conversation: string): void {
    this.#panels.get(conversation)?.panel.dispose();
  }

  /** Fills a tab that VS Code restored. VS Code 1.100 loses a page's state where its tab moves to another window. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = v.safeParse(keepSchema, state);
    this.#arriving.add(panel);
    try {
      const open = await this.#find(kept.success ? kept.output : this.#tabs.take(panel.title));
      if (open === undefined || this.#panels.has(open.conversation.id)) {
        panel.dispose();
        return;
      }
      panel.webview.options = this.#webviewOptions();
      this.#adopt(panel, open);
    } finally {
      this.#arriving.delete(panel);
    }
  }

  /** Closes tabs whose extension host died, and opens their conversations where they stood. */
  async #reopen(dead: readonly vscode.Tab[]): Promise<void> {
    for (const tab of dead) {
      const { viewColumn } = tab.group;
      const kept = this.#tabs.take(tab.label);
      const open = await this.#find(kept);
      // A tab is not closed before it is known what stood in it, nor one whose page came late after all.
      if (kept === undefined || open === undefined || this.#panels.has(kept.conversation)) continue;
      if (this.#arriving.size > 0) {
        this.#tabs.giveBack(kept);
        continue;
      }
      await vscode.window.tabGroups.close(tab);
      this.#openTab(open, viewColumn);
    }
    this.#options.log.info('The extension host is new: chats of the last one are opened again');
  }

  /** Of a conversation in which nothing was said there is no record: it begins again, with the draft that it had. */
  async #find(kept: Omit<KeptTab, 'title'> | undefined): Promise<OpenConversation | undefined> {
    const { accounts, conversations } = this.#options;
    await accounts.whenLoaded;
    const account = kept && accounts.get(kept.account);
    if (kept === undefined || account === undefined) return undefined;
    const { intern, conversation } = kept;
    return (
      (await conversations.get(account, conversation)) ??
      conversations.create(account, intern, conversation)
    );
  }

  dispose(): void {
    this.#store.dispose();
    for (const panel of this.#panels.values()) panel.dispose();
  }

  #openTab(open: OpenConversation, column = vscode.ViewColumn.Active): ChatPanel {
    const raced = this.#panels.get(open.conversation.id);
    if (raced !== undefined) return raced;
    const panel = vscode.window.createWebviewPanel(
      chatViewType,
      '',
      column,
      this.#webviewOptions(),
    );
    const chat = this.#adopt(panel, open);
    chat.say('focusComposer', {});
    return chat;
  }

  #webviewOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [pageRoot(this.#options.extension)] };
  }

  #adopt(panel: vscode.WebviewPanel, open: OpenConversation): ChatPanel {
    const { extension, accounts, interns, drafts, contextFor, editor, log, clock } = this.#options;
    const { account, conversation } = open;
    const { id } = conversation;
    const chat = new ChatPanel({
      panel,
      open,
      extension,
      drafts,
      editor,
      log,
      clock,
      colours: this.#colours,
      context: contextFor(id),
      internName: () => interns.name(conversation.transcript.intern, account),
      accountState: () => accounts.get(account.id)?.state ?? 'signed-out',
      presence: (presence) => this.#options.presence(id, presence),
      typed: () => this.#options.typed(id),
      act: (action, target) => this.#act(chat, action, target),
    });
    this.#panels.set(id, chat);
    this.#last = chat;
    this.#store.add(panel.onDidChangeViewState(() => this.#activated(chat)));
    this.#store.add(conversation.onDidChange(({ state }) => state && this.#keepTabs()));
    this.#store.add(chat.onDidDispose(() => this.#closed(chat)));
    this.#keepTabs();
    this.#changed.fire();
    return chat;
  }

  #activated(chat: ChatPanel): void {
    if (chat.panel.active) this.#last = chat;
    this.#changed.fire();
  }

  #closed(chat: ChatPanel): void {
    this.#panels.delete(chat.open.conversation.id);
    this.#options.presence(chat.open.conversation.id, undefined);
    if (this.#last === chat) this.#last = undefined;
    this.#keepTabs();
    this.#changed.fire();
  }

  #act(chat: ChatPanel, action: ActionId, target: string | undefined): void {
    const { intern } = chat.open.conversation.transcript;
    const conversation = chat.open.conversation.id;
    switch (action) {
      case 'answer':
        void vscode.commands.executeCommand('interns.answer', {
          intern,
          conversation,
          question: target,
        });
        return;
      case 'newConversation':
        void vscode.commands.executeCommand('interns.newConversation', { intern });
        return;
      case 'chooseIntern':
        void vscode.commands.executeCommand('interns.openChat');
        return;
      case 'openLog':
        void vscode.commands.executeCommand('interns.showLog');
        return;
      case 'signIn':
        void vscode.commands.executeCommand('interns.signIn', { account: chat.open.account.id });
        return;
      default:
        return;
    }
  }

  #refresh(): void {
    for (const panel of this.#panels.values()) panel.refresh();
  }

  #keepTabs(): void {
    this.#tabs.keep(
      [...this.#panels.values()].map(({ panel, open }) => ({
        account: open.account.id,
        intern: open.conversation.transcript.intern,
        conversation: open.conversation.id,
        title: panel.title,
      })),
    );
  }
}
