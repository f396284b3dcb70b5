import * as vscode from 'vscode';
import * as v from 'valibot';
import { DisposableBase, type Disposable } from '../../../base/disposable.ts';
import type { ConversationStatus } from '../../../conversation/machine/state.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import type { ChatPage, PageOwner } from '../chatPage.ts';
import type { ChatServices } from '../chatServices.ts';
import { pageOptions } from '../page/pageHtml.ts';
import { showEmptyTab, type GoneReason } from './emptyChat.ts';
import {
  openSaved,
  savedChatOf,
  savedChatSchema,
  SavedTabs,
  type SavedChat,
} from './savedChats.ts';
import type { Surface } from './surface.ts';

/** View type of the panels. VS Code saves it with each tab, so it never changes. */
const CHAT_VIEW_TYPE = 'interns.chat';

/** How long VS Code may take to restore the page of a visible tab, in ms. */
const RESTORE_TIMEOUT_MS = 4_000;

export interface SurfaceOptions extends ChatServices {
  readonly pages: PageOwner;
}

interface OpenTab {
  readonly chat: () => SavedChat;
  /** True if it shows only why its conversation is gone. */
  readonly isEmpty: boolean;
}

/** The chats in editor tabs: opens them, and restores those of the last window or extension host. */
export class ChatTabs extends DisposableBase implements vscode.WebviewPanelSerializer {
  readonly #options: SurfaceOptions;
  readonly #panels = new Map<vscode.WebviewPanel, OpenTab>();
  readonly #saved: SavedTabs;
  /** Panels that VS Code restored, until their conversations are read. */
  readonly #arriving = new Set<vscode.WebviewPanel>();
  /** Waits for VS Code to restore the page of a visible tab. */
  #restoring: Disposable | undefined;

  constructor(options: SurfaceOptions) {
    super();
    this.#options = options;
    this.#saved = new SavedTabs(options.workspaceState);
    this.own(vscode.window.registerWebviewPanelSerializer(CHAT_VIEW_TYPE, this));
    const { tabGroups } = vscode.window;
    this.own(tabGroups.onDidChangeTabs(() => this.#findDeadTabs()));
    this.own(tabGroups.onDidChangeTabGroups(() => this.#findDeadTabs()));
    this.own({ dispose: () => this.#restoring?.dispose() });
    this.#findDeadTabs();
  }

  /** Opens a tab for a conversation that has no page. It replaces the active tab if that one is empty. */
  open(open: OpenConversation, column?: vscode.ViewColumn): ChatPage {
    const shown = [...this.#panels].find(([{ active }]) => active);
    const page = this.#adopt(this.#createPanel(column), open);
    if (shown?.[1].isEmpty === true) shown[0].dispose();
    page.postToPage('focusComposer', {});
    return page;
  }

  /** Restores a tab. VS Code 1.100 loses the page's state if the tab moved to another window. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { pages } = this.#options;
    const ofPage = v.safeParse(savedChatSchema, state);
    const saved = ofPage.success ? ofPage.output : this.#saved.take(panel.title);
    this.#arriving.add(panel);
    try {
      const found = await openSaved(this.#options, saved);
      if (found !== undefined && 'gone' in found) {
        if (saved !== undefined) this.#showEmpty(panel, saved, found.gone);
      } else if (found === undefined || pages.get(found.open.conversation.id)) panel.dispose();
      else {
        panel.webview.options = pageOptions(this.#options.extension);
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

  /**
   * Finds tabs that outlived their extension host. After a reload of the window, VS Code restores a tab's page when the
   * tab is shown. If only the host died, it never does, and a visible tab stays without a panel. No ID tells a reload from
   * such a death: without telemetry, `vscode.env.sessionId` is the same for all windows.
   */
  #findDeadTabs(): void {
    const tabs = () => tabsWithout([...this.#arriving, ...this.#panels.keys()]);
    const hasActive = () => tabs().some(({ isActive }) => isActive);
    if (this.#restoring !== undefined || !hasActive()) return;
    this.#restoring = this.#options.clock.setTimeout(() => {
      this.#restoring = undefined;
      if (hasActive()) void this.#reopen(tabs());
    }, RESTORE_TIMEOUT_MS);
  }

  /** Closes tabs whose extension host died, and opens their conversations in the same columns. */
  async #reopen(dead: readonly vscode.Tab[]): Promise<void> {
    const { pages, log } = this.#options;
    for (const tab of dead) {
      const { viewColumn } = tab.group;
      const saved = this.#saved.take(tab.label);
      const found = await openSaved(this.#options, saved);
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
    showEmptyTab(panel, gone, intern);
    this.#track(panel, { chat: () => saved, isEmpty: true });
  }

  #createPanel(column = vscode.ViewColumn.Active): vscode.WebviewPanel {
    const options = pageOptions(this.#options.extension);
    return vscode.window.createWebviewPanel(CHAT_VIEW_TYPE, '', column, options);
  }

  #adopt(panel: vscode.WebviewPanel, open: OpenConversation): ChatPage {
    const { extension, pages } = this.#options;
    const page = pages.adopt(tabSurface(panel, extension), open);
    const following = open.conversation.onDidChange(
      ({ stateChanged }) => stateChanged && this.#remember(),
    );
    panel.onDidChangeViewState(() => {
      if (panel.active) pages.markUsed(page);
    });
    panel.onDidDispose(() => following.dispose());
    this.#track(panel, { chat: () => savedChatOf(open), isEmpty: false });
    return page;
  }

  #track(panel: vscode.WebviewPanel, tab: OpenTab): void {
    this.#panels.set(panel, tab);
    panel.onDidDispose(() => {
      this.#panels.delete(panel);
      this.#remember();
    });
    this.#remember();
  }

  #remember(): void {
    this.#saved.remember([...this.#panels].map(([{ title }, { chat }]) => ({ ...chat(), title })));
  }
}

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
    dispose: () => void panel.dispose(),
  };
}

/** Uses SVG, since the oldest supported VS Code ignores theme icons on tabs. */
function tabIcon(extension: vscode.Uri, status: ConversationStatus) {
  const icon = (theme: string) =>
    vscode.Uri.joinPath(extension, 'media', 'tab', `${status}-${theme}.svg`);
  return { light: icon('light'), dark: icon('dark') };
}

/** Returns the chat tabs without a panel in their column; tabs in the background are told apart by title. */
function tabsWithout(panels: readonly vscode.WebviewPanel[]): readonly vscode.Tab[] {
  const left = [...panels];
  return chatTabs()
    .sort((a, b) => Number(b.isActive) - Number(a.isActive))
    .filter((tab) => {
      const index = left.findIndex((panel) => isTabOf(tab, panel));
      if (index !== -1) left.splice(index, 1);
      return index === -1;
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

function isTabOf({ isActive, group, label }: vscode.Tab, panel: vscode.WebviewPanel): boolean {
  if (panel.viewColumn !== undefined && panel.viewColumn !== group.viewColumn) return false;
  return isActive ? panel.visible : !panel.visible && panel.title === label;
}
