import type {
  AttachmentView,
  InternMessageView,
  MessageView,
  NoticeView,
  UserMessageView,
} from '../../protocol/view.ts';
import type { Drawable } from '../frames.ts';
import { h, icon, iconButton, setAttribute, setText } from '../dom.ts';
import { actionBar } from '../page.ts';
import type { Page } from '../page.ts';
import { drawPart } from './parts.ts';
import type { PartDrawing } from './parts.ts';

/** A drawn message of the conversation. */
export interface MessageDrawing extends Drawable {
  readonly element: HTMLElement;
  readonly blockCount: number;
  /** Becomes `message`; returns false where it cannot. */
  update(message: MessageView): boolean;
  append(part: number, text: string): void;
}

export function drawMessage(page: Page, message: MessageView): MessageDrawing {
  switch (message.kind) {
    case 'user':
      return new UserMessage(page, message);
    case 'intern':
      return new InternMessage(page, message);
    case 'notice':
      return new Notice(message);
  }
}

/** How long a message goes without its moment in its name at most, in milliseconds. */
const latestName = 1000;

/** Prompts longer than this many characters or lines are folded. */
const foldAbove = { characters: 1500, lines: 14 } as const;

class UserMessage implements MessageDrawing {
  readonly element: HTMLElement;
  readonly blockCount = 1;
  readonly #page: Page;
  readonly #text = h('div', { class: 'prompt-text' });
  readonly #fold: HTMLButtonElement;
  readonly #edit: HTMLButtonElement;
  readonly #attachments: HTMLElement;

  constructor(page: Page, message: UserMessageView) {
    this.#page = page;
    const { strings } = page.words;
    this.#edit = iconButton('edit', strings.editMessage, () =>
      page.post('act', { action: 'editLast', target: message.id }),
    );
    this.#fold = h('button', { class: 'button link', type: 'button' }, strings.showMore);
    this.#fold.addEventListener('click', () => this.#toggleFold());
    this.#attachments = h('ul', { class: 'chips', 'aria-label': strings.attachments });
    const tools = h('div', { class: 'message-tools' }, this.#edit, copyButton(page, message.id));
    this.element = article(page, message.id, 'user', strings.you, message.at);
    this.element.append(this.#text, this.#fold, this.#attachments, tools);
    this.update(message);
  }

  update(message: MessageView): boolean {
    if (message.kind !== 'user') return false;
    setText(this.#text, message.text);
    const lines = message.text.split('\n', foldAbove.lines + 1).length;
    const long = message.text.length > foldAbove.characters || lines > foldAbove.lines;
    this.#fold.hidden = !long;
    if (long && !this.element.classList.contains('unfolded')) this.element.classList.add('folded');
    this.#fold.setAttribute('aria-expanded', String(!this.element.classList.contains('folded')));
    this.#edit.hidden = !message.editable;
    this.element.classList.toggle('self-drive', message.mode === 'self-drive');
    this.#attachments.hidden = message.attachments.length === 0;
    this.#attachments.replaceChildren(...message.attachments.map(attachmentItem));
    return true;
  }

  append(): void {
    // A prompt comes whole.
  }

  draw(): boolean {
    return false;
  }

  #toggleFold(): void {
    const { strings } = this.#page.words;
    const folded = this.element.classList.toggle('folded');
    this.element.classList.toggle('unfolded', !folded);
    this.#fold.setAttribute('aria-expanded', String(!folded));
    setText(this.#fold, folded ? strings.showMore : strings.showLess);
  }
}

class InternMessage implements MessageDrawing {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #body = h('div', { class: 'reply' });
  readonly #state = h('div', { class: 'reply-state' });
  readonly #failure = h('div', { class: 'failure-slot' });
  readonly #facts = h('span', { class: 'facts' });
  #parts: PartDrawing[] = [];
  #drawnFailure = '';

  constructor(page: Page, message: InternMessageView) {
    this.#page = page;
    this.element = article(page, message.id, 'intern', message.author, message.at);
    const foot = h('div', { class: 'message-foot' }, this.#facts, copyButton(page, message.id));
    this.element.append(this.#body, this.#state, this.#failure, foot);
    this.update(message);
  }

  get blockCount(): number {
    return this.#parts.reduce((sum, part) => sum + part.blockCount, 0);
  }

  update(message: MessageView): boolean {
    if (message.kind !== 'intern') return false;
    const working = message.state === 'working';
    message.parts.forEach((part, index) => {
      const growing = working && index === message.parts.length - 1;
      const drawn = this.#parts[index];
      if (drawn?.update(part, growing) === true) return;
      const fresh = drawPart(this.#page, part, growing);
      if (drawn === undefined) this.#body.append(fresh.element);
      else drawn.element.replaceWith(fresh.element);
      this.#parts[index] = fresh;
    });
    for (const gone of this.#parts.splice(message.parts.length)) gone.element.remove();
    this.#updateState(message);
    return true;
  }

  append(part: number, text: string): void {
    this.#parts[part]?.append(text);
  }

  draw(): boolean {
    let more = false;
    for (const part of this.#parts) more = part.draw() || more;
    return more;
  }

  #updateState(message: InternMessageView): void {
    this.element.dataset['state'] = message.state;
    const { strings } = this.#page.words;
    // A question card says itself that it waits.
    const asks = message.parts.at(-1)?.kind === 'question';
    const words = {
      working: strings.working,
      waiting: asks ? '' : strings.waitingForYou,
      done: '',
      failed: message.failure === undefined ? strings.failed : '',
      stopped: strings.stopped,
      cut: strings.cut,
    }[message.state];
    setText(this.#state, words);
    this.#state.hidden = words === '';
    const facts = message.facts.join(' · ');
    setText(this.#facts, facts);
    this.#drawFailure(message);
  }

  #drawFailure({ id, failure }: InternMessageView): void {
    const state = failure === undefined ? '' : JSON.stringify(failure);
    if (state === this.#drawnFailure) return;
    this.#drawnFailure = state;
    this.#failure.replaceChildren();
    if (failure === undefined) return;
    const title = h('p', { class: 'failure-title' }, icon('error'), h('span', {}, failure.title));
    const card = h('section', { class: 'failure', 'aria-label': failure.title }, title);
    if (failure.detail !== '') card.append(h('p', { class: 'failure-detail' }, failure.detail));
    const actions = actionBar(this.#page, failure.actions, id);
    if (actions !== undefined) card.append(actions);
    this.#failure.append(card);
  }
}

class Notice implements MessageDrawing {
  readonly element: HTMLElement;
  readonly blockCount = 1;

  constructor(message: NoticeView) {
    this.element = h('div', { class: 'notice', 'data-id': message.id });
    this.update(message);
  }

  update(message: MessageView): boolean {
    if (message.kind !== 'notice') return false;
    setText(this.element, message.text);
    return true;
  }

  append(): void {
    // A notice comes whole.
  }

  draw(): boolean {
    return false;
  }
}

/**
 * The element of a message, named by its author and its moment; the first ones by their moment as soon as the browser has
 * time, because making the formatter takes longer than drawing them.
 */
function article(page: Page, id: string, kind: string, author: string, at: number): HTMLElement {
  const element = h('article', { class: `message ${kind}`, 'aria-label': author, 'data-id': id });
  const nameWhole = (): void =>
    setAttribute(element, 'aria-label', `${author}, ${page.words.moment(at)}`);
  if (page.words.isMomentReady) nameWhole();
  else requestIdleCallback(nameWhole, { timeout: latestName });
  return element;
}

function copyButton(page: Page, id: string): HTMLButtonElement {
  const { strings } = page.words;
  return iconButton('copy', strings.copyMessage, () => {
    page.post('copyMessage', { id });
    page.announcer.say(strings.copied);
  });
}

function attachmentItem({ label }: AttachmentView): HTMLLIElement {
  return h('li', { class: 'chip' }, icon('file'), h('span', { class: 'chip-label' }, label));
}
