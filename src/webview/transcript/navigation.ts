import type { GoTarget } from '../../protocol/messages.ts';
import type { MessageView } from '../../protocol/view.ts';
import type { MessageStore } from '../messageStore.ts';
import type { TranscriptView } from './transcriptView.ts';

/** Matches Markdown that may contain a code block: a fence or an indented line. */
const POSSIBLE_CODE = /```|~~~|^(?: {4}|\t)/m;

/**
 * Returns a function that moves the focus to the next or previous message, prompt or code block, and draws it if necessary.
 * It starts at the focus, or at the message at the top if none has the focus. Without a next one, it does nothing.
 */
export function createNavigation(
  transcript: TranscriptView,
  messages: MessageStore,
): (to: GoTarget, step: -1 | 1) => void {
  /** The last move. The next one starts after it. */
  let last = Promise.resolve();
  return (to, step) => {
    last = last.then(() => go(transcript, messages, to, step)).catch(reportError);
  };
}

async function go(
  transcript: TranscriptView,
  messages: MessageStore,
  to: GoTarget,
  step: -1 | 1,
): Promise<void> {
  const { focused } = transcript;
  const focusedIndex = messages.indexOf(focused?.dataset['id'] ?? '');
  const reading = transcript.currentIndex + (step === -1 ? 1 : 0);
  let target = to === 'codeBlock' && focused !== undefined ? nextCode(focused, step) : undefined;
  for (let index = (focusedIndex ?? reading) + step; target === undefined; index += step) {
    const message = await messages.load(index);
    if (message === undefined) return;
    if (!mayHold(message, to)) continue;
    const element = await transcript.ensure(message.id);
    if (element === undefined) return;
    target = to === 'codeBlock' ? nextCode(element, step) : element;
  }
  transcript.focus(target);
}

/** Returns the next or previous code block of a message, seen from the focus. */
function nextCode(message: HTMLElement, step: -1 | 1): HTMLElement | undefined {
  const from = document.activeElement;
  const wanted = step === 1 ? Node.DOCUMENT_POSITION_FOLLOWING : Node.DOCUMENT_POSITION_PRECEDING;
  const isFurther = (block: Element): boolean =>
    from === null ||
    !message.contains(from) ||
    (from === message ? step === 1 : (from.compareDocumentPosition(block) & wanted) > 0);
  const blocks = [...message.querySelectorAll<HTMLElement>('.code-block > pre')]
    .filter((block) => block.checkVisibility())
    .filter(isFurther);
  return blocks.at(step === 1 ? 0 : -1);
}

function mayHold(message: MessageView, to: GoTarget): boolean {
  if (to === 'message') return message.kind !== 'notice';
  if (to === 'prompt') return message.kind === 'prompt';
  const parts = message.kind === 'reply' ? message.parts : [];
  return parts.some((part) => part.kind !== 'question' && POSSIBLE_CODE.test(part.text));
}
