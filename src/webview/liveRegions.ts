import type { Voice } from './announcer.ts';
import { h } from './dom.ts';

/** The two regions of the page that screen readers read aloud when they change. */
export class LiveRegions implements Voice {
  readonly #status = h('div', { class: 'visually-hidden', role: 'status' });
  readonly #alert = h('div', { class: 'visually-hidden', 'aria-live': 'assertive' });

  get elements(): readonly HTMLElement[] {
    return [this.#status, this.#alert];
  }

  get isInSight(): boolean {
    return !document.hidden;
  }

  polite(text: string): void {
    this.#status.textContent = text;
  }

  assertive(text: string): void {
    this.#alert.textContent = text;
  }
}
