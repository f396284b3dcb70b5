import type { ActionId, ActionView, StatusView } from '../protocol/view.ts';
import type { Announcer } from './announcer.ts';
import { post } from './connection.ts';
import { h, iconButton, textButton } from './dom.ts';
import type { FileLinks } from './fileLinks.ts';
import type { CodeHighlighter } from './markdown/draw/codeBlock.ts';
import type { Ticker } from './ticker.ts';
import type { Localizer } from './localizer.ts';

/** How long a button shows a check mark after it has copied, in ms. */
const COPIED_FEEDBACK_MS = 1500;

/** Services and state that the parts of the page share. */
export interface Page {
  readonly localizer: Localizer;
  readonly ticker: Ticker;
  readonly highlighter: CodeHighlighter;
  readonly files: FileLinks;
  /** True if replies are shown as plain text, because the page hung when it last drew them. */
  isPlain: boolean;
  readonly announcer: Announcer;
  /** The open (true) and closed folds of replies, by message, part and index. Folds stay so when they are drawn again. */
  readonly folds: Map<string, boolean>;
  status: StatusView;
}

/** Returns whether a key sends the text. Every other Enter inserts a line break. */
export function isSendKey({ status }: Page, event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.altKey) return false;
  return status.settings.sendWith === 'enter' || event.ctrlKey || event.metaKey;
}

/** Returns whether a key stops the run and sends the text: the send key with one more modifier than it needs. */
export function isStopAndSendKey({ status }: Page, event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || event.altKey || !(event.ctrlKey || event.metaKey)) return false;
  return event.shiftKey === (status.settings.sendWith === 'ctrl+enter');
}

const PRIMARY_ACTIONS = new Set<ActionId>(['answer', 'retry', 'sendQueue', 'signIn', 'sendNow']);

/** Creates the bar of buttons for the actions that the host offers, or nothing if there are none. */
export function actionBar(actions: readonly ActionView[], target?: string): HTMLElement[] {
  if (actions.length === 0) return [];
  const buttons = actions.map(({ id, label }, index) =>
    textButton(
      label,
      ({ detail: clicks }) => {
        // The second click of a double click would act again, or on the button that took the place of the first.
        if (clicks > 1) return;
        post('act', target === undefined ? { action: id } : { action: id, target });
      },
      index === 0 && PRIMARY_ACTIONS.has(id) ? 'primary' : 'secondary',
    ),
  );
  return [h('div', { class: 'actions' }, ...buttons)];
}

/** Creates a button that copies something, and shows and announces that. */
export function copyButton(
  page: Page,
  symbol: 'copy' | 'tag' | 'link',
  label: string,
  copy: () => void,
): HTMLButtonElement {
  const button = iconButton(symbol, label, () => {
    copy();
    showCopied(page, button);
  });
  return button;
}

/** Shows a check mark on a button and announces that something was copied. */
export function showCopied(page: Page, button: Element): void {
  page.announcer.say(page.localizer.strings.copied);
  const symbol = button.querySelector('.codicon:not(.codicon-check)');
  if (symbol === null) return;
  const { className } = symbol;
  symbol.className = 'codicon codicon-check';
  setTimeout(() => (symbol.className = className), COPIED_FEEDBACK_MS);
}
