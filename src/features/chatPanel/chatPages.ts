import * as vscode from 'vscode';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import { onDidOpenModal } from '../../platform/dialogs/confirm.ts';
import type { PagePresence } from '../../conversation/questions/types.ts';
import { ThemeColors } from '../../platform/theme/themeColors.ts';
import type { Account } from '../accounts/account.ts';
import type { OpenConversation } from '../conversations/conversations.ts';
import { withoutArchived } from '../conversations/heads.ts';
import { ChatPage, type PageOwner } from './chatPage.ts';
import type { ChatServices } from './chatServices.ts';
import { type FoundChat, openSaved, savedChatOf, type SavedChat } from './surfaces/savedChats.ts';
import { ChatSideBar } from './surfaces/sideBar.ts';
import type { Surface } from './surfaces/surface.ts';
import { ChatTabs } from './surfaces/tabs.ts';

/** The pages of this window, at most one per conversation. Decides where one opens, and which is current. */
export class ChatPages extends DisposableBase implements PageOwner {
  readonly sideBar: ChatSideBar;
  readonly #services: ChatServices;
  readonly #pages = new Map<string, ChatPage>();
  readonly #changed = this.own(new Emitter<void>());
  /** Replaced pages that are sending their last messages. Their conversations may have new pages already. */
  readonly #leaving = new Set<ChatPage>();
  readonly #tabs: ChatTabs;
  readonly #colors: ThemeColors;
  #lastPage: ChatPage | undefined;
  /** The chats that were used in this window, the last used first. */
  #used: readonly SavedChat[] = [];
  /** The page that reported the keyboard focus. */
  #focused: ChatPage | undefined;

  /** Fires when pages open or close, another one becomes current, or {@link ChatPage.isEndVisible} may have changed. */
  readonly onDidChange = this.#changed.event;

  constructor(services: ChatServices) {
    super();
    const { accounts, interns, conversations } = services;
    this.#services = services;
    // This runs after the tabs and the side bar are disposed, so that they don't forget what they showed.
    this.own({ dispose: () => this.#dispose(() => true) });
    this.#colors = this.own(new ThemeColors(services.log));
    const options = { ...services, pages: this };
    this.#tabs = this.own(new ChatTabs(options));
    this.sideBar = this.own(new ChatSideBar(options));
    // An extension host that died may have left context keys set.
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
    this.own(onDidOpenModal((closed) => void this.#returnFocusAfter(closed)));
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
      this.markUsed(known);
      known.reveal();
      return known;
    }
    const open = await this.#services.conversations.open(account, conversation);
    return open && this.#open(open, column);
  }

  /** Like {@link show}, but looks for the conversation in all accounts. */
  async showFromAnyAccount(conversation: string): Promise<ChatPage | undefined> {
    const known = this.#pages.get(conversation);
    const accounts = known === undefined ? this.#services.accounts.all : [known.open.account];
    for (const account of accounts) {
      const page = await this.show(account, conversation);
      if (page !== undefined) return page;
    }
    return undefined;
  }

  /** Opens a new conversation where the user is, or in an editor column. */
  start(account: Account, intern: string, column?: vscode.ViewColumn): ChatPage {
    return this.#open(this.#services.conversations.create(account, intern), column);
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

  /**
   * Returns the focus to a conversation's page after an answer, if its tab is active. The side bar decides by itself,
   * because its user may work in an editor.
   */
  returnFocus(conversation: string): void {
    const page = this.#pages.get(conversation);
    if (page === undefined || page !== this.activePage) return;
    if (page === this.sideBar.page) this.sideBar.handleAnswered();
    else page.postToPage('returnFocus', { wasAnswered: true });
  }

  close(conversation: string): void {
    this.#close((chat) => chat.conversation === conversation);
  }

  /** Closes the pages of an account's conversations. */
  closeAll(account: Account): void {
    this.#close((chat) => chat.account === account.id);
  }

  adopt(surface: Surface, open: OpenConversation): ChatPage {
    const colors = this.#colors;
    const page = new ChatPage({ ...this.#services, surface, open, pages: this, colors });
    this.#pages.set(open.conversation.id, page);
    this.#lastPage ??= page;
    this.#recordUse(open);
    surface.onDidChange(() => this.handleSurfaceChange());
    surface.onDidDispose(() => this.#handleClosed(page));
    this.handleSurfaceChange();
    return page;
  }

  markUsed(page: ChatPage): void {
    if (this.#lastPage === page) return;
    this.#lastPage = page;
    this.#recordUse(page.open);
    this.handleSurfaceChange();
  }

  async openLatest(): Promise<FoundChat | undefined> {
    const { accounts, conversations } = this.#services;
    await accounts.whenLoaded;
    const { active: account } = accounts;
    const heads = account === undefined ? [] : withoutArchived(await conversations.list(account));
    const chats: readonly SavedChat[] = [
      ...this.#used,
      // Without `record`, a conversation whose record is gone would be started again.
      ...heads.map(({ id, intern }) => ({
        account: account?.id ?? '',
        intern,
        conversation: id,
        record: '',
      })),
    ];
    for (const chat of chats) {
      if (this.isInTab(chat.conversation)) continue;
      const found = await openSaved(this.#services, chat);
      if (found !== undefined && 'open' in found) return found;
    }
    return undefined;
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
    const { contextKeys } = this.#services;
    contextKeys.set('interns.chatViewActive', inSideBar);
    // The page of a surface that is not active may have died, or report late that it lost the focus.
    contextKeys.set('interns.chatFocused', this.#focused?.surface.active === true);
    this.#changed.fire();
  }

  updatePresence(page: ChatPage, presence: PagePresence | undefined): void {
    const focused = presence?.focused === true;
    if (focused) {
      if (page === this.sideBar.page || !this.sideBar.isReturningFocus) this.markUsed(page);
      if (this.#focused !== page) this.#services.dialogs.handlePageFocus();
      this.#focused = page;
    } else if (this.#focused === page) this.#focused = undefined;
    if (page === this.sideBar.page) this.sideBar.handleFocus(focused);
    this.#services.chatPresence.update(page.open.conversation.id, presence);
    this.handleSurfaceChange();
  }

  /** Opens a conversation in the side bar if its page is active and it is not pinned, otherwise in a tab. */
  #open(open: OpenConversation, column?: vscode.ViewColumn): ChatPage {
    const known = this.#pages.get(open.conversation.id);
    if (known !== undefined) return known;
    const inSideBar = column === undefined && this.sideBar.takesConversations;
    const opened = inSideBar ? this.sideBar.setConversation(open) : this.#tabs.open(open, column);
    this.markUsed(opened);
    if (inSideBar) opened.reveal();
    return opened;
  }

  #close(matches: (chat: SavedChat) => boolean): void {
    this.#dispose(({ open }) => matches(savedChatOf(open)));
    this.#forget(matches);
  }

  /** In a browser, VS Code does not return the focus from a modal dialog to the page that had it. */
  async #returnFocusAfter(closed: PromiseLike<unknown>): Promise<void> {
    const page = this.#focused;
    await closed;
    page?.postToPage('returnFocus', {});
  }

  #recordUse(open: OpenConversation): void {
    const chat = savedChatOf(open);
    const others = this.#used.filter(({ conversation }) => conversation !== chat.conversation);
    this.#used = [chat, ...others];
  }

  #forget(matches: (chat: SavedChat) => boolean): void {
    this.#used = this.#used.filter((chat) => !matches(chat));
    this.sideBar.forget(matches);
  }

  #dispose(matches: (page: ChatPage) => boolean): void {
    const pages = [...this.#leaving, ...this.#pages.values()];
    for (const page of pages.filter(matches)) page.surface.dispose();
  }

  #handleClosed(page: ChatPage): void {
    const { id } = page.open.conversation;
    this.#leaving.delete(page);
    if (this.#pages.get(id) === page) this.#pages.delete(id);
    if (this.#lastPage === page) this.#lastPage = undefined;
    this.updatePresence(page, undefined);
  }

  #refresh(): void {
    for (const page of this.#pages.values()) page.refresh();
    this.sideBar.refresh();
  }
}
