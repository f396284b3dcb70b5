import { l10n, type ViewBadge } from 'vscode';
import { Emitter } from '../../base/disposable.ts';

/** The number on the container's icon: pending questions, and runs that ended in chats that were not visible. */
export class ContainerBadge {
  readonly #changed = new Emitter<ViewBadge | undefined>();
  readonly #unseen = new Set<string>();
  #questions: ViewBadge | undefined;

  readonly onDidChange = this.#changed.event;

  setQuestions(badge: ViewBadge | undefined): void {
    this.#questions = badge;
    this.#update();
  }

  /** Adds a conversation whose run ended unseen. */
  addEndedRun(conversation: string): void {
    this.#unseen.add(conversation);
    this.#update();
  }

  /** Drops all conversations but these. */
  keepOnly(unseen: ReadonlySet<string>): void {
    const before = this.#unseen.size;
    for (const each of this.#unseen) if (!unseen.has(each)) this.#unseen.delete(each);
    if (this.#unseen.size !== before) this.#update();
  }

  #update(): void {
    const unseen = this.#unseen.size;
    const words = unseen === 1 ? l10n.t('1 finished run') : l10n.t('{0} finished runs', unseen);
    this.#changed.fire(
      unseen === 0
        ? this.#questions
        : {
            value: unseen + (this.#questions?.value ?? 0),
            tooltip: [this.#questions?.tooltip, words].filter(Boolean).join('\n'),
          },
    );
  }
}
