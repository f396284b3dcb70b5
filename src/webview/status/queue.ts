import type { QueuedPromptView, StatusView } from '../../protocol/view.ts';
import type { Composer } from '../composer/composer.ts';
import type { ComposerDraft } from '../composer/draft.ts';
import { h, hasModifier, icon, iconButton, keepFocus, setText, textBox } from '../dom.ts';
import { isOfInputMethod } from '../keys.ts';
import { isSendKey, type Page } from '../page.ts';
import { formatMessage } from '../localizer.ts';

/** Matches the start of a prompt that names its buttons: at most 60 characters of its first line. */
const START_OF_PROMPT = /^.{0,60}/u;

/**
 * Queued prompts, which can be edited or removed. The host sends no prompt while it is edited. Unsaved edits are part of the
 * draft, and move into the composer if another window sends their prompt.
 */
export class QueueList {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #composer: Composer;
  readonly #title = h('p', { class: 'queue-title' });
  readonly #list = h('ul', { class: 'queue-list' });
  readonly #prompts = new Map<string, QueuedPromptItem>();
  /** The IDs of the prompts that are being edited, as the host knows them. */
  #editing: readonly string[] = [];

  constructor(page: Page, composer: Composer) {
    this.#page = page;
    this.#composer = composer;
    this.element = h('section', { class: 'queue', 'aria-label': page.localizer.strings.queued });
    this.element.append(this.#title, this.#list);
    this.element.hidden = true;
  }

  set({ queue, queueHeld, canStop }: StatusView): void {
    const { strings } = this.#page.localizer;
    setText(this.#title, queueHeld ? strings.queueHeld : strings.queued);
    this.element.classList.toggle('held', queueHeld);
    // Without a run there is nothing to stop.
    this.element.classList.toggle('stoppable', canStop);
    keepFocus(this.#list, () => this.#arrange(queue), this.#composer);
    this.element.hidden = queue.length === 0;
  }

  /** Changes only what differs, because a prompt may have the focus. A prompt that is to be sent first moves up. */
  #arrange(prompts: readonly QueuedPromptView[]): void {
    const ids = new Set(prompts.map(({ id }) => id));
    for (const [id, prompt] of this.#prompts) if (!ids.has(id)) this.#remove(id, prompt);
    for (const [index, view] of prompts.entries()) {
      const prompt = this.#prompts.get(view.id) ?? this.#add(view);
      prompt.update(view);
      const before = this.#list.children.item(index);
      if (before !== prompt.element) this.#list.insertBefore(prompt.element, before);
    }
  }

  #add(view: QueuedPromptView): QueuedPromptItem {
    const { draft } = this.#composer;
    const prompt = new QueuedPromptItem(this.#page, view, draft, () => this.#keepEdits());
    this.#prompts.set(view.id, prompt);
    return prompt;
  }

  #remove(id: string, prompt: QueuedPromptItem): void {
    const { unsaved } = prompt;
    this.#prompts.delete(id);
    prompt.element.remove();
    if (unsaved !== '') this.#composer.append(unsaved);
    this.#keepEdits();
  }

  #keepEdits(): void {
    const prompts = [...this.#prompts];
    this.#composer.keepEdits(prompts.map(([, { unsaved }]) => unsaved));
    const ids = prompts.flatMap(([id, { isEdited }]) => (isEdited ? [id] : []));
    if (ids.join() === this.#editing.join()) return;
    this.#editing = ids;
    this.#page.post('editingQueued', { ids });
  }
}

/** A queued prompt, or the box in which it is edited. */
class QueuedPromptItem {
  readonly element = h('li', { class: 'queued' });
  readonly #page: Page;
  readonly #draft: ComposerDraft;
  readonly #onEdit: () => void;
  #view: QueuedPromptView;
  #input: HTMLTextAreaElement | undefined;

  /** @param onEdit called when an edit begins or ends, or the unsaved text has changed */
  constructor(page: Page, view: QueuedPromptView, draft: ComposerDraft, onEdit: () => void) {
    this.#page = page;
    this.#draft = draft;
    this.#onEdit = onEdit;
    this.#view = view;
    this.#show();
  }

  get isEdited(): boolean {
    return this.#input !== undefined;
  }

  /** The unsaved text, or an empty string. */
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
    const { post, localizer } = this.#page;
    const { id, text, attachments, mode, isReason } = this.#view;
    const { manual, selfDrive, queuedReason, editQueued, removeQueued, stopAndSendQueued } =
      localizer.strings;
    const stopAndSend = iconButton('send', this.#named(stopAndSendQueued), () =>
      post('stopAndSendQueued', { id }),
    );
    stopAndSend.classList.add('stop-and-send');
    const edit = iconButton('edit', this.#named(editQueued), () => this.#edit());
    const remove = iconButton('close', this.#named(removeQueued), () =>
      post('removeQueued', { id }),
    );
    const notes = [
      ...(isReason === true ? [queuedReason] : []),
      ...(mode === undefined ? [] : [mode === 'manual' ? manual : selfDrive]),
    ];
    const list = new Intl.ListFormat(localizer.strings.locale);
    const labels = list.format(attachments.map(({ label }) => label));
    this.#input = undefined;
    this.element.replaceChildren(
      icon('clock'),
      h('span', { class: 'queued-text', dir: 'auto' }, text),
      ...notes.map((note) => h('span', { class: 'queued-note' }, note)),
      ...(labels === '' ? [] : [h('span', { class: 'chip-size', dir: 'auto' }, labels)]),
      stopAndSend,
      edit,
      remove,
    );
    return edit;
  }

  #edit(): void {
    const { strings } = this.#page.localizer;
    const name = this.#named(strings.editQueued);
    const input = textBox({ 'aria-label': name });
    input.value = this.#view.text;
    input.addEventListener('input', () => this.#onEdit());
    input.addEventListener('keydown', (event) => {
      const isCancel = event.key === 'Escape' && !hasModifier(event);
      if (isOfInputMethod(event) || (!isCancel && !isSendKey(this.#page, event))) return;
      event.preventDefault();
      // Elsewhere, Escape focuses the composer.
      event.stopPropagation();
      if (isCancel) this.#cancel();
      else this.#save();
    });
    this.#input = input;
    const save = iconButton('check', strings.saveQueued, () => this.#save());
    const cancel = iconButton('discard', strings.cancelEdit, () => this.#cancel());
    this.element.replaceChildren(input, save, cancel);
    input.focus();
    this.#onEdit();
  }

  /** @param name a sentence with a hole for the prompt */
  #named(name: string): string {
    const text = this.#view.text.trim();
    const [shown = ''] = START_OF_PROMPT.exec(text) ?? [];
    return formatMessage(name, shown === text ? shown : `${shown}…`);
  }

  #cancel(): void {
    this.#show().focus();
    this.#onEdit();
  }

  #save(): void {
    const { unsaved } = this;
    this.#show().focus();
    if (unsaved.trim() !== '') {
      this.#page.post('editQueued', { id: this.#view.id, text: unsaved });
      this.#draft.addPosted(unsaved);
    }
    this.#onEdit();
  }
}
