import * as vscode from 'vscode';
import * as v from 'valibot';
import { DisposableBase } from '../../../base/disposable.ts';
import type { ContextKeys } from '../../../platform/contextKeys.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import type { ChatPanel } from '../chatPanel.ts';
import type { FoundChat, GoneReason } from './foundChat.ts';
import { keptChatSchema, keptOf, type KeptChat } from './openTabs.ts';
import type { PagePlace } from './pagePlace.ts';
import { showStillChat, stillView } from './stillChat.ts';
import { ViewPlace } from './viewPlace.ts';

/** Id of the view (contract). */
const chatViewId = 'interns.chatView';

/** Key of what the view shows in the workspace's state. */
const key = 'chatView';

const keptSchema = v.object({ chat: v.nullable(keptChatSchema), isPinned: v.boolean() });

interface ChatViewOptions {
  readonly extension: vscode.Uri;
  readonly memento: vscode.Memento;
  readonly contextKeys: ContextKeys;
  readonly isSignedIn: () => boolean;
  /** Another conversation is shown, or none, or the view came into sight or left it. */
  readonly changed: () => void;
  /** Makes the page of a conversation in a place. */
  readonly adopt: (place: PagePlace, open: OpenConversation) => ChatPanel;
  /** A page makes room for the next one; it goes once it has told everything. */
  readonly leaves: (page: ChatPanel) => void;
  /** Opens what was in the view before, where it stands in no tab. */
  readonly find: (chat: KeptChat) => Promise<FoundChat | undefined>;
  /** Whether a conversation has a page by now, here or elsewhere. */
  readonly has: (conversation: string) => boolean;
  /** Opens the conversation that was used last of those that stand in no tab. */
  readonly latest: () => Promise<OpenConversation | undefined>;
}

/**
 * The chat in the side bar. It follows: what was used last and stands in no tab is in it whenever it comes into sight,
 * and what is opened while it is the chat that is in use opens in it. Pinned, it keeps the conversation that it has.
 */
export class ChatView extends DisposableBase implements vscode.WebviewViewProvider {
  readonly #options: ChatViewOptions;
  #kept: v.InferOutput<typeof keptSchema>;
  #view: vscode.WebviewView | undefined;
  #page: ChatPanel | undefined;
  /** What is to be shown as soon as there is a view. */
  #wanted: OpenConversation | undefined;
  /** Done once the page that stood here last has told everything. */
  #isFree: Promise<void> = Promise.resolve();
  /** For whom the page without a conversation is drawn, and what it says; undefined where it is not drawn. */
  #emptyFor: { readonly isSignedIn: boolean; readonly gone: GoneReason | undefined } | undefined;
  /** Counts what was put into the view, so that what took long to be found does not take a later one's place. */
  #turn = 0;

  constructor(options: ChatViewOptions) {
    super();
    this.#options = options;
    const kept = v.safeParse(keptSchema, options.memento.get(key));
    this.#kept = kept.success ? kept.output : { chat: null, isPinned: false };
    this.own(vscode.window.registerWebviewViewProvider(chatViewId, this));
  }

  /** The page of the conversation that is shown. */
  get page(): ChatPanel | undefined {
    return this.#page;
  }

  get isPinned(): boolean {
    return this.#kept.isPinned;
  }

  get isVisible(): boolean {
    return this.#view?.visible === true;
  }

  /** Whether the conversation that is shown stays while others are opened. */
  pin(isPinned: boolean): void {
    this.#keep({ ...this.#kept, isPinned });
  }

  /** No longer brings back a conversation that is deleted, or whose account is signed out. */
  forget(isGone: (chat: KeptChat) => boolean): void {
    const { chat } = this.#kept;
    if (chat !== null && isGone(chat)) this.#keep({ chat: null, isPinned: false });
  }

  /** Opens the view with a conversation in it, and gives it the focus. */
  async bring(open: OpenConversation): Promise<ChatPanel | undefined> {
    if (this.#view === undefined) this.#wanted = open;
    else this.put(open);
    await focus();
    this.#page?.postToPage('focusComposer', {});
    return this.#page;
  }

  /** Shows a conversation in the view, which is there. */
  put(open: OpenConversation): ChatPanel {
    const view = this.#view;
    if (view === undefined) throw new Error('There is no view to show a conversation in');
    this.#turn += 1;
    this.#wanted = undefined;
    this.#emptyFor = undefined;
    const before = this.#page;
    this.#page = undefined;
    const { extension, adopt, leaves } = this.#options;
    if (before !== undefined) {
      leaves(before);
      this.#isFree = this.#isFree.then(() => before.leave()).then(() => before.place.dispose());
    }
    const place = new ViewPlace({
      view,
      extension,
      isFree: this.#isFree,
      focus: () => void focus(),
    });
    const page = adopt(place, open);
    this.#page = page;
    // Its record comes with the first prompt.
    const following = open.conversation.onDidChange(({ state }) => {
      const isRecorded = this.#kept.chat?.record !== undefined;
      if (state && !isRecorded && this.#page === page)
        this.#keep({ ...this.#kept, chat: keptOf(open) });
    });
    page.onDidDispose(() => {
      following.dispose();
      this.#closed(page);
    });
    this.#keep({ ...this.#kept, chat: keptOf(open) });
    return page;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    // One that its user has moved to another place is a new one.
    this.#drop();
    this.#view = view;
    this.#emptyFor = undefined;
    view.onDidChangeVisibility(() => {
      this.#setKeys();
      if (view.visible) void this.#follow();
    });
    view.onDidDispose(() => {
      if (this.#view !== view) return;
      this.#view = undefined;
      this.#drop();
      this.#setKeys();
    });
    if (this.#wanted !== undefined) this.put(this.#wanted);
    else void this.#follow();
    this.#setKeys();
  }

  /** Says anew what can be done where there is no conversation. */
  refresh(): void {
    if (this.#view !== undefined && this.#emptyFor !== undefined) this.#showEmpty(this.#view);
  }

  override dispose(): void {
    super.dispose();
    this.#drop();
  }

  /** Shows what was used last, which is what the view had where it is pinned or nothing was used since. */
  async #follow(): Promise<void> {
    const { find, has, latest } = this.#options;
    const { chat, isPinned } = this.#kept;
    if (isPinned && this.#page !== undefined) return;
    this.#turn += 1;
    const turn = this.#turn;
    // A view that comes up anew has what it had.
    const had = this.#page === undefined && chat !== null ? await find(chat) : undefined;
    const gone = had !== undefined && 'gone' in had ? had.gone : undefined;
    const isFree = !isPinned && gone === undefined;
    const open =
      had !== undefined && 'open' in had ? had.open : isFree ? await latest() : undefined;
    if (turn !== this.#turn || this.#view === undefined) return;
    if (open !== undefined && has(open.conversation.id)) {
      // Its tab was restored meanwhile.
      if (this.#page === undefined) await this.#follow();
      return;
    }
    if (open !== undefined) this.put(open);
    else if (this.#page === undefined) {
      // Said once: the next time the view follows again.
      if (gone !== undefined) this.#keep({ chat: null, isPinned: false });
      this.#showEmpty(this.#view, gone);
    }
  }

  /** Takes the page away, and keeps in mind what was in it. */
  #drop(): void {
    const page = this.#page;
    this.#page = undefined;
    page?.place.dispose();
  }

  #closed(page: ChatPanel): void {
    if (this.#page !== page) return;
    this.#page = undefined;
    this.#turn += 1;
    this.#keep({ chat: null, isPinned: false });
    if (this.#view !== undefined) this.#showEmpty(this.#view);
  }

  /** @param gone why the conversation that the view had cannot be shown */
  #showEmpty(view: vscode.WebviewView, gone = this.#emptyFor?.gone): void {
    const { extension } = this.#options;
    const isSignedIn = this.#options.isSignedIn();
    const shown = this.#emptyFor;
    if (shown?.isSignedIn === isSignedIn && shown.gone === gone) return;
    this.#emptyFor = { isSignedIn, gone };
    showStillChat(view, 'in-view', extension, stillView(isSignedIn, gone));
  }

  #keep(kept: v.InferOutput<typeof keptSchema>): void {
    this.#kept = kept;
    void this.#options.memento.update(key, kept);
    this.#setKeys();
  }

  #setKeys(): void {
    const { contextKeys, changed } = this.#options;
    contextKeys.set('interns.chatViewPinned', this.#kept.isPinned);
    contextKeys.set('interns.chatViewShown', this.isVisible && this.#page !== undefined);
    changed();
  }
}

/** Opens the view, wherever its user has put it. */
async function focus(): Promise<void> {
  await vscode.commands.executeCommand(`${chatViewId}.focus`);
}
