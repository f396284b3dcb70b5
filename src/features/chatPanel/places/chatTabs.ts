import * as vscode from 'vscode';
import * as v from 'valibot';
import type { Clock } from '../../../base/clock.ts';
import { DisposableBase } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Accounts } from '../../accounts/account.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import type { ChatPanel } from '../chatPanel.ts';
import { chatTabs, DeadTabs } from './deadTabs.ts';
import type { FoundChat, GoneReason } from './foundChat.ts';
import { keptChatSchema, keptOf, OpenTabs, type KeptChat } from './openTabs.ts';
import { pageRoot } from '../page/pageHtml.ts';
import type { PagePlace } from './pagePlace.ts';
import { showStillChat, stillTab } from './stillChat.ts';
import { TabPlace } from './tab.ts';

/** View type of the panels (contract). */
const chatViewType = 'interns.chat';

interface ChatTabsOptions {
  readonly extension: vscode.Uri;
  readonly memento: vscode.Memento;
  readonly log: Log;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, 'active'>;
  /** Makes the page of a conversation in a place. */
  readonly adopt: (place: PagePlace, open: OpenConversation) => ChatPanel;
  /** Opens a conversation that is remembered; undefined where nobody could have it. */
  readonly find: (chat: KeptChat | undefined) => Promise<FoundChat | undefined>;
  /** Whether a conversation has a page, here or elsewhere. */
  readonly has: (conversation: string) => boolean;
  /** The user went to a page's tab. */
  readonly entered: (page: ChatPanel) => void;
}

/** The chats that stand in tabs of the editor: opens them, and fills those that outlived their window or its host. */
export class ChatTabs extends DisposableBase implements vscode.WebviewPanelSerializer {
  readonly #options: ChatTabsOptions;
  readonly #pages = new Map<ChatPanel, TabPlace>();
  readonly #tabs: OpenTabs;
  /** Tabs that only say what became of their conversations. */
  readonly #gone = new Map<vscode.WebviewPanel, KeptChat>();
  /** Panels that VS Code handed over, until their conversations are read. */
  readonly #arriving = new Set<vscode.WebviewPanel>();

  constructor(options: ChatTabsOptions) {
    super();
    this.#options = options;
    this.#tabs = new OpenTabs(options.memento);
    this.own(vscode.window.registerWebviewPanelSerializer(chatViewType, this));
    this.own(
      new DeadTabs({
        clock: options.clock,
        viewType: chatViewType,
        panels: () => [
          ...this.#arriving,
          ...this.#gone.keys(),
          ...[...this.#pages.values()].map(({ panel }) => panel),
        ],
        reopen: (dead) => void this.#reopen(dead),
      }),
    );
  }

  /** Opens a tab for a conversation that has no page. It takes the place of one that has nothing to show. */
  open(open: OpenConversation, column = vscode.ViewColumn.Active): ChatPanel {
    const left = [...this.#gone.keys()].find(({ active }) => active);
    const page = this.#adopt(this.#createPanel(column), open);
    left?.dispose();
    page.postToPage('focusComposer', {});
    return page;
  }

  /** Fills a tab that VS Code restored. VS Code 1.100 loses a page's state where its tab moves to another window. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { find, has } = this.#options;
    const told = v.safeParse(keptChatSchema, state);
    const kept = told.success ? told.output : this.#tabs.take(panel.title);
    this.#arriving.add(panel);
    try {
      const found = await find(kept);
      if (found !== undefined && 'gone' in found) {
        if (kept !== undefined) this.#showGone(panel, kept, found.gone);
        return;
      }
      const open = found?.open;
      if (open === undefined || has(open.conversation.id)) {
        panel.dispose();
        return;
      }
      panel.webview.options = this.#webviewOptions();
      this.#adopt(panel, open);
    } finally {
      this.#arriving.delete(panel);
    }
  }

  /** Whether a conversation stands in a tab that VS Code restored, but hands over only once it is shown. */
  isLeft(conversation: string): boolean {
    return this.#tabs.isLeft(
      conversation,
      chatTabs(chatViewType).map(({ label }) => label),
    );
  }

  /** Closes tabs whose extension host died, and opens their conversations where they stood. */
  async #reopen(dead: readonly vscode.Tab[]): Promise<void> {
    const { find, has, log } = this.#options;
    for (const tab of dead) {
      const { viewColumn } = tab.group;
      const kept = this.#tabs.take(tab.label);
      const found = await find(kept);
      // A tab is not closed before it is known what stood in it, nor one whose page came late after all.
      if (kept === undefined || found === undefined || has(kept.conversation)) continue;
      if (this.#arriving.size > 0) {
        this.#tabs.giveBack(kept);
        continue;
      }
      await vscode.window.tabGroups.close(tab);
      if ('open' in found) this.open(found.open, viewColumn);
      else this.#showGone(this.#createPanel(viewColumn), kept, found.gone);
    }
    log.info('The extension host is new: chats of the last one are opened again');
  }

  /** Says in a tab why its conversation is not shown. */
  #showGone(panel: vscode.WebviewPanel, kept: KeptChat, gone: GoneReason): void {
    const { extension, accounts } = this.#options;
    // In another account the intern's id may be that of nobody.
    const intern = kept.account === accounts.active?.id ? kept.intern : undefined;
    showStillChat(panel, '', extension, stillTab(gone, intern));
    this.#gone.set(panel, kept);
    panel.onDidDispose(() => {
      this.#gone.delete(panel);
      this.#remember();
    });
    this.#remember();
  }

  #createPanel(column = vscode.ViewColumn.Active): vscode.WebviewPanel {
    return vscode.window.createWebviewPanel(chatViewType, '', column, this.#webviewOptions());
  }

  #webviewOptions(): vscode.WebviewOptions {
    return { enableScripts: true, localResourceRoots: [pageRoot(this.#options.extension)] };
  }

  #adopt(panel: vscode.WebviewPanel, open: OpenConversation): ChatPanel {
    const { extension, adopt, entered } = this.#options;
    const place = new TabPlace(panel, extension);
    const page = adopt(place, open);
    this.#pages.set(page, place);
    // The conversation outlives its tab: what follows it for the tab ends with that.
    const following = open.conversation.onDidChange(({ state }) => state && this.#remember());
    panel.onDidChangeViewState(() => {
      if (panel.active) entered(page);
    });
    page.onDidDispose(() => {
      following.dispose();
      this.#pages.delete(page);
      this.#remember();
    });
    this.#remember();
    return page;
  }

  #remember(): void {
    const pages = [...this.#pages].map(([{ open }, { panel }]) => [panel, keptOf(open)] as const);
    this.#tabs.remember([...pages, ...this.#gone].map(([{ title }, kept]) => ({ ...kept, title })));
  }
}
