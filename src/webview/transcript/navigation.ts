import type { GoTarget } from '../../protocol/messages.ts';
import type { MessageView } from '../../protocol/view.ts';
import type { Messages } from './history.ts';
import type { TranscriptView } from './transcriptView.ts';

/** What a block of code begins with in Markdown: a fence somewhere, or an indented line. */
const mayBeCode = /```|~~~|^(?: {4}|\t)/m;

/** Moves the keyboard focus through the conversation: to messages, prompts and blocks of code, drawn or not. */
export class Navigation {
  readonly #transcript: TranscriptView;
  readonly #messages: Messages;
  /** Keys that come fast are carried out one after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(transcript: TranscriptView, messages: Messages) {
    this.#transcript = transcript;
    this.#messages = messages;
  }

  /** Goes on from what has the focus, else from where the reader is. Stays there where there is nothing further on. */
  go(to: GoTarget, step: -1 | 1): void {
    this.#last = this.#last.then(() => this.#go(to, step));
  }

  async #go(to: GoTarget, step: -1 | 1): Promise<void> {
    const { focused } = this.#transcript;
    const focusedPlace = this.#messages.placeOf(focused?.dataset['id'] ?? '');
    if (to === 'codeBlock' && focused !== undefined && this.#focusCode(focused, step)) return;
    const reading = this.#transcript.place + (step === -1 ? 1 : 0);
    for (let place = (focusedPlace ?? reading) + step; ; place += step) {
      const message = await this.#transcript.history.load(place);
      if (message === undefined) return;
      if (!mayHold(message, to)) continue;
      const element = await this.#transcript.ensure(message.id);
      if (element === undefined) return;
      if (to !== 'codeBlock') {
        this.#transcript.focus(element);
        return;
      }
      if (this.#focusCode(element, step)) return;
    }
  }

  /** Focuses the first block of code of a message after what has the focus, or the last one before it. */
  #focusCode(message: HTMLElement, step: -1 | 1): boolean {
    const from = document.activeElement;
    const wanted = step === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
    const isFurther = (block: Element): boolean =>
      from === null ||
      !message.contains(from) ||
      (from === message ? step === 1 : (from.compareDocumentPosition(block) & wanted) > 0);
    const blocks = [...message.querySelectorAll<HTMLElement>('.code-block > pre')]
      .filter((block) => block.checkVisibility())
      .filter(isFurther);
    const block = blocks.at(step === 1 ? 0 : -1);
    if (block !== undefined) this.#transcript.focus(block);
    return block !== undefined;
  }
}

function mayHold(message: MessageView, to: GoTarget): boolean {
  switch (to) {
    case 'message':
      return message.kind !== 'notice';
    case 'prompt':
      return message.kind === 'user';
    case 'codeBlock':
      return (
        message.kind === 'intern' &&
        message.parts.some((part) => part.kind !== 'question' && mayBeCode.test(part.text))
      );
  }
}
