import * as vscode from 'vscode';
import { TextEditorSelectionChangeKind as Kind } from 'vscode';
import pLimit from 'p-limit';
import * as v from 'valibot';
import { Alarm } from '../../../base/clock.ts';
import { DisposableBase, DisposableStore, Emitter } from '../../../base/disposable.ts';
import type { HostMessages } from '../../../protocol/messages.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import type { ChatPage } from '../chatPage.ts';
import { pageOptions } from '../page/pageHtml.ts';
import { showEmptySideBar, type GoneReason } from './emptyChat.ts';
import {
  openSaved,
  savedChatOf,
  savedChatSchema,
  type FoundChat,
  type SavedChat,
} from './savedChats.ts';
import type { Surface } from './surface.ts';
import type { SurfaceOptions } from './tabs.ts';

/** ID of the view, as in `package.json`. */
const CHAT_VIEW_ID = 'interns.chatView';

/** Opens the view, wherever the user has put it. */
const FOCUS_COMMAND = `${CHAT_VIEW_ID}.focus`;

/** The key of the saved chat in the workspace's state. */
const SAVED_CHAT_KEY = 'chatView';

/** Time to look for a conversation before the empty chat is shown, in ms. */
const EMPTY_CHAT_DELAY_MS = 2_000;

/** Time after a dialog in which the next one may open, in ms. */
const NEXT_DIALOG_MS = 100;

const savedSchema = v.object({ chat: v.nullable(savedChatSchema), isPinned: v.boolean() });

/**
 * The chat in the side bar. When it becomes visible, it shows the last used conversation that is not in a tab. While it
 * is the active chat, conversations open in it. If it is pinned, it keeps its conversation.
 */
export class ChatSideBar extends DisposableBase implements vscode.WebviewViewProvider {
  readonly #options: SurfaceOptions;
  #saved: v.InferOutput<typeof savedSchema>;
  #view: vscode.WebviewView | undefined;
  #page: ChatPage | undefined;
  /** The conversation to show as soon as there is a view. */
  #wanted: OpenConversation | undefined;
  /** Lets the pages leave one at a time. */
  readonly #leaveInOrder = pLimit(1);
  /** The empty chat that is shown; undefined while there is a conversation. */
  #empty: { readonly isSignedIn: boolean; readonly gone: GoneReason | undefined } | undefined;
  /** The number of changes of the view. A conversation that is found late does not replace a later one. */
  #changeCount = 0;
  /** How the page gets the focus back from the dialog that has taken it; undefined if none has. */
  #returnFocus: HostMessages['returnFocus'] | undefined;

  constructor(options: SurfaceOptions) {
    super();
    this.#options = options;
    const { clock, dialogs, workspaceState } = options;
    const saved = v.safeParse(savedSchema, workspaceState.get(SAVED_CHAT_KEY));
    this.#saved = saved.success ? saved.output : { chat: null, isPinned: false };
    this.own(vscode.window.registerWebviewViewProvider(CHAT_VIEW_ID, this));
    this.own({ dispose: () => this.#closePage() });
    const alarm = this.own(new Alarm(clock, () => this.#restoreFocus()));
    const restoreAt = () => (dialogs.isOpen ? null : clock.now() + NEXT_DIALOG_MS);
    this.own(dialogs.onDidChange(() => alarm.set(restoreAt())));
    // The user went to an editor.
    this.own(vscode.window.onDidChangeActiveTextEditor(() => (this.#returnFocus = undefined)));
    this.own(
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind === Kind.Keyboard || kind === Kind.Mouse) this.#returnFocus = undefined;
      }),
    );
  }

  get page(): ChatPage | undefined {
    return this.#page;
  }

  /** True if conversations open here: the view is visible, is the active chat, and is not pinned. */
  get takesConversations(): boolean {
    const isActive = this.#page === this.#options.pages.activePage;
    return this.#view?.visible === true && isActive && !this.#saved.isPinned;
  }

  /** True from the end of a dialog until the page has the focus back. Meanwhile, VS Code gives it to a tab. */
  get isReturningFocus(): boolean {
    return this.#returnFocus !== undefined && !this.#options.dialogs.isOpen;
  }

  setPinned(isPinned: boolean): void {
    this.#save({ ...this.#saved, isPinned });
  }

  /** Forgets a saved chat that is deleted, or whose account is signed out. */
  forget(isGone: (chat: SavedChat) => boolean): void {
    const { chat } = this.#saved;
    if (chat !== null && isGone(chat)) this.#save({ chat: null, isPinned: false });
  }

  /** Opens the view with a conversation, and focuses it. */
  async show(open: OpenConversation): Promise<ChatPage | undefined> {
    if (this.#view === undefined) this.#wanted = open;
    else this.setConversation(open);
    await vscode.commands.executeCommand(FOCUS_COMMAND);
    this.#page?.postToPage('focusComposer', {});
    return this.#page;
  }

  /** Shows a conversation. @throws if the view was never opened */
  setConversation(open: OpenConversation): ChatPage {
    const view = this.#view;
    if (view === undefined) throw new Error('There is no view to show a conversation in');
    this.#changeCount += 1;
    this.#wanted = undefined;
    this.#empty = undefined;
    const before = this.#page;
    this.#page = undefined;
    const { extension, log, pages } = this.#options;
    if (before !== undefined) pages.retire(before);
    const isFree = this.#leaveInOrder(async () => {
      await before?.leave().catch((failure: unknown) => log.error('A page did not leave', failure));
      before?.surface.dispose();
    });
    const page = pages.adopt(sideBarSurface(view, extension, isFree), open);
    this.#page = page;
    // There is no record before the first prompt.
    const following = open.conversation.onDidChange(({ stateChanged }) => {
      const isRecorded = this.#saved.chat?.record !== undefined;
      if (stateChanged && !isRecorded && this.#page === page)
        this.#save({ ...this.#saved, chat: savedChatOf(open) });
    });
    page.surface.onDidDispose(() => {
      following.dispose();
      this.#handleClosed(page);
    });
    this.#save({ ...this.#saved, chat: savedChatOf(open) });
    return page;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    // When the user moves the view, VS Code creates another one.
    this.#closePage();
    this.#view = view;
    this.#empty = undefined;
    view.onDidChangeVisibility(() => {
      this.#setKeys();
      if (view.visible) this.#showSavedOrLatest();
    });
    view.onDidDispose(() => {
      if (this.#view !== view) return;
      this.#view = undefined;
      this.#closePage();
      this.#setKeys();
    });
    if (this.#wanted !== undefined) this.setConversation(this.#wanted);
    else this.#showSavedOrLatest();
    this.#setKeys();
  }

  /** Called when the page gets or loses the focus. */
  handleFocus(focused: boolean): void {
    if (focused) this.#returnFocus = undefined;
    else if (this.#options.dialogs.isOpen) this.#returnFocus ??= {};
  }

  /** Called when a dialog has answered a question of the page. */
  handleAnswered(): void {
    if (this.#returnFocus !== undefined) this.#returnFocus = { wasAnswered: true };
  }

  /** Updates the empty chat, if it is shown. */
  refresh(): void {
    if (this.#view !== undefined && this.#empty !== undefined) this.#showEmpty(this.#view);
  }

  /** Returns the focus to the page after a dialog. VS Code does so for editors, but not for views. */
  #restoreFocus(): void {
    const returned = this.#returnFocus;
    this.#returnFocus = undefined;
    if (returned === undefined || this.#page === undefined) return;
    if (this.#page !== this.#options.pages.activePage) return;
    this.#page.surface.reveal();
    this.#page.postToPage('returnFocus', returned);
  }

  /** Shows a conversation, or the empty chat if none is found in time, so that the view never stays blank. */
  #showSavedOrLatest(): void {
    const { clock, log, pages } = this.#options;
    if (this.#saved.isPinned && this.#page !== undefined) return;
    this.#changeCount += 1;
    const turn = this.#changeCount;
    const showEmpty = (gone?: GoneReason) => {
      if (this.#page !== undefined || this.#view === undefined) return;
      // The view looks for another conversation the next time it is opened.
      if (gone !== undefined) this.#save({ chat: null, isPinned: false });
      this.#showEmpty(this.#view, gone);
    };
    const slow = clock.setTimeout(
      () => turn === this.#changeCount && showEmpty(),
      EMPTY_CHAT_DELAY_MS,
    );
    this.#find()
      .then((found) => {
        if (turn !== this.#changeCount || this.#view === undefined) return;
        if (found === undefined || 'gone' in found) showEmpty(found?.gone);
        else if (pages.get(found.open.conversation.id) === undefined)
          this.setConversation(found.open);
        // A tab with the conversation was restored while its record was read.
        else if (this.#page === undefined) this.#showSavedOrLatest();
      })
      .catch((failure: unknown) => {
        log.error('The side bar could not show a conversation', failure);
        showEmpty();
      })
      .finally(() => slow.dispose());
  }

  /** Finds the view's saved chat if the view has no page, else the last used conversation. */
  async #find(): Promise<FoundChat | undefined> {
    const { pages } = this.#options;
    const { chat, isPinned } = this.#saved;
    const isBack = this.#page === undefined && chat !== null && !pages.isInTab(chat.conversation);
    const had = isBack ? await openSaved(this.#options, chat) : undefined;
    return had !== undefined || isPinned ? had : pages.openLatest();
  }

  /** Closes the page, but keeps its conversation saved. */
  #closePage(): void {
    const page = this.#page;
    this.#page = undefined;
    page?.surface.dispose();
  }

  #handleClosed(page: ChatPage): void {
    if (this.#page !== page) return;
    this.#page = undefined;
    this.#changeCount += 1;
    this.#save({ chat: null, isPinned: false });
    if (this.#view !== undefined) this.#showEmpty(this.#view);
  }

  /** @param gone why the last conversation cannot be shown */
  #showEmpty(view: vscode.WebviewView, gone = this.#empty?.gone): void {
    const isSignedIn = this.#options.accounts.active !== undefined;
    const drawn = this.#empty;
    if (drawn?.isSignedIn === isSignedIn && drawn.gone === gone) return;
    this.#empty = { isSignedIn, gone };
    showEmptySideBar(view, isSignedIn, gone);
  }

  #save(saved: v.InferOutput<typeof savedSchema>): void {
    this.#saved = saved;
    void this.#options.workspaceState.update(SAVED_CHAT_KEY, saved);
    this.#setKeys();
  }

  #setKeys(): void {
    const { contextKeys, pages } = this.#options;
    contextKeys.set('interns.chatViewPinned', this.#saved.isPinned);
    const isShown = this.#view?.visible === true && this.#page !== undefined;
    contextKeys.set('interns.chatViewShown', isShown);
    pages.handleSurfaceChange();
  }
}

/**
 * Returns the side bar's view while it shows one conversation. All conversations share one webview, so the page loads and
 * receives messages only after the last conversation's page has left.
 *
 * @param isFree resolves once the view's last page has left
 */
function sideBarSurface(
  view: vscode.WebviewView,
  extension: vscode.Uri,
  isFree: Promise<void>,
): Surface {
  const { webview } = view;
  const store = new DisposableStore();
  const received = store.add(new Emitter<unknown>());
  const disposed = new Emitter<void>();
  store.add({ dispose: () => disposed.fire() });
  const listen = () => webview.onDidReceiveMessage((data: unknown) => received.fire(data));
  void isFree.then(() => store.add(listen()));
  return {
    webview: {
      cspSource: webview.cspSource,
      asWebviewUri: (uri) => webview.asWebviewUri(uri),
      // The next page uses the same webview.
      postMessage: async (message) => !store.isDisposed && webview.postMessage(message),
      onDidReceiveMessage: received.event as vscode.Webview['onDidReceiveMessage'],
    },
    bodyClass: 'in-view',
    get visible() {
      return view.visible && !store.isDisposed;
    },
    get active() {
      return this.visible;
    },
    onDidChange: (listener) => store.add(view.onDidChangeVisibility(listener)),
    onDidDispose: disposed.event,
    load: (html) =>
      void isFree.then(() => {
        if (store.isDisposed) return;
        webview.options = pageOptions(extension);
        webview.html = html;
      }),
    setTitle: (title) => {
      if (view.title !== title) view.title = title;
    },
    reveal: () => void vscode.commands.executeCommand(FOCUS_COMMAND),
    dispose: () => store.dispose(),
  };
}
