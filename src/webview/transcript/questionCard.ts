import { INTERACTION_DEADLINE_MS } from '../../base/limits.ts';
import { formatTimeLeft } from '../../base/timeLeft.ts';
import type { PartView, QuestionView } from '../../protocol/view.ts';
import { h, icon, setText } from '../dom.ts';
import { actionBar, type Page } from '../page.ts';
import { fill } from '../words.ts';
import type { PartDrawing } from './messages.ts';

const symbols = { permission: 'shield', elicitation: 'question', unreadable: 'warning' } as const;

/** A question of the intern's. It is answered in the editor's own dialogs; the card says what is asked and how long. */
export class QuestionCard implements PartDrawing {
  readonly element: HTMLElement = h('section', { class: 'question' });
  readonly blockCount = 1;
  readonly #page: Page;
  #drawn = '';

  constructor(page: Page, question: QuestionView) {
    this.#page = page;
    this.#draw(question);
  }

  update(part: PartView): boolean {
    if (part.kind !== 'question') return false;
    this.#draw(part.question);
    return true;
  }

  append(): void {
    // A question comes whole.
  }

  draw(): boolean {
    return false;
  }

  /** Draws the card again only where it differs, so that the focus on one of its buttons stays. */
  #draw(question: QuestionView): void {
    const state = JSON.stringify(question);
    if (state === this.#drawn) return;
    this.#drawn = state;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.classList.toggle('pending', question.pending);
    // Whoever comes upon a card that is closed hears who decided it, and that is not always its user.
    const name = question.pending ? question.title : `${question.title} ${question.stateText}`;
    this.element.setAttribute('aria-label', name);
    const status = h('p', { class: 'question-state' }, h('span', {}, question.stateText));
    this.element.replaceChildren(
      h(
        'p',
        { class: 'question-title' },
        icon(symbols[question.kind]),
        h('span', { dir: 'auto' }, question.title),
      ),
    );
    if (question.detail !== '')
      this.element.append(h('p', { class: 'question-detail', dir: 'auto' }, question.detail));
    const actions = actionBar(this.#page, question.actions, question.id);
    this.element.append(
      h('div', { class: 'question-foot' }, ...(actions ? [actions] : []), status),
    );
    if (question.pending && question.deadline !== undefined) this.#count(status, question.deadline);
    if (!hadFocus) return;
    const { element } = this;
    (element.querySelector('button') ?? element.closest<HTMLElement>('.message'))?.focus();
  }

  #count(status: HTMLElement, deadline: number): void {
    const { strings } = this.#page.words;
    const left = h('span', { class: 'time-left', role: 'timer' });
    status.append(left);
    this.#page.ticker.watch(left, deadline, (until) => {
      const rest = Math.min(until, INTERACTION_DEADLINE_MS);
      left.classList.toggle('urgent', rest < 60_000);
      setText(left, rest > 0 ? fill(strings.timeLeft, formatTimeLeft(rest)) : strings.timeUp);
    });
  }
}
