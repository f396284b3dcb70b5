import { INTERACTION_DEADLINE_MS } from '../../base/limits.ts';
import type { WrittenPart } from '../../base/reply.ts';
import { formatTimeLeft } from '../../base/timeLeft.ts';
import type {
  FailureView,
  ReplyMessageView,
  MessageView,
  PartView,
  QuestionView,
} from '../../protocol/view.ts';
import { post } from '../connection.ts';
import { drawChanges, h, icon, keepFocus, setAttribute, setPresent, setText } from '../dom.ts';
import { drawWhole } from '../frames.ts';
import { appendInPieces } from '../markdown/draw/codeBlock.ts';
import { MarkdownView } from '../markdown/markdownView.ts';
import { actionBar, copyButton, type Page } from '../page.ts';
import { formatMessage } from '../localizer.ts';
import {
  article,
  drawNotice,
  drawPrompt,
  messageTools,
  type MessageDrawing,
  type PartDrawing,
} from './messages.ts';

export function drawMessage(page: Page, message: MessageView): MessageDrawing {
  if (message.kind === 'prompt') return drawPrompt(page, message);
  return message.kind === 'reply' ? new Reply(page, message) : drawNotice(message);
}

class Reply implements MessageDrawing {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #body = h('div', { class: 'reply' });
  readonly #state = h('div', { class: 'reply-state' });
  readonly #failure = h('div');
  readonly #facts = h('span', { class: 'facts' });
  readonly #copyId: HTMLButtonElement;
  isPending = true;
  #completion = '';
  readonly #parts: PartDrawing[] = [];
  readonly #drawFailure = drawChanges((failure: FailureView | undefined) => {
    this.#failure.replaceChildren(...(failure ? [this.#failureCard(failure)] : []));
  });

  constructor(page: Page, message: ReplyMessageView) {
    this.#page = page;
    const [time, ...buttons] = messageTools(page, message.id);
    this.element = article(page, message, 'intern', message.author, time);
    const { strings } = page.localizer;
    this.#copyId = copyButton(page, 'tag', strings.copyCompletionId, () =>
      post('copy', { text: this.#completion }),
    );
    const foot = h('div', { class: 'message-foot' }, this.#facts, time, ...buttons);
    this.element.append(this.#body, this.#state, this.#failure, foot);
    this.update(message);
  }

  get blockCount(): number {
    return this.#parts.reduce((sum, part) => sum + part.blockCount, 0);
  }

  update(message: MessageView): void {
    if (message.kind !== 'reply') return;
    // A waiting reply may continue in the same part once its question is answered.
    const mayGrow = message.state === 'working' || message.state === 'waiting';
    message.parts.forEach((part, index) => {
      const growing = mayGrow && index === message.parts.length - 1;
      const drawn = this.#parts[index];
      if (drawn === undefined) this.#add(part, growing, `${message.id}/${index}`);
      else drawn.update(part, growing);
    });
    this.#updateState(message);
  }

  #add(part: PartView, growing: boolean, key: string): void {
    const drawn =
      part.kind === 'question'
        ? drawQuestion(this.#page, part.question)
        : new TextPart(this.#page, part, growing, key);
    this.#body.append(drawn.element);
    this.#parts.push(drawn);
  }

  append(part: number, text: string): void {
    this.#parts[part]?.append?.(text);
  }

  draw(until: number): boolean {
    this.isPending = false;
    let more = false;
    for (const part of this.#parts) {
      more = part.draw?.(until) === true || more;
      if (performance.now() >= until) return true;
    }
    return more;
  }

  #updateState(message: ReplyMessageView): void {
    this.element.dataset['state'] = message.state;
    const { strings } = this.#page.localizer;
    // A question card has its own state.
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
    setAttribute(this.#facts, 'title', message.details.join('\n'));
    this.#completion = message.completion ?? '';
    setPresent(this.#copyId, message.completion !== null, () =>
      this.#facts.nextElementSibling?.after(this.#copyId),
    );
    setAttribute(this.#copyId, 'title', [strings.copyCompletionId, ...message.details].join('\n'));
    this.#drawFailure(message.failure);
  }

  #failureCard(failure: FailureView): HTMLElement {
    const attributes = { class: 'card failure', role: 'group', 'aria-label': failure.title };
    const actions = actionBar(failure.actions, this.element.dataset['id']);
    return h('div', attributes, ...cardTexts('error', failure), ...actions);
  }
}

type TextView = Pick<MarkdownView, 'element' | 'blockCount' | 'append'> &
  Partial<Pick<MarkdownView, 'complete' | 'draw'>>;

/** Shows text without formatting, for a page that hung on its formatting. */
function createPlainView(): TextView {
  const element = h('div', { class: 'plain', dir: 'auto' });
  return { element, blockCount: 1, append: (text) => appendInPieces(element, text) };
}

/** Text, or reasoning, which is folded and only drawn once it is opened. */
class TextPart implements PartDrawing {
  readonly element: HTMLElement;
  readonly #page: Page;
  readonly #key: string;
  readonly #view: TextView;
  /** The folded element of reasoning, and its label. */
  readonly #fold: HTMLDetailsElement | undefined;
  readonly #label = h('span');
  /** The folds of raw HTML that were drawn. */
  readonly #rawFolds = new WeakSet<Element>();
  /** Characters that the view has. Only the store keeps the text. */
  #length = 0;

  /** @param key names the part in the conversation */
  constructor(page: Page, part: WrittenPart, growing: boolean, key: string) {
    const { isPlain, localizer, highlighter, files, folds } = page;
    this.#page = page;
    this.#key = key;
    this.#view = isPlain
      ? createPlainView()
      : new MarkdownView(localizer.strings, highlighter, files);
    if (part.kind === 'reasoning') {
      const summary = h('summary', {}, icon('chevron-right'), this.#label);
      const body = h('div', { class: 'reasoning-body' }, this.#view.element);
      const fold = h(
        'details',
        { class: 'reasoning', open: folds.get(key) === true },
        summary,
        body,
      );
      fold.addEventListener('toggle', () => {
        folds.set(key, fold.open);
        void drawWhole(this);
      });
      this.#fold = fold;
    }
    this.element = this.#fold ?? this.#view.element;
    this.update(part, growing);
  }

  get blockCount(): number {
    return this.#fold === undefined ? this.#view.blockCount : 1;
  }

  update(part: PartView, growing: boolean): void {
    if (part.kind === 'question') return;
    this.append(part.text.slice(this.#length));
    if (!growing) this.#view.complete?.();
    if (part.kind === 'reasoning') this.#setLabel(part, growing);
  }

  append(text: string): void {
    this.#length += text.length;
    this.#view.append(text);
  }

  draw(until: number): boolean {
    if (this.#fold?.open === false) return false;
    const more = this.#view.draw?.(until) ?? false;
    this.#restoreFolds();
    return more;
  }

  /** Opens and closes new folds of raw HTML as the reader left those that they replace. */
  #restoreFolds(): void {
    const { folds } = this.#page;
    for (const [index, fold] of this.#view.element.querySelectorAll('details').entries()) {
      if (this.#rawFolds.has(fold)) continue;
      this.#rawFolds.add(fold);
      const name = `${this.#key}/${index}`;
      fold.open = folds.get(name) ?? fold.open;
      fold.addEventListener('toggle', () => folds.set(name, fold.open));
    }
  }

  #setLabel(
    { startedAt, endedAt }: Extract<WrittenPart, { kind: 'reasoning' }>,
    growing: boolean,
  ): void {
    const { localizer } = this.#page;
    const { thinking, thought, thoughtFor } = localizer.strings;
    const isThinking = endedAt === null && growing;
    this.element.classList.toggle('thinking', isThinking);
    if (isThinking) setText(this.#label, thinking);
    else if (endedAt === null) setText(this.#label, thought);
    else setText(this.#label, formatMessage(thoughtFor, localizer.duration(endedAt - startedAt)));
  }
}

/** Creates the title of a card, and the paragraph below it, if any. */
function cardTexts(
  symbol: string,
  { title, detail }: { readonly title: string; readonly detail: string },
): readonly HTMLElement[] {
  const words = h('span', { dir: 'auto' }, title);
  const head = h('p', { class: 'card-title' }, icon(symbol), words);
  return detail === '' ? [head] : [head, h('p', { class: 'card-detail', dir: 'auto' }, detail)];
}

const QUESTION_SYMBOLS = {
  permission: 'shield',
  elicitation: 'question',
  unreadable: 'warning',
} as const;

/** Draws a question of the intern, which is answered in the editor's dialogs, and the time left. */
function drawQuestion(page: Page, question: QuestionView): PartDrawing {
  const element = h('div', { class: 'card question', role: 'group' });
  const message = {
    // If a dialog has the focus, the focus returns to the composer.
    focus: () => document.hasFocus() && element.closest<HTMLElement>('.message')?.focus(),
  };
  const draw = drawChanges((changed: QuestionView) =>
    keepFocus(element, () => fillCard(element, page, changed), message),
  );
  draw(question);
  const update = (part: PartView): void => {
    if (part.kind === 'question') draw(part.question);
  };
  return { element, blockCount: 1, update };
}

function fillCard(element: HTMLElement, page: Page, question: QuestionView): void {
  const { id, kind, title, stateMessage, pending, deadline } = question;
  element.classList.toggle('pending', pending);
  // The name of a closed card says who decided it, which was not always the user.
  element.setAttribute('aria-label', pending ? title : `${title} ${stateMessage}`);
  const status = h('p', { class: 'question-state' }, h('span', {}, stateMessage));
  const actions = actionBar(question.actions, id);
  element.replaceChildren(
    ...cardTexts(QUESTION_SYMBOLS[kind], question),
    h('div', { class: 'question-foot' }, ...actions, status),
  );
  if (pending && deadline !== undefined) status.append(createCountdown(page, deadline));
}

function createCountdown({ localizer, ticker }: Page, deadline: number): HTMLElement {
  const { strings } = localizer;
  const element = h('span', { class: 'time-left', role: 'timer' });
  ticker.watch(element, deadline, (leftMs) => {
    const shownMs = Math.min(leftMs, INTERACTION_DEADLINE_MS);
    element.classList.toggle('urgent', shownMs < 60_000);
    const text = formatMessage(strings.timeLeft, formatTimeLeft(shownMs));
    setText(element, shownMs > 0 ? text : strings.timeUp);
  });
  return element;
}
