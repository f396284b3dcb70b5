import type { InternMessageView, MessageView, PartView } from '../protocol/view.ts';
import type { Announcer } from './announcer.ts';
import type { Words } from './words.ts';

/**
 * Chooses what of a conversation is said to those who cannot see it: the words of the latest reply as they come, and each
 * of its states, once.
 */
export class Narrator {
  readonly #announcer: Announcer;
  readonly #words: Words;
  /** The latest reply. */
  #reply: string | undefined;
  /** How many characters of each of its parts were read. */
  #read: number[] = [];
  /** The state of it that was said last. */
  #said: string | undefined;

  constructor(announcer: Announcer, words: Words) {
    this.#announcer = announcer;
    this.#words = words;
  }

  /** Messages that are new to the page, but not to its user. */
  begin(messages: readonly MessageView[]): void {
    const reply = messages.findLast((message) => message.kind === 'intern');
    this.#reply = reply?.id;
    this.#read = reply?.parts.map((part) => textOf(part).length) ?? [];
    this.#said = reply && stateOf(reply);
  }

  added(message: MessageView): void {
    if (message.kind === 'notice') this.#announcer.say(message.text);
    if (message.kind !== 'intern') return;
    this.#reply = message.id;
    this.#read = [];
    this.#said = undefined;
    this.changed(message);
  }

  changed(message: MessageView): void {
    if (message.kind !== 'intern' || message.id !== this.#reply) return;
    for (const [index, part] of message.parts.entries()) this.#readOn(index, textOf(part));
    this.#sayState(message);
  }

  /** The part at `index` of the message `id` grew by `text`. */
  appended(id: string, index: number, part: PartView | undefined, text: string): void {
    if (id !== this.#reply || part?.kind !== 'text') return;
    this.#read[index] = (this.#read[index] ?? 0) + text.length;
    this.#announcer.read(text);
  }

  #readOn(index: number, text: string): void {
    const read = this.#read[index] ?? 0;
    if (text.length <= read) return;
    // Words of another part are another sentence.
    this.#announcer.read(index > 0 && read === 0 ? `\n${text}` : text.slice(read));
    this.#read[index] = text.length;
  }

  #sayState(reply: InternMessageView): void {
    const state = stateOf(reply);
    if (state === this.#said) return;
    this.#said = state;
    if (reply.state === 'working') return;
    this.#announcer.endReply();
    const question = pendingQuestion(reply);
    if (reply.failure !== undefined) this.#announcer.say(reply.failure.title);
    else if (question !== undefined) this.#announcer.say(question.title);
    else if (reply.state === 'done') this.#announcer.say(this.#words.finished(reply.author));
  }
}

/** What is read aloud of a part. */
function textOf(part: PartView): string {
  return part.kind === 'text' ? part.text : '';
}

/** What is the same for two views of a reply in the same state. */
function stateOf(reply: InternMessageView): string {
  return JSON.stringify([reply.state, reply.failure?.title, pendingQuestion(reply)?.id]);
}

function pendingQuestion({ parts }: InternMessageView) {
  const asked = parts.find((part) => part.kind === 'question' && part.question.pending);
  return asked?.kind === 'question' ? asked.question : undefined;
}
