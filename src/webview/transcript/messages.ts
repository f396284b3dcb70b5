import type { MessageView, NoticeView, PartView, UserMessageView } from '../../protocol/view.ts';
import type { Drawable } from '../frames.ts';
import { h, icon, iconButton, setAttribute, setPresent, setText, textButton } from '../dom.ts';
import { copyButton, type Page } from '../page.ts';
import type { Localizer } from '../localizer.ts';
import type { MessageStore } from '../messageStore.ts';
import { spokenOpening } from '../spokenText.ts';

export interface MessageDrawing extends Drawable {
  readonly element: HTMLElement;
  readonly blockCount: number;
  /** True if nothing is drawn yet: the height is unknown. Absent for messages that are drawn at once. */
  readonly isPending?: boolean;
  /** Shows a new version of the message. Absent for messages that never change. */
  update?(message: MessageView): void;
  /** Absent for messages that never grow. */
  append?(part: number, text: string): void;
  /** Shows all of a message that is folded. Absent for messages that never are. */
  unfold?(): void;
}

export interface PartDrawing extends Drawable {
  readonly element: HTMLElement;
  /** Number of blocks, for the count of new blocks on the jump button. */
  readonly blockCount: number;
  /**
   * Shows `part` instead.
   *
   * @param growing whether more text may be added
   * @returns false if the part is of another kind: it needs a new drawing
   */
  update(part: PartView, growing: boolean): boolean;
  /** Absent for parts that never grow. */
  append?(text: string): void;
}

/** Longest time until a message has its time in its name, in ms. */
const MAX_NAME_DELAY_MS = 1000;

/** Prompts longer than this many characters or lines are folded. */
const MAX_UNFOLDED = { characters: 1500, lines: 14 } as const;

export class UserMessage implements MessageDrawing {
  readonly element: HTMLElement;
  readonly blockCount = 1;
  readonly #page: Page;
  readonly #tools: HTMLElement;
  readonly #fold: HTMLButtonElement;
  readonly #edit: HTMLButtonElement;
  readonly #mode: HTMLElement;

  constructor(page: Page, message: UserMessageView) {
    this.#page = page;
    const { strings } = page.localizer;
    this.#edit = iconButton('edit', strings.editMessage, () =>
      page.post('act', { action: 'editLast', target: message.id }),
    );
    this.#fold = textButton(strings.showMore, () => this.#toggleFold(), 'link');
    this.#fold.setAttribute('aria-expanded', 'false');
    const [time, ...buttons] = messageTools(page, message.id);
    this.#tools = h('div', { class: 'message-tools' }, time, ...buttons);
    this.element = article(page, message, 'user', strings.you, time);
    this.element.append(h('div', { class: 'prompt-text', dir: 'auto' }, message.text));
    if (isLong(message)) {
      this.element.classList.add('folded');
      this.element.append(this.#fold);
    }
    const chips = h('ul', { class: 'chips', 'aria-label': strings.attachments });
    for (const { label } of message.attachments) {
      const text = h('span', { class: 'chip-label', dir: 'auto' }, label);
      chips.append(h('li', { class: 'chip', title: label }, icon('file'), text));
    }
    if (message.attachments.length > 0) this.element.append(chips);
    this.#mode = h('p', { class: 'prompt-mode' }, icon('rocket'), strings.sentInSelfDrive);
    this.element.append(this.#tools);
    this.update(message);
  }

  update(message: MessageView): void {
    if (message.kind !== 'user') return;
    // A queued prompt may be sent in another mode.
    const selfDrive = message.mode === 'self-drive';
    this.element.classList.toggle('self-drive', selfDrive);
    setPresent(this.#mode, selfDrive, () => this.#tools.before(this.#mode));
    setPresent(this.#edit, message.editable, () => this.#tools.firstChild?.after(this.#edit));
  }

  unfold(): void {
    if (this.element.classList.contains('folded')) this.#toggleFold();
  }

  #toggleFold(): void {
    const { strings } = this.#page.localizer;
    const folded = this.element.classList.toggle('folded');
    this.#fold.setAttribute('aria-expanded', String(!folded));
    setText(this.#fold, folded ? strings.showMore : strings.showLess);
  }
}

function isLong({ text }: UserMessageView): boolean {
  const lines = text.split('\n', MAX_UNFOLDED.lines + 1).length;
  return text.length > MAX_UNFOLDED.characters || lines > MAX_UNFOLDED.lines;
}

export function drawNotice({ id, text }: NoticeView): MessageDrawing {
  const element = h('div', { class: 'notice', 'data-id': id, dir: 'auto' }, text);
  return { element, blockCount: 1 };
}

/**
 * Creates the element of a message and its heading, both named by author and time. `time` also shows the time. The first
 * messages get their times when the browser is idle, because the formatter is slow to create.
 */
export function article(
  page: Page,
  { id, at }: Pick<MessageView, 'id' | 'at'>,
  kind: string,
  author: string,
  time: HTMLElement,
): HTMLElement {
  const heading = h('h2', { class: 'visually-hidden' }, author);
  // VS Code passes this to commands of the context menu.
  const menu = JSON.stringify({ webviewSection: 'internsMessage', message: id });
  const names = { 'aria-label': author, 'data-id': id, 'data-vscode-context': menu };
  const element = h('article', { class: `message ${kind}`, tabindex: '-1', ...names }, heading);
  const nameWhole = (): void => {
    const moment = page.localizer.dateTime(at);
    setAttribute(element, 'aria-label', `${author}, ${moment}`);
    setText(heading, `${author}, ${moment}`);
    setText(time, page.localizer.timeOfDay(at));
    time.title = moment;
  };
  if (page.localizer.isDateTimeReady) nameWhole();
  else requestIdleCallback(nameWhole, { timeout: MAX_NAME_DELAY_MS });
  return element;
}

/** Creates the element for a message's time, and the buttons that continue from it and copy its link and its text. */
export function messageTools(page: Page, id: string): readonly [HTMLElement, ...HTMLElement[]] {
  const { copyLink, copyMessage, continueInNew } = page.localizer.strings;
  return [
    h('time', { 'aria-hidden': 'true' }),
    iconButton('repo-forked', continueInNew, () =>
      page.post('act', { action: 'continueInNew', target: id }),
    ),
    copyButton(page, 'link', copyLink, () => page.post('copyLink', { from: id })),
    copyButton(page, 'copy', copyMessage, () => page.post('copyMessage', { id })),
  ];
}

/** Lets screen readers say how a message begins, and where it is. Orca needs it some time before the focus. */
export function describeMessage(
  element: HTMLElement,
  messages: MessageStore,
  localizer: Localizer,
): void {
  const index = messages.indexOf(element.dataset['id'] ?? '');
  const message = index === undefined ? undefined : messages.at(index);
  if (index === undefined || message === undefined) return;
  const count = String(messages.count);
  // A new message also changes the count of the others.
  const isNew = index + 1 === messages.count && element.getAttribute('aria-setsize') !== count;
  const others = isNew ? element.closest('.feed')?.querySelectorAll('[aria-setsize]') : undefined;
  for (const other of others ?? []) setAttribute(other, 'aria-setsize', count);
  if (message.kind === 'notice') return;
  setAttribute(element, 'aria-description', spokenOpening(message, localizer));
  // Only a part of the conversation is drawn.
  setAttribute(element, 'aria-posinset', String(index + 1));
  setAttribute(element, 'aria-setsize', count);
}
