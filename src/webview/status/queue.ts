import type { QueuedPromptView, StatusView } from '../../protocol/view.ts';
import type { Composer } from '../composer/composer.ts';
import type { ComposerDraft } from '../composer/draft.ts';
import { post } from '../connection.ts';
import {
  h,
  hasModifier,
  icon,
  iconButton,
  keepFocus,
  setText,
  textBox,
  type Drawn,
} from '../dom.ts';
import { isOfInputMethod } from '../keys.ts';
import { isSendKey, type Page } from '../page.ts';
import { formatMessage } from '../localizer.ts';

/** Matches the start of a prompt that names its buttons: at most 60 characters of its first line. */
const START_OF_PROMPT = /^.{0,60}/u;

/**
 * Creates the list of queued prompts, which can be edited or removed. The host sends no prompt while it is edited. Unsaved
 * edits are part of the draft, and move into the composer if another window sends their prompt.
 */
export function createQueue(page: Page, composer: Composer): Drawn<StatusView> {
  const { queued, queueHeld: held } = page.localizer.strings;
  const title = h('p', { class: 'queue-title' });
  const list = h('ul', { class: 'queue-list' });
  const element = h('section', { class: 'queue', 'aria-label': queued, hidden: true }, title, list);
  const prompts = new Map<string, QueuedPromptItem>();
  /** The IDs of the prompts that are being edited, as the host knows them. */
  let editing = '';
  const keepEdits = (): void => {
    const all = [...prompts];
    composer.keepEdits(all.map(([, { unsaved }]) => unsaved));
    const ids = all.flatMap(([id, { isEdited }]) => (isEdited ? [id] : []));
    if (ids.join() === editing) return;
    editing = ids.join();
    post('editingQueued', { ids });
  };
  const remove = (id: string, prompt: QueuedPromptItem): void => {
    const { unsaved } = prompt;
    prompts.delete(id);
    prompt.element.remove();
    if (unsaved !== '') composer.append(unsaved);
    keepEdits();
  };
  const add = (view: QueuedPromptView): QueuedPromptItem => {
    const prompt = new QueuedPromptItem(page, view, composer.draft, keepEdits);
    prompts.set(view.id, prompt);
    return prompt;
  };
  /** Changes only what differs, because a prompt may have the focus. A prompt that is to be sent first moves up. */
  const arrange = (views: readonly QueuedPromptView[]): void => {
    const ids = new Set(views.map(({ id }) => id));
    for (const [id, prompt] of prompts) if (!ids.has(id)) remove(id, prompt);
    for (const [index, view] of views.entries()) {
      const prompt = prompts.get(view.id) ?? add(view);
      prompt.update(view);
      const before = list.children.item(index);
      if (before !== prompt.element) list.insertBefore(prompt.element, before);
    }
  };
  const draw = ({ queue, queueHeld, activity }: StatusView): void => {
    setText(title, queueHeld ? held : queued);
    element.classList.toggle('held', queueHeld);
    // Without a run there is nothing to stop.
    element.classList.toggle('stoppable', activity !== 'idle');
    keepFocus(list, () => arrange(queue), composer);
    element.hidden = queue.length === 0;
  };
  return { element, draw };
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
    const { localizer } = this.#page;
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
    const labels = list.format(attachments);
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
      post('editQueued', { id: this.#view.id, text: unsaved });
      this.#draft.addPosted(unsaved);
    }
    this.#onEdit();
  }
}
