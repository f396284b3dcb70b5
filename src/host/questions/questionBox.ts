import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { everySecondOf } from './everySecond.ts';

/** What the buttons of a question's dialog do. */
export type BoxButton = 'back' | 'conversation' | 'decline' | 'cancel';

/** What became of a dialog. */
export type BoxResult<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | { readonly kind: 'button'; readonly button: BoxButton }
  /** Escape, another quick input in its place, or the signal: VS Code does not say which. */
  | { readonly kind: 'hidden' };

/** What all dialogs of questions have in common. */
export interface BoxOptions<T> {
  readonly buttons: readonly BoxButton[];
  /** Called now, and whenever a second of the time left has gone. */
  readonly refresh: () => void;
  /** Milliseconds until the countdown runs out. */
  readonly timeLeft: () => number;
  readonly clock: Clock;
  /** The value that Enter or a click gives; undefined keeps the dialog. */
  readonly accept: () => T | undefined;
  /** Shows what is asked in full, and leaves the dialog as it is; undefined where there is no more to show. */
  readonly showWhole?: (() => void) | undefined;
  /** Closes the dialog as hidden. */
  readonly signal: AbortSignal;
}

/**
 * Shows a box until its user accepted, pressed a button or left. It stays open when the focus goes elsewhere; it is
 * disposed in every case.
 */
export function presentBox<T>(
  box: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { buttons, refresh, timeLeft, accept, showWhole, signal, clock }: BoxOptions<T>,
): Promise<BoxResult<T>> {
  const store = new DisposableStore();
  store.add(box);
  const faces = new Map(buttons.map((button) => [faceOf(button), button]));
  const whole = face('go-to-file', vscode.l10n.t('Show All That Is Asked'));
  box.buttons = showWhole === undefined ? [...faces.keys()] : [whole, ...faces.keys()];
  box.ignoreFocusOut = true;
  return new Promise((resolve) => {
    const settle = (result: BoxResult<T>) => {
      if (store.isDisposed) return;
      store.dispose();
      resolve(result);
    };
    const hide = () => settle({ kind: 'hidden' });
    store.add(
      box.onDidAccept(() => {
        const value = accept();
        if (value !== undefined) settle({ kind: 'accepted', value });
      }),
    );
    store.add(
      box.onDidTriggerButton((pressed) => {
        const button = faces.get(pressed);
        if (pressed === whole) showWhole?.();
        if (button !== undefined) settle({ kind: 'button', button });
      }),
    );
    store.add(box.onDidHide(hide));
    signal.addEventListener('abort', hide, { once: true });
    store.add({ dispose: () => signal.removeEventListener('abort', hide) });
    store.add(everySecondOf(timeLeft, clock, refresh));
    if (signal.aborted) hide();
    else box.show();
  });
}

function faceOf(button: BoxButton): vscode.QuickInputButton {
  switch (button) {
    case 'back':
      return vscode.QuickInputButtons.Back;
    case 'conversation':
      return face('comment-discussion', vscode.l10n.t('Show Conversation'));
    case 'decline':
      return face('circle-slash', vscode.l10n.t('Decline'));
    case 'cancel':
      return face('discard', vscode.l10n.t('Cancel the question'));
  }
}

function face(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}
