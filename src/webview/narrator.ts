import { startOfCharacter } from '../base/characters.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { SentenceSplitter } from '../base/sentences.ts';
import type {
  BannerView,
  ReplyMessageView,
  MessageView,
  PartView,
  QuestionView,
  SnapshotView,
  StatusView,
} from '../protocol/view.ts';
import type { Announcer } from './announcer.ts';
import { formatMessage, type Localizer } from './localizer.ts';
import { createSplitter, spokenQuestion, textOf } from './spokenText.ts';

/** Silence of a working intern after which "thinking" is announced, in ms. */
const THINKING_NOTICE_MS = 4000;
/** Maximum number of characters that are announced of a whole reply or a question. */
const MAX_WHOLE_CHARACTERS = 3000;
/** Maximum number of characters of Markdown that are split into sentences at a time. */
const MAX_READ_CHARACTERS = 65_536;

/** Announces the latest reply, according to the setting `interns.chat.narration`, and changes of state, once each. */
export class Narrator {
  readonly #announcer: Announcer;
  readonly #localizer: Localizer;
  readonly #clock: Clock;
  readonly #leftMs: (until: number) => number;
  readonly #sentences: SentenceSplitter;
  #status: StatusView | undefined;
  /** The ID of the latest reply. */
  #reply: string | undefined;
  /** Characters of each part of the reply that were announced. */
  #read: number[] = [];
  /** The state of the reply that was announced last. */
  #said: string | undefined;
  /** Runs until the working intern has written something. */
  #silence: Disposable | undefined;

  /** @param leftMs returns the ms until a time of the host's clock */
  constructor(
    announcer: Announcer,
    localizer: Localizer,
    clock: Clock,
    leftMs: (until: number) => number,
  ) {
    this.#announcer = announcer;
    this.#localizer = localizer;
    this.#clock = clock;
    this.#leftMs = leftMs;
    this.#sentences = createSplitter(localizer);
  }

  /** Takes a snapshot without announcing it. */
  begin({ messages, status }: SnapshotView): void {
    const reply = messages.findLast((message) => message.kind === 'reply');
    this.#silence?.dispose();
    this.#status = status;
    this.#reply = reply?.id;
    this.#read = [];
    this.#said = reply && stateOf(reply);
    this.#sentences.end();
    const isGrowing = reply?.state === 'working' || reply?.state === 'waiting';
    const known = reply === undefined ? '' : this.#unread(reply);
    // The next words may continue a sentence or a code block.
    if (isGrowing && status.settings.narration !== 'off')
      this.#sentences.take(known.slice(-MAX_READ_CHARACTERS));
  }

  handleAdded(message: MessageView): void {
    if (message.kind === 'notice') this.#announcer.say(message.text);
    if (message.kind === 'prompt') this.#announcer.say(this.#localizer.strings.sent);
    if (message.kind !== 'reply') return;
    this.#dropReply();
    this.#reply = message.id;
    this.#read = [];
    this.#said = undefined;
    this.handleChanged(message);
  }

  handleChanged(message: MessageView): void {
    if (message.kind !== 'reply' || message.id !== this.#reply) return;
    if (this.#readsAsItComes) {
      const unread = this.#unread(message).slice(-MAX_READ_CHARACTERS);
      this.#announcer.read(this.#sentences.take(unread));
    }
    this.#sayState(message);
  }

  handleAppended(id: string, index: number, part: PartView, text: string): void {
    if (id !== this.#reply || part.kind !== 'text') return;
    this.#silence?.dispose();
    if (!this.#readsAsItComes) return;
    this.#read[index] = part.text.length;
    this.#announcer.read(this.#sentences.take(text.slice(-MAX_READ_CHARACTERS)));
  }

  setStatus(status: StatusView): void {
    const before = this.#status;
    this.#status = status;
    if (before === undefined) return;
    const { strings } = this.#localizer;
    const say = (text: string): void => this.#announcer.say(text);
    const idOf = ({ id }: { readonly id: string }): string => id;
    for (const { label } of added(before.attachments, status.attachments, idOf))
      say(formatMessage(strings.attached, label));
    if (added(before.queue, status.queue, idOf).length > 0) say(strings.queued);
    if (before.mode !== status.mode)
      // Self-drive that is off for the next prompt may continue in the current run.
      say(
        status.mode === 'self-drive'
          ? strings.selfDriveOn
          : (status.selfDriveBand?.text ?? strings.selfDriveOff),
      );
    this.#sayBanners(before, status);
    if (before.activity === status.activity) return;
    this.#silence?.dispose();
    if (status.activity === 'working')
      this.#silence = this.#clock.setTimeout(() => say(strings.thinking), THINKING_NOTICE_MS);
  }

  get #readsAsItComes(): boolean {
    return this.#status?.settings.narration === 'sentences';
  }

  #sayBanners(before: StatusView, { banners }: StatusView): void {
    const keyOf = ({ text, until }: BannerView): string => `${until ?? ''} ${text}`;
    for (const { text, until } of added(before.banners, banners, keyOf)) {
      const time = until === undefined ? '' : this.#localizer.duration(this.#leftMs(until), 'long');
      this.#announcer.say(text.replace('{time}', () => time));
    }
  }

  /** Returns the text that was not announced yet, and marks it as announced. */
  #unread({ parts }: ReplyMessageView): string {
    let unread = '';
    for (const [index, part] of parts.entries()) {
      const text = textOf(part);
      const read = this.#read[index] ?? 0;
      if (text.length <= read) continue;
      unread += index > 0 && read === 0 ? `\n${text}` : text.slice(read);
      this.#read[index] = text.length;
    }
    if (unread !== '') this.#silence?.dispose();
    return unread;
  }

  #sayState(reply: ReplyMessageView): void {
    const state = stateOf(reply);
    if (state === this.#said) return;
    this.#said = state;
    if (reply.state === 'working') return;
    this.#silence?.dispose();
    if (reply.state === 'done') {
      this.#sayEnd(reply);
      return;
    }
    // The waiting sentences were written before the question or failure, but would be spoken after it.
    this.#dropReply();
    const { strings } = this.#localizer;
    const question = pendingQuestion(reply);
    if (reply.failure !== undefined) this.#announcer.interrupt(reply.failure.title);
    else if (question !== undefined) this.#announcer.interrupt(cut(spokenQuestion(question)));
    else if (reply.state === 'failed') this.#announcer.interrupt(strings.failed);
    else if (reply.state === 'stopped') this.#announcer.sayAnywhere(strings.stopped);
    else if (reply.state === 'cut') this.#announcer.sayAnywhere(strings.cut);
  }

  #sayEnd(reply: ReplyMessageView): void {
    const finished = formatMessage(this.#localizer.strings.finished, reply.author);
    if (this.#status?.settings.narration === 'onCompletion') {
      const unread = this.#unread(reply).slice(0, MAX_READ_CHARACTERS);
      const whole = [`${finished}.`, ...this.#sentences.end(unread)].join(' ');
      this.#announcer.endReply(cut(whole));
      return;
    }
    this.#announcer.read(this.#sentences.end());
    this.#announcer.endReply(finished);
  }

  #dropReply(): void {
    this.#sentences.end();
    this.#announcer.dropReply();
  }
}

function cut(text: string): string {
  return text.slice(0, startOfCharacter(text, MAX_WHOLE_CHARACTERS));
}

function added<T>(before: readonly T[], now: readonly T[], keyOf: (item: T) => string): T[] {
  const known = new Set(before.map(keyOf));
  return now.filter((item) => !known.has(keyOf(item)));
}

/** Returns a key that is equal for two views of a reply in the same state. */
function stateOf(reply: ReplyMessageView): string {
  return JSON.stringify([reply.state, reply.failure?.title, pendingQuestion(reply)?.id]);
}

function pendingQuestion({ parts }: ReplyMessageView): QuestionView | undefined {
  const asked = parts.find((part) => part.kind === 'question' && part.question.pending);
  return asked?.kind === 'question' ? asked.question : undefined;
}
