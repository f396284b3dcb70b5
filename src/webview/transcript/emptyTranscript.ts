import type { StatusView } from '../../protocol/view.ts';
import { h, icon, setText } from '../dom.ts';
import { formatMessage, type Localizer } from '../localizer.ts';

/** Invites the user to begin a conversation without messages. */
export class EmptyTranscript {
  readonly element: HTMLElement;
  readonly #localizer: Localizer;
  readonly #title = h('p', { class: 'empty-title', dir: 'auto' });
  readonly #manual = h('p', {});

  constructor(localizer: Localizer) {
    this.#localizer = localizer;
    const hint = h('p', {}, localizer.strings.emptyHint);
    const sign = icon('comment-discussion');
    this.element = h('div', { class: 'empty' }, sign, this.#title, hint, this.#manual);
  }

  setStatus({ internName, mode }: StatusView): void {
    const { emptyTitle, emptyManual } = this.#localizer.strings;
    setText(this.#title, formatMessage(emptyTitle, internName));
    setText(this.#manual, mode === 'manual' ? emptyManual : '');
  }
}
