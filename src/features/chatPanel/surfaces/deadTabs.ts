import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';

/** View type of the panels. VS Code saves it with each tab, so it never changes. */
export const CHAT_VIEW_TYPE = 'interns.chat';

/** How long VS Code may take to restore the page of a visible tab, in ms. */
const RESTORE_TIMEOUT_MS = 4_000;

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
export function findDeadTabs({ clock, panels, reopen }: DeadTabsOptions): Disposable {
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
export function chatTabs(): vscode.Tab[] {
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
