import type { GoTarget } from '../../protocol/messages.ts';
import type { MessageView } from '../../protocol/view.ts';
import type { Messages } from './history.ts';
import type { TranscriptView } from './transcriptView.ts';

/** Matches Markdown that may contain a code block: a fence or an indented line. */
const POSSIBLE_CODE = /```|~~~|^(?: {4}|\t)/m;

/** Moves the focus to the next or previous message, prompt or code block, and draws it if necessary. */
export class Navigation {
  readonly #transcript: TranscriptView;
  readonly #messages: Messages;
  /** The last move. The next one starts after it. */
  #last: Promise<void> = Promise.resolve();

  constructor(transcript: TranscriptView, messages: Messages) {
    this.#transcript = transcript;
    this.#messages = messages;
  }

  /** Moves on from the focus, else from the message at the top. Does nothing at the last one. */
  go(to: GoTarget, step: -1 | 1): void {
    this.#last = this.#last.then(() => this.#go(to, step)).catch(reportError);
  }

  async #go(to: GoTarget, step: -1 | 1): Promise<void> {
    const { focused } = this.#transcript;
    const focusedIndex = this.#messages.indexOf(focused?.dataset['id'] ?? '');
    if (to === 'codeBlock' && focused !== undefined && this.#focusCode(focused, step)) return;
    const reading = this.#transcript.currentIndex + (step === -1 ? 1 : 0);
    for (let index = (focusedIndex ?? reading) + step; ; index += step) {
      const message = await this.#transcript.history.load(index);
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

  /** Focuses the next or previous code block of a message, seen from the focus. Returns false if there is none. */
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
  if (to === 'message') return message.kind !== 'notice';
  if (to === 'prompt') return message.kind === 'user';
  const parts = message.kind === 'intern' ? message.parts : [];
  return parts.some((part) => part.kind !== 'question' && POSSIBLE_CODE.test(part.text));
}
