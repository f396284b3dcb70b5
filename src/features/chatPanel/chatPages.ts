import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { ChatPresence } from '../../conversation/questions/types.ts';
import type { ActionId } from '../../protocol/view.ts';
import type { Account, Accounts } from '../accounts/account.ts';
import type { PromptContext } from '../context/promptContext.ts';
import type { PromptFiles } from '../context/promptFiles.ts';
import type { ReplyActions } from '../editor/editorActions.ts';
import type { InternModel } from '../interns/internModel.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Settings } from '../../platform/settings.ts';
import { UnreadableFileError } from '../../platform/storage/unreadable.ts';
import { ThemeColours } from '../../platform/theme/themeColours.ts';
import type { ContextKeys } from '../../platform/contextKeys.ts';
import type { EarlierPrompts } from '../conversations/earlierPrompts.ts';
import type { Conversations, OpenConversation } from '../conversations/conversations.ts';
import { recordPath } from '../conversations/conversationRecord.ts';
import { unarchived } from '../conversations/heads.ts';
import { ChatFocus } from './places/chatFocus.ts';
import { ChatPanel } from './chatPanel.ts';
import { ChatTabs } from './places/chatTabs.ts';
import type { ChatTexts } from './chatTexts.ts';
import { ChatView } from './places/chatView.ts';
import type { Drafts } from './prompts/drafts.ts';
import { FocusLoan, type FocusLoanOptions } from './places/focusLoan.ts';
import { reasonOf, type FoundChat } from './places/foundChat.ts';
import { keptOf, type KeptChat } from './places/openTabs.ts';
import type { PagePlace } from './places/pagePlace.ts';

export interface ChatPagesOptions {
  readonly extension: vscode.Uri;
  readonly accounts: Accounts;
  readonly interns: InternModel;
  readonly conversations: Conversations;
  readonly drafts: Drafts;
  /** What is attached to the prompt being written in a conversation. */
  readonly contextFor: (conversation: string) => PromptContext;
  readonly promptFiles: PromptFiles;
  readonly earlierPrompts: EarlierPrompts;
  readonly editor: ReplyActions;
  readonly texts: ChatTexts;
  readonly memento: vscode.Memento;
  readonly contextKeys: ContextKeys;
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: Clock;
  /** The dialogs of this extension. */
  readonly dialogs: FocusLoanOptions['dialogs'];
  /** Undefined where the page is hidden or closed. */
  readonly presence: (conversation: string, presence: ChatPresence | undefined) => void;
  readonly typed: (conversation: string) => void;
}

/** The pages of this window's chats, in tabs and in the side bar: at most one a conversation. */
export class ChatPages extends DisposableBase {
  readonly view: ChatView;
  readonly #options: ChatPagesOptions;
  readonly #pages = new Map<string, ChatPanel>();
  readonly #changed = this.own(new Emitter<void>());
  /** Those that have made room for another: their conversations may be opened anew meanwhile. */
  readonly #leaving = new Set<ChatPanel>();
  readonly #tabs: ChatTabs;
  readonly #focus: ChatFocus;
  readonly #loan: FocusLoan;
  readonly #colours: ThemeColours;
  /** Where the user was last. */
  #last: ChatPanel | undefined;
  /** Conversations in the order in which they were used, the last one first. */
  #used: readonly KeptChat[] = [];

  /** A page came or went, or the user is at another one. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ChatPagesOptions) {
    super();
    const { accounts, interns, conversations } = options;
    this.#options = options;
    this.#focus = new ChatFocus(options.contextKeys);
    this.#loan = this.own(new FocusLoan({ ...options, giveBack: () => this.#giveFocusBack() }));
    const { window, TextEditorSelectionChangeKind: Kind } = vscode;
    this.own(window.onDidChangeActiveTextEditor(() => this.#loan.end()));
    this.own(
      window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind === Kind.Keyboard || kind === Kind.Mouse) this.#loan.end();
      }),
    );
    this.#colours = this.own(new ThemeColours(options.log));
    const adopt = (place: PagePlace, open: OpenConversation) => this.#adopt(place, open);
    const find = (chat: KeptChat | undefined) => this.#find(chat);
    this.#tabs = this.own(
      new ChatTabs({
        ...options,
        adopt,
        find,
        has: (conversation) => this.#pages.has(conversation),
        entered: (page) => this.#enter(page),
      }),
    );
    this.view = this.own(
      new ChatView({
        ...options,
        adopt,
        leaves: (page) => {
          this.#pages.delete(page.open.conversation.id);
          this.#leaving.add(page);
        },
        find: async (chat) => (this.#isInTab(chat.conversation) ? undefined : find(chat)),
        latest: () => this.#latest(),
        has: (conversation) => this.#pages.has(conversation),
        isSignedIn: () => accounts.active !== undefined,
        changed: () => this.#placeChanged(),
      }),
    );
    this.#placeChanged();
    this.own(accounts.onDidChange(() => this.#refresh()));
    this.own(interns.onDidChange(() => this.#refresh()));
    this.own(conversations.onDidChange(() => this.#refresh()));
    this.own(
      conversations.onDidDeleteElsewhere(({ conversation }) => {
        this.#used = this.#usedBut(conversation.id);
        this.view.forget((chat) => chat.conversation === conversation.id);
      }),
    );
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#refresh()));
  }

  /** The page that commands mean: the active tab's or the side bar's; of these two the one that was used last. */
  get current(): ChatPanel | undefined {
    const active = [...this.#pages.values()].filter(({ place }) => place.active);
    return active.find((page) => page === this.#last) ?? active[0];
  }

  /** The current page, or the one that was that last. */
  get active(): ChatPanel | undefined {
    return this.current ?? this.#last;
  }

  get(conversation: string): ChatPanel | undefined {
    return this.#pages.get(conversation);
  }

  /** Opens a conversation, or shows the page that it has. @returns undefined where there is no such record. */
  async show(account: Account, conversation: string): Promise<ChatPanel | undefined> {
    const known = this.#pages.get(conversation);
    if (known !== undefined) {
      known.reveal();
      return known;
    }
    const open = await this.#options.conversations.open(account, conversation);
    return open && this.#open(open);
  }

  /** As {@link show}, for a conversation whose account is not known. */
  async showOfAnyAccount(conversation: string): Promise<ChatPanel | undefined> {
    const known = this.#pages.get(conversation);
    const accounts = known === undefined ? this.#options.accounts.all : [known.open.account];
    for (const account of accounts) {
      const panel = await this.show(account, conversation);
      if (panel !== undefined) return panel;
    }
    return undefined;
  }

  /** Opens a new conversation with an intern where its user is, or in a column of editors. */
  start(account: Account, intern: string, column?: vscode.ViewColumn): ChatPanel {
    return this.#open(this.#options.conversations.create(account, intern), column);
  }

  /** Moves a conversation into the side bar, from its tab if it has one. */
  async moveToSideBar(open: OpenConversation): Promise<void> {
    const page = this.#pages.get(open.conversation.id);
    if (page !== undefined && page === this.view.page) {
      page.reveal();
      return;
    }
    await page?.leave();
    if (this.#pages.get(open.conversation.id) !== page) return;
    page?.place.dispose();
    const moved = await this.view.bring(open);
    if (moved !== undefined) this.#enter(moved);
  }

  /** Moves the conversation of the side bar into a tab. */
  async moveToEditor(): Promise<void> {
    const { page } = this.view;
    if (page === undefined) return;
    await page.leave();
    if (page !== this.view.page) return;
    page.place.dispose();
    this.#enter(this.#tabs.open(page.open));
  }

  /**
   * Gives the focus back to what had it in a conversation's page, where its tab is the active one. The user of a view may
   * be at work in an editor beside it.
   */
  returnFocus(conversation: string): void {
    const page = this.#pages.get(conversation);
    if (page !== undefined && page === this.current && page !== this.view.page)
      page.postToPage('returnFocus', {});
  }

  /** Closes a conversation's page, if it has one, for good. */
  close(conversation: string): void {
    this.#used = this.#usedBut(conversation);
    this.#dispose(({ open }) => open.conversation.id === conversation);
    this.view.forget((chat) => chat.conversation === conversation);
  }

  /** Closes the pages of an account's conversations. */
  closeAll(account: Account): void {
    this.#used = this.#used.filter((chat) => chat.account !== account.id);
    this.#dispose(({ open }) => open.account.id === account.id);
    this.view.forget((chat) => chat.account === account.id);
  }

  override dispose(): void {
    super.dispose();
    this.#dispose(() => true);
  }

  #dispose(isMeant: (page: ChatPanel) => boolean): void {
    const pages = [...this.#leaving, ...this.#pages.values()];
    for (const page of pages.filter(isMeant)) page.place.dispose();
  }

  /** Opens a conversation where its user is: in the side bar, where that is the current chat and follows, else in a tab. */
  #open(open: OpenConversation, column?: vscode.ViewColumn): ChatPanel {
    const raced = this.#pages.get(open.conversation.id);
    if (raced !== undefined) return raced;
    const { current } = this;
    const { page, isVisible, isPinned } = this.view;
    const inView = column === undefined && isVisible && !isPinned && current === page;
    const opened = inView ? this.view.put(open) : this.#tabs.open(open, column);
    this.#enter(opened);
    if (inView) opened.reveal();
    return opened;
  }

  #adopt(place: PagePlace, open: OpenConversation): ChatPanel {
    const { accounts, interns, contextFor, earlierPrompts } = this.#options;
    const { account, conversation } = open;
    const { id } = conversation;
    const chat = new ChatPanel({
      ...this.#options,
      place,
      open,
      colours: this.#colours,
      earlierPrompts: () => earlierPrompts.before(open),
      context: contextFor(id),
      internName: () => interns.name(conversation.transcript.intern, account),
      accountState: () => accounts.get(account.id)?.state ?? 'signed-out',
      presence: (presence) => this.#present(chat, presence),
      typed: () => this.#options.typed(id),
      act: (action, target) => this.#act(chat, action, target),
    });
    this.#pages.set(id, chat);
    this.#last ??= chat;
    this.#use(chat);
    place.onDidChange(() => this.#placeChanged());
    chat.onDidDispose(() => this.#closed(chat));
    this.#placeChanged();
    return chat;
  }

  /** The user is at a page. */
  #enter(page: ChatPanel): void {
    if (this.#last === page) return;
    this.#last = page;
    this.#use(page);
    this.#placeChanged();
  }

  #use({ open }: ChatPanel): void {
    this.#used = [keptOf(open), ...this.#usedBut(open.conversation.id)];
  }

  #usedBut(id: string): readonly KeptChat[] {
    return this.#used.filter(({ conversation }) => conversation !== id);
  }

  #placeChanged(): void {
    const { current } = this;
    const inView = current !== undefined && current === this.view.page;
    this.#options.contextKeys.set('interns.chatViewActive', inView);
    this.#focus.update();
    this.#changed.fire();
  }

  #present(chat: ChatPanel, presence: ChatPresence | undefined): void {
    if (presence?.focused === true) this.#enter(chat);
    this.#focus.set(chat.place, presence?.focused === true);
    if (chat === this.view.page) this.#loan.set(presence?.focused === true);
    this.#options.presence(chat.open.conversation.id, presence);
  }

  #giveFocusBack(): void {
    const { page } = this.view;
    if (page === undefined || page !== this.current) return;
    page.place.reveal();
    page.postToPage('returnFocus', {});
  }

  #closed(chat: ChatPanel): void {
    const { id } = chat.open.conversation;
    this.#leaving.delete(chat);
    if (this.#pages.get(id) === chat) this.#pages.delete(id);
    this.#present(chat, undefined);
    if (this.#last === chat) this.#last = undefined;
    this.#placeChanged();
  }

  #refresh(): void {
    for (const panel of this.#pages.values()) panel.refresh();
    this.view.refresh();
  }

  /** Of a conversation in which nothing was said there is no record: it begins again, with the draft that it had. */
  async #find(kept: KeptChat | undefined): Promise<FoundChat | undefined> {
    const { accounts, conversations } = this.#options;
    await accounts.whenLoaded;
    const account = kept && accounts.get(kept.account);
    if (kept === undefined || account === undefined) return undefined;
    const { intern, conversation, record } = kept;
    try {
      const open = await conversations.open(account, conversation);
      if (open !== undefined) return { open };
    } catch (failure) {
      if (failure instanceof UnreadableFileError) return { gone: 'unreadable' };
      throw failure;
    }
    if (record === undefined) return { open: conversations.create(account, intern, conversation) };
    return { gone: await reasonOf(recordPath(account, conversation), record) };
  }

  /** The conversation that was used last in this window, else the account's latest; of those that stand in no tab. */
  async #latest(): Promise<OpenConversation | undefined> {
    const { accounts, conversations } = this.#options;
    await accounts.whenLoaded;
    const { active: account } = accounts;
    const heads = account === undefined ? [] : await conversations.list(account);
    const recorded = unarchived(heads).map(({ id, intern }) => ({
      account: account?.id ?? '',
      intern,
      conversation: id,
    }));
    const chats = [...this.#used, ...recorded];
    const found = await this.#find(chats.find(({ conversation }) => !this.#isInTab(conversation)));
    return found !== undefined && 'open' in found ? found.open : undefined;
  }

  #isInTab(conversation: string): boolean {
    const page = this.#pages.get(conversation);
    return page === undefined ? this.#tabs.isLeft(conversation) : page !== this.view.page;
  }

  /** Carries out an action of a page's that is a command's. */
  #act({ open }: ChatPanel, action: ActionId, question: string | undefined): void {
    const { intern } = open.conversation.transcript;
    const conversation = open.conversation.id;
    const run = vscode.commands.executeCommand;
    switch (action) {
      case 'answer':
        void run('interns.answer', { intern, conversation, question });
        return;
      case 'newConversation':
        // In the account that the page belongs to, whichever is active.
        this.start(open.account, intern);
        return;
      case 'limitCost':
        void run('interns.limitCost');
        return;
      case 'chooseIntern':
        void run('interns.openChat');
        return;
      case 'openLog':
        void run('interns.showLog');
        return;
      case 'signIn':
        void run('interns.signIn', { account: open.account.id });
        return;
      default:
        return;
    }
  }
}
