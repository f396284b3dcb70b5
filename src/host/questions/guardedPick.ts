import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { presentBox, type BoxButton, type BoxResult } from './questionBox.ts';

/** How long a dialog that consents takes no input: what was typed for the editor must not answer. */
export const GUARD_MS = 500;

/** A row; one without a value is only read. Its texts are shown as they are. */
export interface GuardedRow<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly icon?: vscode.ThemeIcon;
  readonly value?: T;
}

/** What a guarded pick shows. */
export interface GuardedPickOptions<T> {
  readonly title: () => string;
  readonly placeholder: () => string;
  readonly rows: readonly GuardedRow<T>[];
  readonly buttons: readonly BoxButton[];
  readonly step?: { readonly step: number; readonly totalSteps: number };
  readonly timeLeft: () => number;
  readonly showWhole?: (() => void) | undefined;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

type Item<T> = vscode.QuickPickItem & { readonly value: T | undefined };

/**
 * A quick pick whose rows consent to something, so that no keystroke meant for elsewhere may choose one.
 *
 * It opens with no row active, takes nothing until it has been drawn for {@link GUARD_MS}, and does not filter: a letter would make
 * the first match active, so each one is taken back and starts the guard again. Only active rows are read, because a
 * selection outlives an accept that was ignored.
 */
export async function showGuardedPick<T>(options: GuardedPickOptions<T>): Promise<BoxResult<T>> {
  const { clock, rows } = options;
  const box = vscode.window.createQuickPick<Item<T>>();
  box.items = rows.map(toItem);
  box.activeItems = [];
  if (options.step !== undefined) Object.assign(box, options.step);

  // The first change of active rows is the drawn list's own: until then, however late, nobody can have chosen.
  let guardedUntil: number | undefined;
  const isGuarded = () => guardedUntil === undefined || clock.monotonic() < guardedUntil;
  box.onDidChangeValue((value) => {
    if (value === '') return;
    guardedUntil = clock.monotonic() + GUARD_MS;
    box.value = '';
    box.activeItems = [];
  });
  box.onDidChangeActive((active) => {
    if (!isGuarded()) return;
    guardedUntil ??= clock.monotonic() + GUARD_MS;
    if (active.length > 0) box.activeItems = [];
  });

  return presentBox(box, {
    buttons: options.buttons,
    signal: options.signal,
    timeLeft: options.timeLeft,
    showWhole: options.showWhole,
    clock,
    refresh: () => {
      box.title = options.title();
      box.placeholder = options.placeholder();
    },
    accept: () => {
      const value = isGuarded() ? undefined : box.activeItems[0]?.value;
      if (value === undefined) box.selectedItems = [];
      return value;
    },
  });
}

function toItem<T>({ label, description, detail, icon, value }: GuardedRow<T>): Item<T> {
  return {
    label,
    alwaysShow: true,
    ...(description !== undefined && { description }),
    ...(detail !== undefined && { detail }),
    ...(icon && { iconPath: icon }),
    value,
  };
}
