import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Event } from '../../base/disposable.ts';
import { drawEverySecond } from '../../base/timeLeft.ts';
import { plainText } from './plainText.ts';
import type { BoxButton, BoxOptions, BoxText, Refusal, StepResult } from './dialogs.ts';

/**
 * How long a dialog for consent ignores input, in ms: keys meant for the editor must not answer it. During this time, a
 * page that takes the focus from a dialog does so by mistake.
 */
export const INPUT_GUARD_MS = 500;

export interface BoxServices {
  readonly clock: Clock;
  /** Fires when a page gets the focus. */
  readonly onPageFocus: Event<void>;
}

type Box = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

/** The parts that differ between input boxes and quick picks. */
interface BoxKind<T> {
  /** Returns the value on Enter or a click; undefined keeps the box open. */
  readonly accept: () => T | undefined;
  /** Returns the content to keep when the user goes back or leaves. */
  readonly draft?: () => T | undefined;
  readonly check?: (value: T) => Refusal | undefined;
  readonly refuse: (refusal: Refusal) => void;
  /** Starts work that fills the box. A failure of it closes the box. */
  readonly start?: ((fail: (failure: unknown) => void) => void) | undefined;
}

/**
 * Shows a box until the user gives a value, goes back or leaves, or the signal closes it. It stays open when it loses
 * the focus, which may return late to its former owner after a command of the palette.
 */
export function presentBox<T>(
  box: Box,
  options: BoxOptions<T>,
  services: BoxServices,
  { accept, draft, check, refuse, start }: BoxKind<T>,
): Promise<StepResult<T>> {
  const { position, signal, timeLeftMs, submit } = options;
  const store = new DisposableStore();
  const asking = new AbortController();
  prepareBox(box, options);

  return new Promise((resolve, reject) => {
    const isOver = () => asking.signal.aborted;
    const settle = (result: StepResult<T>) => {
      asking.abort();
      resolve(result);
      // The next step replaces this box first. Closing it now would move the focus to the editor for a moment.
      setTimeout(() => store.dispose(), 0);
    };
    const withDraft = () => {
      const value = draft?.();
      return value === undefined ? {} : { draft: value };
    };
    const leave = () => settle({ kind: 'left', ...withDraft() });
    const submitted = async (value: T) => {
      if (submit === undefined) return undefined;
      box.busy = true;
      try {
        return await submit(value, asking.signal);
      } finally {
        box.busy = false;
      }
    };
    let problem = '';
    const showRefusal = (refusal: Refusal) => {
      // An input box has a line of its own for it.
      if ('items' in box) problem = refusal.message;
      draw();
      refuse(refusal);
    };
    const take = async () => {
      if (box.busy || isOver()) return;
      const value = accept();
      if (value === undefined) return;
      const refusal = check?.(value) ?? (await submitted(value));
      if (isOver()) return;
      if (refusal === undefined) settle({ kind: 'value', value });
      else if (refusal.step === undefined) showRefusal(refusal);
      else settle({ kind: 'jump', step: refusal.step, refusal, draft: value });
    };
    const fail = (failure: unknown) => {
      reject(failure instanceof Error ? failure : new Error(String(failure)));
      leave();
    };
    const press = (pressed: vscode.QuickInputButton) => {
      const { button } = pressed as Partial<QuickButton>;
      if (button?.run !== undefined) button.run();
      else if (button !== undefined) settle({ kind: 'left', button: button.id, ...withDraft() });
      else settle({ kind: 'back', ...withDraft() });
    };

    store.add(box);
    store.add(box.onDidAccept(() => void take().catch(fail)));
    store.add(keepFocus(box, services, leave));
    store.add(box.onDidTriggerButton(press));
    if ('onDidTriggerItemButton' in box)
      store.add(box.onDidTriggerItemButton(({ button }) => press(button)));
    signal?.addEventListener('abort', leave, { signal: asking.signal });
    const draw = () => drawTexts(box, options, problem);
    if (timeLeftMs === undefined) draw();
    else store.add(drawEverySecond(timeLeftMs, services.clock, draw));
    if (position?.refusal) showRefusal(position.refusal);
    start?.(fail);
    if (signal?.aborted === true) leave();
    else box.show();
  });
}

/** Sets what stays the same while the box is open. */
function prepareBox<T>(box: Box, { position, buttons = [] }: BoxOptions<T>): void {
  box.ignoreFocusOut = true;
  box.buttons = [
    ...(position?.canGoBack === true ? [vscode.QuickInputButtons.Back] : []),
    ...buttons.map(toButton),
  ];
  if (position === undefined || position.totalSteps < 2) return;
  box.step = position.step;
  box.totalSteps = position.totalSteps;
}

/**
 * Gives a new box the focus back if a page takes it. After a command of the palette, VS Code may return the focus to the
 * page only after the box has opened.
 *
 * @param onHide called when anything else closes the box
 */
function keepFocus(
  box: Box,
  { clock, onPageFocus }: BoxServices,
  onHide: () => void,
): DisposableStore {
  const store = new DisposableStore();
  const openedAt = clock.monotonic();
  let ownHides = 0;
  store.add(
    onPageFocus(() => {
      if (clock.monotonic() - openedAt >= INPUT_GUARD_MS) return;
      // VS Code's command focuses only lists. A list that is shown again would lose its ticks.
      if ('items' in box) void vscode.commands.executeCommand('workbench.action.focusQuickOpen');
      else {
        ownHides += 1;
        box.hide();
        box.show();
      }
    }),
  );
  store.add(
    box.onDidHide(() => {
      if (ownHides > 0) ownHides -= 1;
      else onHide();
    }),
  );
  return store;
}

/** Sets only texts that changed: a screen reader speaks each one that is set. */
function drawTexts<T>(box: Box, options: BoxOptions<T>, problem = ''): void {
  const title = [plainText(problem), textOf(options.title)].filter(Boolean).join(' · ');
  const prompt = textOf(options.prompt);
  const hint = textOf(options.placeholder);
  // In VS Code 1.100, a quick pick has no prompt and its placeholder does not wrap: the prompt comes first.
  const placeholder = 'prompt' in box ? hint : [prompt, hint].filter(Boolean).join(' · ');
  if (box.title !== title) box.title = title;
  if ((box.placeholder ?? '') !== placeholder) box.placeholder = placeholder;
  if ('prompt' in box && (box.prompt ?? '') !== prompt) box.prompt = prompt;
}

function textOf(text: BoxText = ''): string {
  return plainText(typeof text === 'function' ? text() : text);
}

interface QuickButton extends vscode.QuickInputButton {
  readonly button: BoxButton;
}

export function toButton(button: BoxButton): QuickButton {
  return { iconPath: new vscode.ThemeIcon(button.icon), tooltip: button.label, button };
}
