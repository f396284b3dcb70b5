import type { QueuedPromptView } from '../../protocol/view.ts';
import { h, icon, iconButton, textButton } from '../dom.ts';
import type { Page } from '../page.ts';

/** What a prompt that waits tells of its edit. */
interface EditListener {
  /** What is typed differs, or was saved. */
  typed(): void;
  /** The host was sent this text. */
  posted(text: string): void;
}

/** A prompt that waits for the run to end, or the box in which its text is edited. */
export class QueuedPrompt {
  readonly element = h('li', { class: 'queued' });
  readonly #page: Page;
  readonly #listener: EditListener;
  #view: QueuedPromptView;
  /** There while it is edited. */
  #input: HTMLTextAreaElement | undefined;

  constructor(page: Page, view: QueuedPromptView, listener: EditListener) {
    this.#page = page;
    this.#listener = listener;
    this.#view = view;
    this.#show();
  }

  /** What was typed and is not saved yet; empty where that is nothing new. */
  get unsaved(): string {
    const text = this.#input?.value ?? '';
    return text === this.#view.text ? '' : text;
  }

  update(view: QueuedPromptView): void {
    const isSame = JSON.stringify(view) === JSON.stringify(this.#view);
    this.#view = view;
    if (!isSame && this.#input === undefined) this.#show();
  }

  /** @returns the button that edits it */
  #show(): HTMLButtonElement {
    const { post, words } = this.#page;
    const { id, text, attachments } = this.#view;
    const labels = attachments.map(({ label }) => label).join(', ');
    const edit = iconButton('edit', words.strings.editQueued, () => this.#edit());
    const remove = iconButton('close', words.strings.removeQueued, () =>
      post('removeQueued', { id }),
    );
    this.#input = undefined;
    this.element.replaceChildren(icon('clock'), h('span', { class: 'queued-text' }, text));
    if (labels !== '') this.element.append(h('span', { class: 'chip-size' }, labels));
    this.element.append(edit, remove);
    return edit;
  }

  #edit(): void {
    const { strings } = this.#page.words;
    const input = h('textarea', { rows: 1, 'aria-label': strings.editQueued });
    input.value = this.#view.text;
    input.addEventListener('input', () => this.#listener.typed());
    input.addEventListener('keydown', (event) => {
      if (event.isComposing || event.key !== 'Enter' || event.shiftKey) return;
      event.preventDefault();
      this.#save();
    });
    this.#input = input;
    const save = textButton(strings.saveQueued, () => this.#save(), 'primary');
    this.element.replaceChildren(input, save);
    input.focus();
  }

  #save(): void {
    const { unsaved } = this;
    this.#show().focus();
    if (unsaved.trim() !== '') {
      this.#page.post('editQueued', { id: this.#view.id, text: unsaved });
      this.#listener.posted(unsaved);
    }
    this.#listener.typed();
  }
}
