import type { QueuedPromptView } from '../../protocol/view.ts';
import type { Composer } from '../composer/composer.ts';
import { h, keepFocus, setText } from '../dom.ts';
import type { Page } from '../page.ts';
import { QueuedPrompt } from './queuedPrompt.ts';

/**
 * Prompts that wait for the run to end; each can be edited or taken back. What is typed there is kept with the draft
 * until it is saved, and goes into the composer where its prompt is sent meanwhile.
 */
export class Queue {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #composer: Composer;
  readonly #title = h('p', { class: 'queue-title' });
  readonly #list = h('ul', { class: 'queue-list' });
  readonly #prompts = new Map<string, QueuedPrompt>();

  constructor(page: Page, composer: Composer) {
    this.#page = page;
    this.#composer = composer;
    this.element = h('section', { class: 'queue', 'aria-label': page.words.strings.queued });
    this.element.append(this.#title, this.#list);
    this.element.hidden = true;
  }

  set(prompts: readonly QueuedPromptView[], held: boolean): void {
    const { strings } = this.#page.words;
    setText(this.#title, held ? strings.queueHeld : strings.queued);
    this.element.classList.toggle('held', held);
    keepFocus(this.#list, () => this.#arrange(prompts), this.#composer);
    this.element.hidden = prompts.length === 0;
  }

  /** Leaves alone what stays, which may be in use: prompts come and leave, and never change places. */
  #arrange(prompts: readonly QueuedPromptView[]): void {
    const ids = new Set(prompts.map(({ id }) => id));
    for (const [id, prompt] of this.#prompts) if (!ids.has(id)) this.#remove(id, prompt);
    for (const [place, view] of prompts.entries()) {
      const prompt = this.#prompts.get(view.id);
      if (prompt === undefined) this.#add(view, place);
      else prompt.update(view);
    }
  }

  #add(view: QueuedPromptView, place: number): void {
    const prompt = new QueuedPrompt(this.#page, view, {
      typed: () => this.#keepEdits(),
      posted: (text) => this.#composer.addUnconfirmed(text),
    });
    this.#prompts.set(view.id, prompt);
    this.#list.insertBefore(prompt.element, this.#list.children.item(place));
  }

  #remove(id: string, prompt: QueuedPrompt): void {
    const { unsaved } = prompt;
    this.#prompts.delete(id);
    prompt.element.remove();
    if (unsaved === '') return;
    this.#composer.append(unsaved);
    this.#keepEdits();
  }

  #keepEdits(): void {
    this.#composer.keepEdits([...this.#prompts.values()].map(({ unsaved }) => unsaved));
  }
}
