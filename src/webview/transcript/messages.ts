import type {
  AttachmentView,
  MessageView,
  NoticeView,
  PartView,
  UserMessageView,
} from '../../protocol/view.ts';
import type { Drawable } from '../frames.ts';
import { h, icon, iconButton, setAttribute, setPresent, setText } from '../dom.ts';
import { copyButton, type Page } from '../page.ts';
import type { Words } from '../words.ts';
import type { Messages } from './history.ts';

/** A drawn message of the conversation. */
export interface MessageDrawing extends Drawable {
  readonly element: HTMLElement;
  readonly blockCount: number;
  /** Becomes `message`; returns false where it cannot. */
  update(message: MessageView): boolean;
  /** Absent where a message comes whole. */
  append?(part: number, text: string): void;
}

/** A drawn part of a reply. */
export interface PartDrawing extends Drawable {
  readonly element: HTMLElement;
  /** How many blocks of the reply it holds, for the count of new ones. */
  readonly blockCount: number;
  /**
   * Becomes `part`.
   *
   * @param growing whether more text may come to it
   * @returns false where it cannot: draw a new one in its place
   */
  update(part: PartView, growing: boolean): boolean;
  /** Absent where a part comes whole. */
  append?(text: string): void;
}

/** How long a message goes without its moment in its name at most, in milliseconds. */
const latestName = 1000;

/** Prompts longer than this many characters or lines are folded. */
const foldAbove = { characters: 1500, lines: 14 } as const;

/** A prompt of the user's. */
export class UserMessage implements MessageDrawing {
  readonly element: HTMLElement;
  readonly blockCount = 1;
  readonly #page: Page;
  readonly #text = h('div', { class: 'prompt-text', dir: 'auto' });
  readonly #tools: HTMLElement;
  readonly #fold: HTMLButtonElement;
  readonly #edit: HTMLButtonElement;
  readonly #mode: HTMLElement;

  constructor(page: Page, message: UserMessageView) {
    this.#page = page;
    const { strings } = page.words;
    this.#edit = iconButton('edit', strings.editMessage, () =>
      page.post('act', { action: 'editLast', target: message.id }),
    );
    this.#fold = h('button', { class: 'button link', type: 'button' }, strings.showMore);
    this.#fold.addEventListener('click', () => this.#toggleFold());
    const [time, ...buttons] = messageTools(page, message.id);
    this.#tools = h('div', { class: 'message-tools' }, time, ...buttons);
    this.element = article(page, message, 'user', strings.you, time);
    this.element.append(this.#text);
    if (message.attachments.length > 0)
      this.element.append(
        h(
          'ul',
          { class: 'chips', 'aria-label': strings.attachments },
          ...message.attachments.map(attachmentItem),
        ),
      );
    this.#mode = h('p', { class: 'prompt-mode' }, icon('rocket'), strings.sentInSelfDrive);
    this.element.append(this.#tools);
    this.update(message);
  }

  update(message: MessageView): boolean {
    if (message.kind !== 'user') return false;
    setText(this.#text, message.text);
    const lines = message.text.split('\n', foldAbove.lines + 1).length;
    const long = message.text.length > foldAbove.characters || lines > foldAbove.lines;
    setPresent(this.#fold, long, () => this.#text.after(this.#fold));
    if (long && !this.element.classList.contains('unfolded')) this.element.classList.add('folded');
    this.#fold.setAttribute('aria-expanded', String(!this.element.classList.contains('folded')));
    // A prompt that had to wait may go out in another mode than it was sent in.
    const selfDrive = message.mode === 'self-drive';
    this.element.classList.toggle('self-drive', selfDrive);
    setPresent(this.#mode, selfDrive, () => this.#tools.before(this.#mode));
    setPresent(this.#edit, message.editable, () => this.#tools.firstChild?.after(this.#edit));
    return true;
  }

  #toggleFold(): void {
    const { strings } = this.#page.words;
    const folded = this.element.classList.toggle('folded');
    this.element.classList.toggle('unfolded', !folded);
    this.#fold.setAttribute('aria-expanded', String(!folded));
    setText(this.#fold, folded ? strings.showMore : strings.showLess);
  }
}

/** A line between messages. */
export class Notice implements MessageDrawing {
  readonly element: HTMLElement;
  readonly blockCount = 1;

  constructor(message: NoticeView) {
    this.element = h('div', { class: 'notice', 'data-id': message.id, dir: 'auto' });
    this.update(message);
  }

  update(message: MessageView): boolean {
    if (message.kind !== 'notice') return false;
    setText(this.element, message.text);
    return true;
  }
}

/**
 * The element of a message, with a heading to move by, both named by its author and its moment, which `time` shows; the
 * first ones by their moment as soon as the browser has time, because making the formatter takes longer than drawing them.
 */
export function article(
  page: Page,
  { id, at }: Pick<MessageView, 'id' | 'at'>,
  kind: string,
  author: string,
  time: HTMLElement,
): HTMLElement {
  const heading = h('h2', { class: 'visually-hidden' }, author);
  // Commands of the menu that a right click opens are told which message it was on.
  const menu = JSON.stringify({ webviewSection: 'internsMessage', message: id });
  const names = { 'aria-label': author, 'data-id': id, 'data-vscode-context': menu };
  const element = h('article', { class: `message ${kind}`, tabindex: '-1', ...names }, heading);
  const nameWhole = (): void => {
    const moment = page.words.moment(at);
    setAttribute(element, 'aria-label', `${author}, ${moment}`);
    setText(heading, `${author}, ${moment}`);
    setText(time, page.words.timeOfDay(at));
    time.title = moment;
  };
  if (page.words.isMomentReady) nameWhole();
  else requestIdleCallback(nameWhole, { timeout: latestName });
  return element;
}

/** Where a message's time stands, which its name says as well, and the buttons that copy a link to it and the whole of it. */
export function messageTools(page: Page, id: string): readonly [HTMLElement, ...HTMLElement[]] {
  const { copyLink, copyMessage } = page.words.strings;
  return [
    h('time', { 'aria-hidden': 'true' }),
    copyButton(page, 'link', copyLink, () => page.post('copyLink', { from: id })),
    copyButton(page, 'copy', copyMessage, () => page.post('copyMessage', { id })),
  ];
}

function attachmentItem({ label }: AttachmentView): HTMLLIElement {
  return h(
    'li',
    { class: 'chip' },
    icon('file'),
    h('span', { class: 'chip-label', dir: 'auto' }, label),
  );
}

/**
 * Puts the day before each message, of those from a place up to another, that is the first one of another day than the
 * message before it, as the days of the user's time zone are. Of one whose message before is not known yet, not yet.
 */
export function divideDays(
  messages: Messages,
  drawn: ReadonlyMap<string, MessageDrawing>,
  from: number,
  to: number,
  words: Words,
): void {
  for (let place = from; place <= to; place++) {
    const [before, message] = [messages.at(place - 1), messages.at(place)];
    if (before === undefined || message === undefined || isSameDay(before.at, message.at)) continue;
    const element = drawn.get(message.id)?.element;
    if (element === undefined || element.previousElementSibling?.matches('.day') === true) continue;
    const day = words.day(message.at);
    element.before(h('div', { class: 'day', role: 'separator', 'aria-label': day }, day));
  }
}

function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}
