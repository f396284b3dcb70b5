import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { DisposableBase, type Disposable } from '../../../base/disposable.ts';

/** How long VS Code may take to hand over the page of a tab that it restores, in ms. */
const patienceMs = 4_000;

interface DeadTabsOptions {
  readonly clock: Clock;
  readonly viewType: string;
  /** The panels that this extension host has, or is being handed. */
  readonly panels: () => readonly vscode.WebviewPanel[];
  /** Opens anew what stood in tabs whose pages are dead. */
  readonly reopen: (dead: readonly vscode.Tab[]) => void;
}

/**
 * Finds tabs that outlived their extension host. After a reload of the window VS Code hands a tab's page to the new
 * host as soon as it is shown; after the host alone died it never does, and a tab in sight that stays without a panel
 * gives it away. No id tells the two apart: `vscode.env.sessionId` is the same for all windows without telemetry.
 */
export class DeadTabs extends DisposableBase {
  readonly #options: DeadTabsOptions;
  #timer: Disposable | undefined;

  constructor(options: DeadTabsOptions) {
    super();
    this.#options = options;
    const { tabGroups } = vscode.window;
    this.own(tabGroups.onDidChangeTabs(() => this.#look()));
    this.own(tabGroups.onDidChangeTabGroups(() => this.#look()));
    this.own({ dispose: () => this.#timer?.dispose() });
    this.#look();
  }

  #look(): void {
    if (this.#timer !== undefined || !this.#isOneInSight()) return;
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#timer = undefined;
      if (this.#isOneInSight()) this.#options.reopen(this.#withoutPanel());
    }, patienceMs);
  }

  /** Whether a chat is in sight that no panel of ours shows. */
  #isOneInSight(): boolean {
    return this.#withoutPanel().some(({ isActive }) => isActive);
  }

  /** Chat tabs but one for each panel in the same column: by the title where several are. */
  #withoutPanel(): readonly vscode.Tab[] {
    const panels = [...this.#options.panels()];
    return chatTabs(this.#options.viewType)
      .sort((a, b) => Number(b.isActive) - Number(a.isActive))
      .filter((tab) => {
        const at = panels.findIndex((panel) => isOf(tab, panel));
        if (at !== -1) panels.splice(at, 1);
        return at === -1;
      });
  }
}

/** The tabs of this window that show a chat, whether their pages are there or not. */
export function chatTabs(viewType: string): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType),
    );
}

function isOf({ isActive, group, label }: vscode.Tab, panel: vscode.WebviewPanel): boolean {
  if (panel.viewColumn !== undefined && panel.viewColumn !== group.viewColumn) return false;
  return isActive ? panel.visible : !panel.visible && panel.title === label;
}
