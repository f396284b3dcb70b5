import { l10n, type ViewBadge } from 'vscode';
import { Emitter } from '../../base/disposable.ts';
import { formatNumber } from '../../platform/text/format.ts';

/** The number on the container's icon: pending questions and unread conversations. */
export class ContainerBadge {
  readonly #changed = new Emitter<ViewBadge | undefined>();
  #unread = 0;
  #questions: ViewBadge | undefined;

  readonly onDidChange = this.#changed.event;

  setQuestions(badge: ViewBadge | undefined): void {
    this.#questions = badge;
    this.#update();
  }

  /** @param count conversations with something new, without those that wait for the user */
  setUnread(count: number): void {
    this.#unread = count;
    this.#update();
  }

  #update(): void {
    const words =
      this.#unread === 1
        ? l10n.t('1 unread conversation')
        : l10n.t('{0} unread conversations', formatNumber(this.#unread));
    this.#changed.fire(
      this.#unread === 0
        ? this.#questions
        : {
            value: this.#unread + (this.#questions?.value ?? 0),
            tooltip: [this.#questions?.tooltip, words].filter(Boolean).join('\n'),
          },
    );
  }
}
