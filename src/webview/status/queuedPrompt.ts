import type { QueuedPromptView } from '../../protocol/view.ts';
import { h, icon, iconButton } from '../dom.ts';
import type { Page } from '../page.ts';
import { fill } from '../words.ts';

/** How much of its prompt the name of a button holds at most, in characters. */
const longestName = 60;

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
    const { id, text, attachments, mode, isReason } = this.#view;
    const labels = attachments.map(({ label }) => label).join(', ');
    const edit = iconButton('edit', this.#named(words.strings.editQueued), () => this.#edit());
    const remove = iconButton('close', this.#named(words.strings.removeQueued), () =>
      post('removeQueued', { id }),
    );
    this.#input = undefined;
    this.element.replaceChildren(
      icon('clock'),
      h('span', { class: 'queued-text', dir: 'auto' }, text),
    );
    const { manual, selfDrive, queuedReason } = words.strings;
    const note = (name: string): void =>
      this.element.append(h('span', { class: 'queued-note' }, name));
    if (isReason === true) note(queuedReason);
    if (mode !== undefined) note(mode === 'manual' ? manual : selfDrive);
    if (labels !== '') this.element.append(h('span', { class: 'chip-size', dir: 'auto' }, labels));
    this.element.append(edit, remove);
    return edit;
  }

  #edit(): void {
    const { strings } = this.#page.words;
    const input = h('textarea', {
      rows: 1,
      dir: 'auto',
      'aria-label': this.#named(strings.editQueued),
    });
    input.value = this.#view.text;
    input.addEventListener('input', () => this.#listener.typed());
    input.addEventListener('keydown', (event) => {
      if (event.isComposing || !this.#page.sendKey.isPressed(event)) return;
      event.preventDefault();
      this.#save();
    });
    this.#input = input;
    const save = iconButton('check', strings.saveQueued, () => this.#save());
    this.element.replaceChildren(input, save);
    input.focus();
  }

  /** @param name of a button or box, with a place for the prompt */
  #named(name: string): string {
    const [line = ''] = this.#view.text.trim().split('\n', 1);
    const start = Array.from(line.slice(0, 2 * longestName));
    const shown = start.slice(0, longestName).join('');
    return fill(name, shown === this.#view.text.trim() ? shown : `${shown}…`);
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
