import type { MessageView, NoticeView, PartView, PromptMessageView } from '../../protocol/view.ts';
import type { Drawable } from '../frames.ts';
import { post } from '../connection.ts';
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
  /** Shows `part` instead, which is of the same kind. @param growing whether more text may be added */
  update(part: PartView, growing: boolean): void;
  /** Absent for parts that never grow. */
  append?(text: string): void;
}

/** Longest time until a message has its time in its name, in ms. */
const MAX_NAME_DELAY_MS = 1000;

/** Prompts longer than this many characters or lines are folded. */
const MAX_UNFOLDED = { characters: 1500, lines: 14 } as const;

export function drawPrompt(page: Page, message: PromptMessageView): MessageDrawing {
  const { strings } = page.localizer;
  const [time, ...buttons] = messageTools(page, message.id);
  const edit = iconButton('edit', strings.editMessage, () =>
    post('act', { action: 'editLast', target: message.id }),
  );
  const tools = h('div', { class: 'message-tools' }, time, ...buttons);
  const mode = h('p', { class: 'prompt-mode' }, icon('rocket'), strings.sentInSelfDrive);
  const element = article(page, message, 'user', strings.you, time);
  const fold = textButton(strings.showMore, () => toggleFold(), 'link');
  const toggleFold = (): void => {
    const folded = element.classList.toggle('folded');
    fold.setAttribute('aria-expanded', String(!folded));
    setText(fold, folded ? strings.showMore : strings.showLess);
  };
  element.append(h('div', { class: 'prompt-text', dir: 'auto' }, message.text));
  if (isLong(message)) {
    element.append(fold);
    toggleFold();
  }
  const chips = message.attachments.map((label) => {
    const text = h('span', { class: 'chip-label', dir: 'auto' }, label);
    return h('li', { class: 'chip', title: label }, icon('file'), text);
  });
  if (chips.length > 0)
    element.append(h('ul', { class: 'chips', 'aria-label': strings.attachments }, ...chips));
  element.append(tools);
  const update = (changed: MessageView): void => {
    if (changed.kind !== 'prompt') return;
    // A queued prompt may be sent in another mode.
    const selfDrive = changed.mode === 'self-drive';
    element.classList.toggle('self-drive', selfDrive);
    setPresent(mode, selfDrive, () => tools.before(mode));
    setPresent(edit, changed.editable, () => time.after(edit));
  };
  const unfold = (): void => {
    if (element.classList.contains('folded')) toggleFold();
  };
  update(message);
  return { element, blockCount: 1, update, unfold };
}

function isLong({ text }: PromptMessageView): boolean {
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
  writer: 'user' | 'intern',
  author: string,
  time: HTMLElement,
): HTMLElement {
  const heading = h('h2', { class: 'visually-hidden' }, author);
  // VS Code passes this to commands of the context menu.
  const menu = JSON.stringify({ webviewSection: 'internsMessage', message: id });
  const names = { 'aria-label': author, 'data-id': id, 'data-vscode-context': menu };
  const element = h('article', { class: `message ${writer}`, tabindex: '-1', ...names }, heading);
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
      post('act', { action: 'continueInNew', target: id }),
    ),
    copyButton(page, 'link', copyLink, () => post('copyLink', { id })),
    copyButton(page, 'copy', copyMessage, () => post('copyMessage', { id })),
  ];
}

/** Describes a message for screen readers: its beginning and its index. Orca needs this some time before the focus. */
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
