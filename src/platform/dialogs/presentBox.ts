import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { everySecondOf } from '../../base/timeLeft.ts';
import { plainText } from './plainText.ts';
import type {
  BoxButton,
  BoxText,
  BoxTexts,
  PickOptions,
  Refusal,
  StepResult,
  Submit,
} from './dialogs.ts';

type Box = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/** What boxes of every kind may have. */
type Options<T> = BoxTexts &
  Pick<PickOptions<T>, 'position' | 'signal' | 'buttons' | 'timeLeft' | 'submit'>;

/** What differs between the kinds of box. */
interface Parts<T> {
  /** What Enter or a click gives; undefined keeps the box. */
  readonly accept: () => T | undefined;
  /** What is worth keeping of the box when the user goes back or leaves. */
  readonly draft: () => T | undefined;
  /** Why a value cannot stand; shown by `refuse`. */
  readonly check: (value: T) => Refusal | undefined;
  readonly refuse: (refusal: Refusal) => void;
}

/**
 * Shows a box until the user gave a value, went back or left, or the dialog's signal closed it. It stays open when the
 * focus goes elsewhere: after a command from the palette it may come back late to where it was.
 */
export function presentBox<T>(
  box: Box,
  options: Options<T>,
  clock: Clock,
  { accept, draft, check, refuse }: Parts<T>,
): Promise<StepResult<T>> {
  const { position, signal, buttons = [], timeLeft, submit } = options;
  const store = new DisposableStore();
  const asking = new AbortController();
  box.ignoreFocusOut = true;
  box.buttons = [
    ...(position?.canGoBack === true ? [vscode.QuickInputButtons.Back] : []),
    ...buttons.map(toButton),
  ];
  if (position !== undefined && position.totalSteps > 1) {
    box.step = position.step;
    box.totalSteps = position.totalSteps;
  }

  return new Promise((resolve, reject) => {
    const isOver = () => asking.signal.aborted;
    const settle = (result: StepResult<T>) => {
      asking.abort();
      resolve(result);
      // The next step replaces this box first: closing it now would let the focus flicker back to the editor.
      setTimeout(() => store.dispose(), 0);
    };
    const kept = () => {
      const value = draft();
      return value === undefined ? {} : { draft: value };
    };
    const leave = () => settle({ kind: 'left', ...kept() });
    const take = async () => {
      if (box.busy || isOver()) return;
      const value = accept();
      if (value === undefined) return;
      const refusal = check(value) ?? (await ask(box, submit, value, asking.signal));
      if (isOver()) return;
      if (refusal === undefined) settle({ kind: 'value', value });
      else if (refusal.step === undefined) refuse(refusal);
      else settle({ kind: 'jump', step: refusal.step, refusal, draft: value });
    };
    const fail = (failure: unknown) => {
      reject(failure instanceof Error ? failure : new Error(String(failure)));
      leave();
    };
    const press = (pressed: vscode.QuickInputButton) => {
      const { button } = pressed as Partial<ButtonFace>;
      if (button?.run !== undefined) button.run();
      else if (button !== undefined) settle({ kind: 'left', button: button.id, ...kept() });
      else settle({ kind: 'back', ...kept() });
    };

    store.add(box);
    store.add(box.onDidAccept(() => void take().catch(fail)));
    store.add(box.onDidHide(leave));
    store.add(box.onDidTriggerButton(press));
    if ('onDidTriggerItemButton' in box)
      store.add(box.onDidTriggerItemButton(({ button }) => press(button)));
    signal?.addEventListener('abort', leave, { once: true });
    store.add({ dispose: () => signal?.removeEventListener('abort', leave) });
    const draw = () => drawTexts(box, options);
    if (timeLeft === undefined) draw();
    else store.add(everySecondOf(timeLeft, clock, draw));
    if (position?.refusal) refuse(position.refusal);
    if (signal?.aborted === true) leave();
    else box.show();
  });
}

/** Sets the texts that changed: a screen reader speaks them again when they are set. */
function drawTexts(box: Box, options: BoxTexts): void {
  const title = textOf(options.title);
  const prompt = textOf(options.prompt);
  const hint = textOf(options.placeholder);
  // A quick pick of VS Code 1.100 has no place for a prompt, and its box does not wrap: what is asked comes first.
  const placeholder = 'prompt' in box ? hint : [prompt, hint].filter(Boolean).join(' · ');
  if (box.title !== title) box.title = title;
  if ((box.placeholder ?? '') !== placeholder) box.placeholder = placeholder;
  if ('prompt' in box && (box.prompt ?? '') !== prompt) box.prompt = prompt;
}

function textOf(text: BoxText = ''): string {
  return plainText(typeof text === 'function' ? text() : text);
}

/** Asks whether a value may stand, and shows meanwhile that the box is busy. */
async function ask<T>(
  box: Box,
  submit: Submit<T> | undefined,
  value: T,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  if (submit === undefined) return undefined;
  box.busy = true;
  try {
    return await submit(value, signal);
  } finally {
    box.busy = false;
  }
}

/** A button as VS Code shows it, with what it does. */
interface ButtonFace extends vscode.QuickInputButton {
  readonly button: BoxButton;
}

export function toButton(button: BoxButton): ButtonFace {
  return { iconPath: new vscode.ThemeIcon(button.icon), tooltip: button.label, button };
}
