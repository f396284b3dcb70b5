import type * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';

/** How long a dialog that consents takes no input: what was typed for the editor must not answer. */
export const GUARD_MS = 500;

/** Whether a quick pick takes input yet. */
interface Guard {
  readonly isOn: () => boolean;
  readonly restart: () => void;
}

/**
 * Makes a quick pick one that no keystroke meant for elsewhere may answer: it takes nothing until it has been drawn for
 * {@link GUARD_MS}, and does not filter. A letter would make the first match active, so each one is taken back and
 * starts the guard again.
 */
export function guardPick(box: vscode.QuickPick<vscode.QuickPickItem>, clock: Clock): Guard {
  // The first change of active rows comes of drawing the list: before it nobody can have chosen.
  let until: number | undefined;
  const isOn = () => until === undefined || clock.monotonic() < until;
  const restart = () => {
    until = clock.monotonic() + GUARD_MS;
  };
  box.onDidChangeValue((value) => {
    if (value === '') return;
    restart();
    box.value = '';
    box.activeItems = [];
  });
  box.onDidChangeActive((active) => {
    if (!isOn()) return;
    if (until === undefined) restart();
    if (active.length > 0) box.activeItems = [];
  });
  return { isOn, restart };
}
