import { l10n, type ViewBadge } from 'vscode';
import { Emitter } from '../../base/event.ts';

/** The one number on the container's icon: questions that wait, and runs that ended while nobody looked. */
export class ContainerBadge {
  readonly #changed = new Emitter<ViewBadge | undefined>();
  readonly #unseen = new Set<string>();
  #questions: ViewBadge | undefined;

  readonly onDidChange = this.#changed.event;

  setQuestions(badge: ViewBadge | undefined): void {
    this.#questions = badge;
    this.#update();
  }

  /** A conversation's run ended out of sight. */
  ended(conversation: string): void {
    this.#unseen.add(conversation);
    this.#update();
  }

  /** Forgets all but these: the others came in sight, or are gone. */
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
