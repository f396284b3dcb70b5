import * as vscode from 'vscode';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import type { ChatPresence } from '../../conversation/questions/autoOpen.ts';
import type { PagePresence } from '../../conversation/questions/types.ts';
import { ThemeColors } from '../../platform/theme/themeColors.ts';
import type { Account } from '../accounts/account.ts';
import type { PromptContext } from '../context/promptContext.ts';
import type { Conversations, OpenConversation } from '../conversations/conversations.ts';
import type { EarlierPrompts } from '../conversations/earlierPrompts.ts';
import type { InternServices } from '../interns/internModel.ts';
import { ChatPage, type ChatPageServices } from './chatPage.ts';
import { ChatFocus, FocusRestorer, type FocusRestorerOptions } from './surfaces/focus.ts';
import { RecentChats, savedChatOf, type SavedChat } from './surfaces/savedChats.ts';
import { ChatSideBar } from './surfaces/sideBar.ts';
import type { Surface } from './surfaces/surface.ts';
import { ChatTabs, type PageOwner } from './surfaces/tabs.ts';

export interface ChatPagesOptions
  extends ChatPageServices, Pick<InternServices, 'accounts' | 'contextKeys' | 'interns'> {
  readonly conversations: Conversations;
  /** Returns what is attached to the prompt being written in a conversation. */
  readonly contextFor: (conversation: string) => PromptContext;
  readonly earlierPrompts: EarlierPrompts;
  readonly memento: vscode.Memento;
  /** The dialogs of this extension. */
  readonly dialogs: FocusRestorerOptions['dialogs'];
  /** Tracks which chat the user is in and what they do there. */
  readonly chatPresence: Pick<ChatPresence, 'update' | 'recordTyping'>;
}

/** The pages of this window, at most one per conversation. Decides where one opens, and which is current. */
export class ChatPages extends DisposableBase implements PageOwner {
  readonly sideBar: ChatSideBar;
  readonly #options: ChatPagesOptions;
  readonly #pages = new Map<string, ChatPage>();
  readonly #changed = this.own(new Emitter<void>());
  readonly #visibilityChanged = this.own(new Emitter<void>());
  /** Replaced pages that are sending their last messages. Their conversations may have new pages already. */
  readonly #leaving = new Set<ChatPage>();
  readonly #tabs: ChatTabs;
  readonly #recent: RecentChats;
  readonly #focus: ChatFocus;
  readonly #focusRestorer: FocusRestorer;
  readonly #colors: ThemeColors;
  /** The page that was used last. */
  #lastPage: ChatPage | undefined;

  /** Fires when pages open or close, or another one becomes current. */
  readonly onDidChange = this.#changed.event;
  /** Fires when the end of a conversation may have come into sight or left it. */
  readonly onDidChangeVisibility = this.#visibilityChanged.event;

  constructor(options: ChatPagesOptions) {
    super();
    const { accounts, interns, conversations } = options;
    this.#options = options;
    this.#recent = new RecentChats(options);
    this.#focus = new ChatFocus(options.contextKeys);
    this.#focusRestorer = this.own(
      new FocusRestorer({ ...options, restoreFocus: () => this.#restoreFocus() }),
    );
    this.#colors = this.own(new ThemeColors(options.log));
    const surfaceOptions = { ...options, pages: this, recent: this.#recent };
    this.#tabs = this.own(new ChatTabs(surfaceOptions));
    this.sideBar = this.own(new ChatSideBar(surfaceOptions));
    this.handleSurfaceChange();
    this.own(accounts.onDidChange(() => this.#refresh()));
    this.own(interns.onDidChange(() => this.#refresh()));
    this.own(conversations.onDidChange(() => this.#refresh()));
    this.own(
      conversations.onDidChangeDeletion(
        ({ conversation: { id }, isDeleted }) =>
          isDeleted && this.#forget((chat) => chat.conversation === id),
      ),
    );
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#refresh()));
  }

  /** The page of the active tab or visible side bar, whichever was used last. Commands for conversations use it. */
  get activePage(): ChatPage | undefined {
    const active = [...this.#pages.values()].filter(({ surface }) => surface.active);
    return active.find((page) => page === this.#lastPage) ?? active[0];
  }

  /** The active page, or the one used last. Commands that move or read in a chat use it. */
  get lastUsedPage(): ChatPage | undefined {
    return this.activePage ?? this.#lastPage;
  }

  get all(): Iterable<ChatPage> {
    return this.#pages.values();
  }

  get(conversation: string): ChatPage | undefined {
    return this.#pages.get(conversation);
  }

  /**
   * Opens a conversation, in an editor column if one is given, or brings its page to the front.
   *
   * @returns undefined if there is no such record
   */
  async show(
    account: Account,
    conversation: string,
    column?: vscode.ViewColumn,
  ): Promise<ChatPage | undefined> {
    const known = this.#pages.get(conversation);
    if (known !== undefined) {
      known.reveal();
      return known;
    }
    const open = await this.#options.conversations.open(account, conversation);
    return open && this.#open(open, column);
  }

  /** Like {@link show}, but looks for the conversation in all accounts. */
  async showFromAnyAccount(conversation: string): Promise<ChatPage | undefined> {
    const known = this.#pages.get(conversation);
    const accounts = known === undefined ? this.#options.accounts.all : [known.open.account];
    for (const account of accounts) {
      const page = await this.show(account, conversation);
      if (page !== undefined) return page;
    }
    return undefined;
  }

  /** Opens a new conversation where the user is, or in an editor column. */
  start(account: Account, intern: string, column?: vscode.ViewColumn): ChatPage {
    return this.#open(this.#options.conversations.create(account, intern), column);
  }

  /** Moves a conversation, open or not, into the side bar. @returns undefined if another one was shown meanwhile */
  async moveToSideBar(open: OpenConversation): Promise<ChatPage | undefined> {
    const page = this.#pages.get(open.conversation.id);
    if (page !== undefined && page === this.sideBar.page) {
      page.reveal();
      return page;
    }
    await page?.leave();
    if (this.#pages.get(open.conversation.id) !== page) return undefined;
    page?.surface.dispose();
    const moved = await this.sideBar.show(open);
    if (moved !== undefined) this.markUsed(moved);
    return moved;
  }

  /** Moves the side bar's conversation into a tab. */
  async moveToEditor(): Promise<void> {
    const { page } = this.sideBar;
    if (page === undefined) return;
    await page.leave();
    if (page !== this.sideBar.page) return;
    page.surface.dispose();
    this.markUsed(this.#tabs.open(page.open));
  }

  /** Returns the focus to a conversation's page if its tab is active. In the side bar, the user may work in an editor. */
  returnFocus(conversation: string): void {
    const page = this.#pages.get(conversation);
    if (page !== undefined && page === this.activePage && page !== this.sideBar.page)
      page.postToPage('returnFocus', {});
  }

  close(conversation: string): void {
    this.#close((chat) => chat.conversation === conversation);
  }

  /** Closes the pages of an account's conversations. */
  closeAll(account: Account): void {
    this.#close((chat) => chat.account === account.id);
  }

  override dispose(): void {
    super.dispose();
    this.#dispose(() => true);
  }

  adopt(surface: Surface, open: OpenConversation): ChatPage {
    const { accounts, interns, conversations, contextFor, earlierPrompts, chatPresence } =
      this.#options;
    const { account, conversation } = open;
    const { id } = conversation;
    const page = new ChatPage({
      ...this.#options,
      surface,
      open,
      colors: this.#colors,
      earlierPrompts: () => earlierPrompts.before(open),
      context: contextFor(id),
      costToday: () => conversations.costs.readToday(account),
      internName: () => interns.name(conversation.transcript.intern, account),
      accountState: () => accounts.get(account.id)?.state ?? 'signed-out',
      presence: (presence) => this.#updatePresence(page, presence),
      typed: () => chatPresence.recordTyping(id),
      visibilityChanged: () => this.#visibilityChanged.fire(),
      startNewConversation: () => this.start(account, conversation.transcript.intern),
    });
    this.#pages.set(id, page);
    this.#lastPage ??= page;
    this.#recent.markUsed(open);
    surface.onDidChange(() => this.handleSurfaceChange());
    page.onDidDispose(() => this.#handleClosed(page));
    this.handleSurfaceChange();
    return page;
  }

  markUsed(page: ChatPage): void {
    if (this.#lastPage === page) return;
    this.#lastPage = page;
    this.#recent.markUsed(page.open);
    this.handleSurfaceChange();
  }

  retire(page: ChatPage): void {
    this.#pages.delete(page.open.conversation.id);
    this.#leaving.add(page);
  }

  isInTab(conversation: string): boolean {
    const page = this.#pages.get(conversation);
    return page === undefined ? this.#tabs.isUnrestored(conversation) : page !== this.sideBar.page;
  }

  handleSurfaceChange(): void {
    const { activePage } = this;
    const inSideBar = activePage !== undefined && activePage === this.sideBar.page;
    this.#options.contextKeys.set('interns.chatViewActive', inSideBar);
    this.#focus.update();
    this.#changed.fire();
  }

  /** Opens a conversation in the side bar if its page is active and it is not locked, otherwise in a tab. */
  #open(open: OpenConversation, column?: vscode.ViewColumn): ChatPage {
    const raced = this.#pages.get(open.conversation.id);
    if (raced !== undefined) return raced;
    const { page, isVisible, isLocked } = this.sideBar;
    const inSideBar = column === undefined && isVisible && !isLocked && this.activePage === page;
    const opened = inSideBar ? this.sideBar.setConversation(open) : this.#tabs.open(open, column);
    this.markUsed(opened);
    if (inSideBar) opened.reveal();
    return opened;
  }

  #close(isMeant: (chat: SavedChat) => boolean): void {
    this.#dispose(({ open }) => isMeant(savedChatOf(open)));
    this.#forget(isMeant);
  }

  #forget(isMeant: (chat: SavedChat) => boolean): void {
    this.#recent.forget(isMeant);
    this.sideBar.forget(isMeant);
  }

  #dispose(isMeant: (page: ChatPage) => boolean): void {
    const pages = [...this.#leaving, ...this.#pages.values()];
    for (const page of pages.filter(isMeant)) page.surface.dispose();
  }

  #updatePresence(page: ChatPage, presence: PagePresence | undefined): void {
    const focused = presence?.focused === true;
    if (focused) this.markUsed(page);
    this.#focus.set(page.surface, focused);
    if (page === this.sideBar.page) this.#focusRestorer.set(focused);
    this.#options.chatPresence.update(page.open.conversation.id, presence);
  }

  #restoreFocus(): void {
    const { page } = this.sideBar;
    if (page === undefined || page !== this.activePage) return;
    page.surface.reveal();
    page.postToPage('returnFocus', {});
  }

  #handleClosed(page: ChatPage): void {
    const { id } = page.open.conversation;
    this.#leaving.delete(page);
    if (this.#pages.get(id) === page) this.#pages.delete(id);
    this.#updatePresence(page, undefined);
    if (this.#lastPage === page) this.#lastPage = undefined;
    this.handleSurfaceChange();
  }

  #refresh(): void {
    for (const page of this.#pages.values()) page.refresh();
    this.sideBar.refresh();
  }
}
