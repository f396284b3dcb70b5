import * as vscode from 'vscode';
import * as v from 'valibot';
import type { Clock } from '../../../base/clock.ts';
import { DisposableBase, DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { ConversationStatus } from '../../../conversation/machine/state.ts';
import type { AccountServices } from '../../accounts/account.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import type { ChatPage } from '../chatPage.ts';
import { pageRoot } from '../page/pageHtml.ts';
import { emptyTab, showEmptyChat, type GoneReason } from './emptyChat.ts';
import {
  savedChatOf,
  savedChatSchema,
  SavedTabs,
  type RecentChats,
  type SavedChat,
} from './savedChats.ts';
import type { Surface } from './surface.ts';

/** View type of the panels. VS Code saves it with each tab, so it never changes. */
const CHAT_VIEW_TYPE = 'interns.chat';

/** How long VS Code may take to restore the page of a visible tab, in ms. */
const RESTORE_TIMEOUT_MS = 4_000;

/** The part of {@link ChatPages} that surfaces need. */
export interface PageOwner {
  /** Creates the page of a conversation on a surface. */
  adopt(surface: Surface, open: OpenConversation): ChatPage;
  /** Returns the page of a conversation on any surface. */
  get(conversation: string): ChatPage | undefined;
  /** Records the page that the user went to. */
  markUsed(page: ChatPage): void;
  /** Removes a page that is being replaced on its surface. It closes once it has sent its last messages. */
  retire(page: ChatPage): void;
  /** Returns whether a conversation is in a tab, even one that VS Code has not restored yet. */
  isInTab(conversation: string): boolean;
  /** Called when surfaces come, go, or become active. */
  handleSurfaceChange(): void;
}

export interface SurfaceOptions extends Pick<
  AccountServices,
  'accounts' | 'clock' | 'contextKeys' | 'log'
> {
  readonly extension: vscode.Uri;
  readonly memento: vscode.Memento;
  readonly pages: PageOwner;
  readonly recent: RecentChats;
}

/** The chats in editor tabs: opens them, and restores those of the last window or extension host. */
export class ChatTabs extends DisposableBase implements vscode.WebviewPanelSerializer {
  readonly #options: SurfaceOptions;
  readonly #panels = new Map<ChatPage, vscode.WebviewPanel>();
  readonly #saved: SavedTabs;
  /** Tabs that show only why their conversation is gone. */
  readonly #empty = new Map<vscode.WebviewPanel, SavedChat>();
  /** Panels that VS Code restored, until their conversations are read. */
  readonly #arriving = new Set<vscode.WebviewPanel>();

  constructor(options: SurfaceOptions) {
    super();
    this.#options = options;
    this.#saved = new SavedTabs(options.memento);
    this.own(vscode.window.registerWebviewPanelSerializer(CHAT_VIEW_TYPE, this));
    this.own(
      findDeadTabs({
        clock: options.clock,
        panels: () => [...this.#arriving, ...this.#empty.keys(), ...this.#panels.values()],
        reopen: (dead) => void this.#reopen(dead),
      }),
    );
  }

  /** Opens a tab for a conversation that has no page. It replaces the active tab if that one is empty. */
  open(open: OpenConversation, column = vscode.ViewColumn.Active): ChatPage {
    const empty = [...this.#empty.keys()].find(({ active }) => active);
    const page = this.#adopt(this.#createPanel(column), open);
    empty?.dispose();
    page.postToPage('focusComposer', {});
    return page;
  }

  /** Restores a tab. VS Code 1.100 loses the page's state if the tab moved to another window. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { recent, pages } = this.#options;
    const ofPage = v.safeParse(savedChatSchema, state);
    const saved = ofPage.success ? ofPage.output : this.#saved.take(panel.title);
    this.#arriving.add(panel);
    try {
      const found = await recent.openSaved(saved);
      if (found !== undefined && 'gone' in found) {
        if (saved !== undefined) this.#showEmpty(panel, saved, found.gone);
      } else if (found === undefined || pages.get(found.open.conversation.id)) panel.dispose();
      else {
        panel.webview.options = this.#webviewOptions();
        this.#adopt(panel, found.open);
      }
    } finally {
      this.#arriving.delete(panel);
    }
  }

  /** Returns whether a conversation is in a tab that VS Code will restore when it is shown. */
  isUnrestored(conversation: string): boolean {
    const titles = chatTabs().map(({ label }) => label);
    return this.#saved.isUnrestored(conversation, titles);
  }

  /** Closes tabs whose extension host died, and opens their conversations in the same columns. */
  async #reopen(dead: readonly vscode.Tab[]): Promise<void> {
    const { recent, pages, log } = this.#options;
    for (const tab of dead) {
      const { viewColumn } = tab.group;
      const saved = this.#saved.take(tab.label);
      const found = await recent.openSaved(saved);
      // The tab stays if its conversation is unknown, or its page came late after all.
      if (saved === undefined || found === undefined || pages.get(saved.conversation)) continue;
      if (this.#arriving.size > 0) {
        this.#saved.giveBack(saved);
        continue;
      }
      await vscode.window.tabGroups.close(tab);
      if ('open' in found) this.open(found.open, viewColumn);
      else this.#showEmpty(this.#createPanel(viewColumn), saved, found.gone);
    }
    log.info('The extension host is new: chats of the last one are opened again');
  }

  /** Shows in a tab why its conversation is gone. */
  #showEmpty(panel: vscode.WebviewPanel, saved: SavedChat, gone: GoneReason): void {
    const { accounts } = this.#options;
    // The intern belongs to the saved account.
    const intern = saved.account === accounts.active?.id ? saved.intern : undefined;
    showEmptyChat(panel, '', emptyTab(gone, intern));
    this.#empty.set(panel, saved);
    panel.onDidDispose(() => {
      this.#empty.delete(panel);
      this.#remember();
    });
    this.#remember();
  }

  #createPanel(column = vscode.ViewColumn.Active): vscode.WebviewPanel {
    return vscode.window.createWebviewPanel(CHAT_VIEW_TYPE, '', column, this.#webviewOptions());
  }

  #webviewOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [pageRoot(this.#options.extension)] };
  }

  #adopt(panel: vscode.WebviewPanel, open: OpenConversation): ChatPage {
    const { extension, pages } = this.#options;
    const page = pages.adopt(tabSurface(panel, extension), open);
    this.#panels.set(page, panel);
    const following = open.conversation.onDidChange(({ state }) => state && this.#remember());
    panel.onDidChangeViewState(() => {
      if (panel.active) pages.markUsed(page);
    });
    page.onDidDispose(() => {
      following.dispose();
      this.#panels.delete(page);
      this.#remember();
    });
    this.#remember();
    return page;
  }

  #remember(): void {
    const pages = [...this.#panels].map(([{ open }, panel]) => [panel, savedChatOf(open)] as const);
    const tabs = [...pages, ...this.#empty].map(([{ title }, saved]) => ({ ...saved, title }));
    this.#saved.remember(tabs);
  }
}

/** A tab of the editor as the surface of a page. */
function tabSurface(panel: vscode.WebviewPanel, extension: vscode.Uri): Surface {
  let shown: ConversationStatus | undefined;
  return {
    webview: panel.webview,
    bodyClass: '',
    get visible() {
      return panel.visible;
    },
    get active() {
      return panel.active;
    },
    onDidChange: (listener) => panel.onDidChangeViewState(listener),
    onDidDispose: (listener) => panel.onDidDispose(listener),
    load: (html) => {
      panel.webview.html = html;
    },
    setTitle: (title, status) => {
      if (panel.title !== title) panel.title = title;
      if (status === shown) return;
      shown = status;
      panel.iconPath = tabIcon(extension, status);
    },
    reveal: () => panel.reveal(undefined, false),
    dispose: () => {
      panel.dispose();
    },
  };
}

/** Uses SVG, since the oldest supported VS Code ignores theme icons on tabs. */
function tabIcon(extension: vscode.Uri, status: ConversationStatus) {
  const icon = (theme: string) =>
    vscode.Uri.joinPath(extension, 'media', 'tab', `${status}-${theme}.svg`);
  return { light: icon('light'), dark: icon('dark') };
}

interface DeadTabsOptions {
  readonly clock: Clock;
  /** Returns the panels that this extension host has, or is restoring. */
  readonly panels: () => readonly vscode.WebviewPanel[];
  /** Reopens the conversations of tabs whose pages are dead. */
  readonly reopen: (dead: readonly vscode.Tab[]) => void;
}

/**
 * Finds tabs that outlived their extension host. After a reload of the window, VS Code restores a tab's page when the tab
 * is shown. After only the host died, it never does: then a visible tab stays without a panel. No ID tells the two apart:
 * `vscode.env.sessionId` is the same for all windows without telemetry.
 */
function findDeadTabs({ clock, panels, reopen }: DeadTabsOptions): Disposable {
  let timer: Disposable | undefined;
  const check = (): void => {
    const hasActive = () => tabsWithout(panels()).some(({ isActive }) => isActive);
    if (timer !== undefined || !hasActive()) return;
    timer = clock.setTimeout(() => {
      timer = undefined;
      if (hasActive()) reopen(tabsWithout(panels()));
    }, RESTORE_TIMEOUT_MS);
  };
  const { tabGroups } = vscode.window;
  const store = new DisposableStore();
  store.add(tabGroups.onDidChangeTabs(check));
  store.add(tabGroups.onDidChangeTabGroups(check));
  store.add({ dispose: () => timer?.dispose() });
  check();
  return store;
}

/** Returns the chat tabs without a panel in their column; tabs in the background are told apart by title. */
function tabsWithout(panels: readonly vscode.WebviewPanel[]): readonly vscode.Tab[] {
  const left = [...panels];
  return chatTabs()
    .sort((a, b) => Number(b.isActive) - Number(a.isActive))
    .filter((tab) => {
      const at = left.findIndex((panel) => isOf(tab, panel));
      if (at !== -1) left.splice(at, 1);
      return at === -1;
    });
}

/** Returns the chat tabs of this window, with or without a page. */
function chatTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputWebview && input.viewType.endsWith(CHAT_VIEW_TYPE),
    );
}

function isOf({ isActive, group, label }: vscode.Tab, panel: vscode.WebviewPanel): boolean {
  if (panel.viewColumn !== undefined && panel.viewColumn !== group.viewColumn) return false;
  return isActive ? panel.visible : !panel.visible && panel.title === label;
}
