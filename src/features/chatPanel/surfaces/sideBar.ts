import * as vscode from 'vscode';
import pLimit from 'p-limit';
import * as v from 'valibot';
import type { Clock } from '../../../base/clock.ts';
import { DisposableBase, toDisposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';
import type { ContextKeys } from '../../../platform/contextKeys.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import type { ChatPage } from '../chatPage.ts';
import { pageRoot } from '../page/pageHtml.ts';
import { emptySideBar, showEmptyChat, type GoneReason } from './emptyChat.ts';
import {
  savedChatOf,
  savedChatSchema,
  type FoundChat,
  type RecentChats,
  type SavedChat,
} from './savedChats.ts';
import type { PageWebview, Surface } from './surface.ts';
import type { PageOwner } from './tabs.ts';

/** Id of the view (contract). */
const chatViewId = 'interns.chatView';

/** Key of what the view shows in the workspace's state. */
const key = 'chatView';

/** How long the view may stay blank while its conversation is looked for, in ms. */
const SLOW_MS = 2_000;

const savedSchema = v.object({ chat: v.nullable(savedChatSchema), isPinned: v.boolean() });

interface ChatSideBarOptions {
  readonly extension: vscode.Uri;
  readonly memento: vscode.Memento;
  readonly contextKeys: ContextKeys;
  readonly clock: Clock;
  readonly log: Pick<Log, 'error'>;
  readonly isSignedIn: () => boolean;
  readonly pages: PageOwner & {
    /** Lets a page make room for the next one; it goes once it has sent its last messages. */
    retire(page: ChatPage): void;
    /** Whether a conversation stands in a tab, which may not have been handed over yet. */
    isInTab(conversation: string): boolean;
    /** The side bar shows another conversation, or none, or it came into sight or left it. */
    surfaceChanged(): void;
  };
  readonly recent: Pick<RecentChats, 'find' | 'latest'>;
}

/**
 * The chat in the side bar. It follows: whenever it comes into sight it shows the conversation that was used last and
 * stands in no tab, and what is opened while it is the chat in use opens in it. Pinned, it keeps its conversation.
 */
export class ChatSideBar extends DisposableBase implements vscode.WebviewViewProvider {
  readonly #options: ChatSideBarOptions;
  #saved: v.InferOutput<typeof savedSchema>;
  #view: vscode.WebviewView | undefined;
  #page: ChatPage | undefined;
  /** To be shown as soon as there is a view. */
  #wanted: OpenConversation | undefined;
  /** Lets one page after the other send its last messages and leave the view. */
  readonly #leaveInOrder = pLimit(1);
  /** What is drawn where there is no conversation; undefined while there is one. */
  #empty: { readonly isSignedIn: boolean; readonly gone: GoneReason | undefined } | undefined;
  /** Counts what was put into the view, so that a conversation that was found late does not replace a later one. */
  #turn = 0;

  constructor(options: ChatSideBarOptions) {
    super();
    this.#options = options;
    const saved = v.safeParse(savedSchema, options.memento.get(key));
    this.#saved = saved.success ? saved.output : { chat: null, isPinned: false };
    this.own(vscode.window.registerWebviewViewProvider(chatViewId, this));
  }

  /** The page of the conversation that is shown. */
  get page(): ChatPage | undefined {
    return this.#page;
  }

  get isPinned(): boolean {
    return this.#saved.isPinned;
  }

  get isVisible(): boolean {
    return this.#view?.visible === true;
  }

  /** Whether the conversation that is shown stays while others are opened. */
  pin(isPinned: boolean): void {
    this.#save({ ...this.#saved, isPinned });
  }

  /** No longer brings back a conversation that is deleted, or whose account is signed out. */
  forget(isGone: (chat: SavedChat) => boolean): void {
    const { chat } = this.#saved;
    if (chat !== null && isGone(chat)) this.#save({ chat: null, isPinned: false });
  }

  /** Opens the view with a conversation in it, and gives it the focus. */
  async bring(open: OpenConversation): Promise<ChatPage | undefined> {
    if (this.#view === undefined) this.#wanted = open;
    else this.put(open);
    await focus();
    this.#page?.postToPage('focusComposer', {});
    return this.#page;
  }

  /** Shows a conversation in the view, which is there. */
  put(open: OpenConversation): ChatPage {
    const view = this.#view;
    if (view === undefined) throw new Error('There is no view to show a conversation in');
    this.#turn += 1;
    this.#wanted = undefined;
    this.#empty = undefined;
    const before = this.#page;
    this.#page = undefined;
    const { extension, pages } = this.#options;
    if (before !== undefined) pages.retire(before);
    const isFree = this.#leaveInOrder(async () => {
      await before?.leave();
      before?.surface.dispose();
    });
    const page = pages.adopt(new SideBarSurface(view, extension, isFree), open);
    this.#page = page;
    // Its record comes with the first prompt.
    const following = open.conversation.onDidChange(({ state }) => {
      const isRecorded = this.#saved.chat?.record !== undefined;
      if (state && !isRecorded && this.#page === page)
        this.#save({ ...this.#saved, chat: savedChatOf(open) });
    });
    page.onDidDispose(() => {
      following.dispose();
      this.#closed(page);
    });
    this.#save({ ...this.#saved, chat: savedChatOf(open) });
    return page;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    // One that its user has moved to another place is a new one.
    this.#drop();
    this.#view = view;
    this.#empty = undefined;
    view.onDidChangeVisibility(() => {
      this.#setKeys();
      if (view.visible) this.#follow();
    });
    view.onDidDispose(() => {
      if (this.#view !== view) return;
      this.#view = undefined;
      this.#drop();
      this.#setKeys();
    });
    if (this.#wanted !== undefined) this.put(this.#wanted);
    else this.#follow();
    this.#setKeys();
  }

  /** Draws anew what can be done where there is no conversation. */
  refresh(): void {
    if (this.#view !== undefined && this.#empty !== undefined) this.#showEmpty(this.#view);
  }

  override dispose(): void {
    super.dispose();
    this.#drop();
  }

  /** Shows a conversation, or the empty chat if there is none, or none is found in time: the view never stays blank. */
  #follow(): void {
    const { clock, log, pages } = this.#options;
    if (this.#saved.isPinned && this.#page !== undefined) return;
    this.#turn += 1;
    const turn = this.#turn;
    const showEmpty = (gone?: GoneReason) => {
      if (this.#page !== undefined || this.#view === undefined) return;
      // Said once: the next time the view follows again.
      if (gone !== undefined) this.#save({ chat: null, isPinned: false });
      this.#showEmpty(this.#view, gone);
    };
    const slow = clock.setTimeout(() => turn === this.#turn && showEmpty(), SLOW_MS);
    this.#find()
      .then((found) => {
        if (turn !== this.#turn || this.#view === undefined) return;
        if (found === undefined || 'gone' in found) showEmpty(found?.gone);
        else if (!pages.has(found.open.conversation.id)) this.put(found.open);
        // Its tab was restored meanwhile.
        else if (this.#page === undefined) this.#follow();
      })
      .catch((failure: unknown) => {
        log.error('The side bar could not show a conversation', failure);
        showEmpty();
      })
      .finally(() => slow.dispose());
  }

  /** Finds the conversation that was used last; the one that the view had if it is pinned or none was used since. */
  async #find(): Promise<FoundChat | undefined> {
    const { pages, recent } = this.#options;
    const { chat, isPinned } = this.#saved;
    // A view that comes up anew has what it had.
    const isBack = this.#page === undefined && chat !== null && !pages.isInTab(chat.conversation);
    const had = isBack ? await recent.find(chat) : undefined;
    if (had !== undefined || isPinned) return had;
    const open = await recent.latest((conversation) => !pages.isInTab(conversation));
    return open && { open };
  }

  /** Takes the page away, and remembers its conversation. */
  #drop(): void {
    const page = this.#page;
    this.#page = undefined;
    page?.surface.dispose();
  }

  #closed(page: ChatPage): void {
    if (this.#page !== page) return;
    this.#page = undefined;
    this.#turn += 1;
    this.#save({ chat: null, isPinned: false });
    if (this.#view !== undefined) this.#showEmpty(this.#view);
  }

  /** @param gone why the conversation that the view had cannot be shown */
  #showEmpty(view: vscode.WebviewView, gone = this.#empty?.gone): void {
    const isSignedIn = this.#options.isSignedIn();
    const drawn = this.#empty;
    if (drawn?.isSignedIn === isSignedIn && drawn.gone === gone) return;
    this.#empty = { isSignedIn, gone };
    showEmptyChat(view, 'in-view', this.#options.extension, emptySideBar(isSignedIn, gone));
  }

  #save(saved: v.InferOutput<typeof savedSchema>): void {
    this.#saved = saved;
    void this.#options.memento.update(key, saved);
    this.#setKeys();
  }

  #setKeys(): void {
    const { contextKeys, pages } = this.#options;
    contextKeys.set('interns.chatViewPinned', this.#saved.isPinned);
    contextKeys.set('interns.chatViewShown', this.isVisible && this.#page !== undefined);
    pages.surfaceChanged();
  }
}

/** Opens the view, wherever its user has put it. */
async function focus(): Promise<void> {
  await vscode.commands.executeCommand(`${chatViewId}.focus`);
}

/**
 * The view in the side bar, as long as one conversation is shown in it. Its page is drawn, and heard, only when that of the
 * conversation before it has gone: both are heard through the same webview.
 */
class SideBarSurface extends DisposableBase implements Surface {
  readonly webview: PageWebview;
  readonly bodyClass = 'in-view';
  readonly #changed = this.own(new Emitter<void>());
  readonly #received = this.own(new Emitter<unknown>());
  readonly #disposed = new Emitter<void>();
  readonly #view: vscode.WebviewView;
  readonly #extension: vscode.Uri;
  readonly #isFree: Promise<void>;

  readonly onDidChange = this.#changed.event;
  readonly onDidDispose = this.#disposed.event;

  /** @param isFree resolves once the page that stood in the view before has sent its last messages */
  constructor(view: vscode.WebviewView, extension: vscode.Uri, isFree: Promise<void>) {
    super();
    this.#view = view;
    this.#extension = extension;
    this.#isFree = isFree;
    const { webview } = view;
    this.webview = {
      cspSource: webview.cspSource,
      asWebviewUri: (uri) => webview.asWebviewUri(uri),
      // The page that comes next uses the same webview.
      postMessage: async (message) => !this.isDisposed && webview.postMessage(message),
      onDidReceiveMessage: this.#received.event as PageWebview['onDidReceiveMessage'],
    };
    this.own(view.onDidChangeVisibility(() => this.#changed.fire()));
    this.own(toDisposable(() => this.#disposed.fire()));
    const listen = () => webview.onDidReceiveMessage((data: unknown) => this.#received.fire(data));
    void isFree.then(() => this.own(listen()));
  }

  get visible(): boolean {
    return this.#view.visible && !this.isDisposed;
  }

  get active(): boolean {
    return this.visible;
  }

  load(html: string): void {
    void this.#isFree.then(() => {
      if (this.isDisposed) return;
      const { webview } = this.#view;
      webview.options = { enableScripts: true, localResourceRoots: [pageRoot(this.#extension)] };
      webview.html = html;
    });
  }

  /** The view's title tells the state too; its icon is the container's. */
  setTitle(title: string): void {
    if (this.#view.title !== title) this.#view.title = title;
  }

  reveal(): void {
    void focus();
  }
}
