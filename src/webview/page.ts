import type { ActionView } from '../protocol/view.ts';
import type { Announcer } from './announcer.ts';
import type { Post } from './connection.ts';
import { h, textButton } from './dom.ts';
import type { FileLinks } from './fileLinks.ts';
import type { Colouring } from './markdown/codeBlock.ts';
import type { Ticker } from './ticker.ts';
import type { Words } from './words.ts';

/** What the parts of the page share. */
export interface Page {
  readonly post: Post;
  readonly words: Words;
  readonly ticker: Ticker;
  readonly colouring: Colouring;
  readonly files: FileLinks;
  readonly announcer: Announcer;
}

const primaryActions = new Set<ActionView['id']>([
  'answer',
  'retry',
  'sendQueue',
  'signIn',
  'sendNow',
]);

/** The buttons for what the host offers; undefined where it offers nothing. */
export function actionBar(
  page: Page,
  actions: readonly ActionView[],
  target?: string,
): HTMLElement | undefined {
  if (actions.length === 0) return undefined;
  const buttons = actions.map(({ id, label }, index) =>
    textButton(
      label,
      () => page.post('act', target === undefined ? { action: id } : { action: id, target }),
      index === 0 && primaryActions.has(id) ? 'primary' : 'secondary',
    ),
  );
  return h('div', { class: 'actions' }, ...buttons);
}
