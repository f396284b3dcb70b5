import * as vscode from 'vscode';
import * as v from 'valibot';
import type { Clock } from '../../../base/clock.ts';
import { DisposableBase } from '../../../base/disposable.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import type { ChatPanel } from '../chatPanel.ts';
import { chatTabs, DeadTabs } from './deadTabs.ts';
import { keptChatSchema, keptOf, OpenTabs, type KeptChat } from './openTabs.ts';
import { pageRoot } from '../page/pageHtml.ts';
import type { PagePlace } from './pagePlace.ts';
import { TabPlace } from './tab.ts';

/** View type of the panels (contract). */
const chatViewType = 'interns.chat';

interface ChatTabsOptions {
  readonly extension: vscode.Uri;
  readonly memento: vscode.Memento;
  readonly log: Log;
  readonly clock: Clock;
  /** Makes the page of a conversation in a place. */
  readonly adopt: (place: PagePlace, open: OpenConversation) => ChatPanel;
  /** Opens a conversation that is remembered; undefined where it cannot be. */
  readonly find: (chat: KeptChat | undefined) => Promise<OpenConversation | undefined>;
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
        panels: () => [...this.#arriving, ...[...this.#pages.values()].map(({ panel }) => panel)],
        reopen: (dead) => void this.#reopen(dead),
      }),
    );
  }

  /** Opens a tab for a conversation that has no page. */
  open(open: OpenConversation, column = vscode.ViewColumn.Active): ChatPanel {
    const panel = vscode.window.createWebviewPanel(
      chatViewType,
      '',
      column,
      this.#webviewOptions(),
    );
    const page = this.#adopt(panel, open);
    page.postToPage('focusComposer', {});
    return page;
  }

  /** Fills a tab that VS Code restored. VS Code 1.100 loses a page's state where its tab moves to another window. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { find, has } = this.#options;
    const kept = v.safeParse(keptChatSchema, state);
    this.#arriving.add(panel);
    try {
      const open = await find(kept.success ? kept.output : this.#tabs.take(panel.title));
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
      const open = await find(kept);
      // A tab is not closed before it is known what stood in it, nor one whose page came late after all.
      if (kept === undefined || open === undefined || has(kept.conversation)) continue;
      if (this.#arriving.size > 0) {
        this.#tabs.giveBack(kept);
        continue;
      }
      await vscode.window.tabGroups.close(tab);
      this.open(open, viewColumn);
    }
    log.info('The extension host is new: chats of the last one are opened again');
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
    this.#tabs.remember(
      [...this.#pages].map(([{ open }, { panel }]) => ({ ...keptOf(open), title: panel.title })),
    );
  }
}
