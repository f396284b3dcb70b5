import type { QueuedPromptView } from '../../protocol/view.ts';
import { h, icon, iconButton, textButton } from '../dom.ts';
import type { Page } from '../page.ts';

/** Prompts that wait for the run to end; each can be edited or taken back. */
export class Queue {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #title = h('p', { class: 'queue-title' });
  readonly #list = h('ul', { class: 'queue-list' });
  /** The prompt that is being edited, by its id. */
  #editing: string | undefined;
  #drawn = '';

  constructor(page: Page) {
    this.#page = page;
    this.element = h('section', { class: 'queue', 'aria-label': page.words.strings.queued });
    this.element.append(this.#title, this.#list);
    this.element.hidden = true;
  }

  set(prompts: readonly QueuedPromptView[], held: boolean): void {
    const state = JSON.stringify([prompts, held]);
    if (state === this.#drawn) return;
    this.#drawn = state;
    const { strings } = this.#page.words;
    this.element.hidden = prompts.length === 0;
    this.#title.textContent = held ? strings.queueHeld : strings.queued;
    this.element.classList.toggle('held', held);
    const edited = this.#list.querySelector('textarea')?.value;
    this.#list.replaceChildren(...prompts.map((prompt) => this.#item(prompt, edited)));
  }

  /** @param edited text that was being edited when the list was drawn again */
  #item(prompt: QueuedPromptView, edited?: string): HTMLLIElement {
    const item = h('li', { class: 'queued' });
    if (this.#editing === prompt.id) this.#edit(item, prompt, edited ?? prompt.text);
    else this.#show(item, prompt);
    return item;
  }

  #show(item: HTMLLIElement, prompt: QueuedPromptView): void {
    const { post, words } = this.#page;
    const { strings } = words;
    const labels = prompt.attachments.map(({ label }) => label).join(', ');
    item.replaceChildren(icon('clock'), h('span', { class: 'queued-text' }, prompt.text));
    if (labels !== '') item.append(h('span', { class: 'chip-size' }, labels));
    item.append(
      iconButton('edit', strings.editQueued, () => this.#edit(item, prompt, prompt.text)),
      iconButton('close', strings.removeQueued, () => post('removeQueued', { id: prompt.id })),
    );
  }

  #edit(item: HTMLLIElement, prompt: QueuedPromptView, text: string): void {
    const { post, words } = this.#page;
    this.#editing = prompt.id;
    const input = h('textarea', { rows: 1, 'aria-label': words.strings.editQueued });
    input.value = text;
    const save = (): void => {
      this.#editing = undefined;
      this.#show(item, prompt);
      if (input.value.trim() !== '') post('editQueued', { id: prompt.id, text: input.value });
    };
    input.addEventListener('keydown', (event) => {
      if (event.isComposing || event.key !== 'Enter' || event.shiftKey) return;
      event.preventDefault();
      save();
    });
    item.replaceChildren(input, textButton(words.strings.saveQueued, save, 'primary'));
    input.focus();
  }
}
