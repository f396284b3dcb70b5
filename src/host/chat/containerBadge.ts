import { l10n, type ViewBadge } from 'vscode';

/** A view whose icon can carry a number. */
export interface BadgeTarget {
  setBadge(badge: ViewBadge | undefined): void;
}

/** The one number on the container's icon: questions that wait, and runs that ended while nobody looked. */
export class ContainerBadge {
  readonly #unseen = new Set<string>();
  #questions: ViewBadge | undefined;
  #target: BadgeTarget | undefined;

  /** Joins the view; what was set before shows there now. */
  showOn(target: BadgeTarget): void {
    this.#target = target;
    this.#show();
  }

  setQuestions(badge: ViewBadge | undefined): void {
    this.#questions = badge;
    this.#show();
  }

  /** A conversation's run ended out of sight. */
  ended(conversation: string): void {
    this.#unseen.add(conversation);
    this.#show();
  }

  /** A conversation is in sight. */
  seen(conversation: string): void {
    if (this.#unseen.delete(conversation)) this.#show();
  }

  #show(): void {
    const unseen = this.#unseen.size;
    const words = unseen === 1 ? l10n.t('1 finished run') : l10n.t('{0} finished runs', unseen);
    const badge: ViewBadge | undefined =
      unseen === 0
        ? this.#questions
        : {
            value: unseen + (this.#questions?.value ?? 0),
            tooltip: [this.#questions?.tooltip, words].filter(Boolean).join('\n'),
          };
    this.#target?.setBadge(badge);
  }
}
