import { readQuestion, type Question, type ToolCall } from '../api/index.ts';
import type { ApprovalMode } from '../api/index.ts';
import type { Entry, StoredAttachment, StoredFailure, StoredUsage } from './journal.ts';

/** A prompt of the user's. */
export interface PromptMessage {
  readonly kind: 'prompt';
  readonly id: string;
  readonly run: string;
  readonly at: number;
  /** As typed. */
  readonly text: string;
  /** What went to the service: the text with its attachments. */
  readonly sent: string;
  readonly attachments: readonly StoredAttachment[];
  readonly mode: ApprovalMode;
}

export type ReplyState = 'working' | 'waiting' | 'done' | 'failed' | 'stopped' | 'cut';

/** Everything that one run said, across its questions. */
export interface ReplyMessage {
  readonly kind: 'reply';
  /** The run's id. */
  readonly id: string;
  readonly at: number;
  readonly mode: ApprovalMode;
  readonly state: ReplyState;
  readonly parts: readonly Part[];
  readonly model: string | null;
  /** Of the last response that reported one. */
  readonly usage: StoredUsage | null;
  readonly failure: StoredFailure | null;
  /** When the run ended; null before. */
  readonly endedAt: number | null;
}

export interface NoticeMessage {
  readonly kind: 'notice';
  readonly id: string;
  readonly at: number;
  readonly notice: 'new-session' | 'edited';
}

export type Message = PromptMessage | ReplyMessage | NoticeMessage;

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'reasoning';
      readonly text: string;
      readonly startedAt: number;
      readonly endedAt: number | null;
    }
  | QuestionPart;

export interface QuestionPart {
  readonly kind: 'question';
  readonly id: string;
  readonly run: string;
  readonly call: ToolCall;
  readonly question: Question;
  readonly askedAt: number;
  readonly state: 'pending' | 'answering' | 'answered' | 'closed';
  /** The way in which it was answered, or is being. */
  readonly how: string | null;
  /** Why it closed without an answer. */
  readonly why: Extract<Entry, { type: 'closed' }>['why'] | null;
  /** Why the service refused the last answer, while it is pending again. */
  readonly failure: StoredFailure | null;
}

/** A difference that one entry made. */
export type TranscriptChange =
  | { readonly kind: 'add'; readonly message: Message }
  /** A new part, or another state of one. */
  | { readonly kind: 'part'; readonly id: string; readonly part: number }
  /** A reply's state, facts or failure. */
  | { readonly kind: 'shell'; readonly id: string }
  | { readonly kind: 'append'; readonly id: string; readonly part: number; readonly text: string }
  /** Title, mode, consent or session. */
  | { readonly kind: 'meta' };

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type MutableReply = Mutable<Omit<ReplyMessage, 'parts'>> & { parts: Part[] };

const titleLength = 60;

/**
 * One conversation as its entries tell it.
 *
 * The fold is mutable because a reply may be megabytes in thousands of entries; what it hands out is read-only.
 * An entry that was applied already (another window's echo of it) changes nothing.
 */
export class Transcript {
  #intern = '';
  #mode: ApprovalMode = 'manual';
  #consented = false;
  #title: string | null = null;
  #session: string | null = null;
  #updatedAt = 0;
  readonly #messages: Message[] = [];
  readonly #replies = new Map<string, MutableReply>();
  readonly #questions = new Map<string, MutableReply>();
  readonly #seen = new Set<string>();

  static fold(entries: Iterable<Entry>): Transcript {
    const transcript = new Transcript();
    for (const entry of entries) transcript.apply(entry);
    return transcript;
  }

  get intern(): string {
    return this.#intern;
  }
  get mode(): ApprovalMode {
    return this.#mode;
  }
  /** Whether the user agreed to self-drive in this conversation. */
  get consented(): boolean {
    return this.#consented;
  }
  /** The session that the next prompt goes on in; null starts a new one. */
  get session(): string | null {
    return this.#session;
  }
  get updatedAt(): number {
    return this.#updatedAt;
  }
  get messages(): readonly Message[] {
    return this.#messages;
  }
  /** As renamed, else the first words of the first prompt; empty before one. */
  get title(): string {
    if (this.#title !== null) return this.#title;
    const first = this.#messages.find((message) => message.kind === 'prompt');
    return first === undefined ? '' : firstWords(first.text);
  }
  get lastReply(): ReplyMessage | undefined {
    return this.#messages.findLast((message) => message.kind === 'reply');
  }
  get lastPrompt(): PromptMessage | undefined {
    return this.#messages.findLast((message) => message.kind === 'prompt');
  }

  /** The prompt of a run. */
  prompt(run: string): PromptMessage | undefined {
    return this.#messages.findLast(
      (message) => message.kind === 'prompt' && message.run === run,
    ) as PromptMessage | undefined;
  }

  /** The reply of a run. */
  reply(run: string): ReplyMessage | undefined {
    return this.#replies.get(run);
  }

  /** Questions of the last run that may still be answered, oldest first. */
  get openQuestions(): readonly QuestionPart[] {
    return (this.lastReply?.parts ?? []).filter(
      (part) =>
        part.kind === 'question' && (part.state === 'pending' || part.state === 'answering'),
    ) as QuestionPart[];
  }

  question(id: string): QuestionPart | undefined {
    return this.#questions
      .get(id)
      ?.parts.find((part) => part.kind === 'question' && part.id === id) as
      QuestionPart | undefined;
  }

  /** Applies one entry and says what it changed. */
  apply(entry: Entry): readonly TranscriptChange[] {
    if (this.#seen.has(entry.id)) return [];
    this.#seen.add(entry.id);
    const lastAt = this.#updatedAt;
    this.#updatedAt = Math.max(lastAt, entry.at);
    switch (entry.type) {
      case 'opened':
        this.#intern = entry.intern;
        this.#mode = entry.mode;
        return [{ kind: 'meta' }];
      case 'renamed':
        this.#title = entry.title === '' ? null : entry.title;
        return [{ kind: 'meta' }];
      case 'mode':
        this.#mode = entry.mode;
        return [{ kind: 'meta' }];
      case 'consented':
        this.#consented = true;
        return [{ kind: 'meta' }];
      case 'notice':
        if (entry.notice === 'new-session') this.#session = null;
        return [this.#add({ kind: 'notice', id: entry.id, at: entry.at, notice: entry.notice })];
      case 'prompt':
        return this.#prompt(entry);
      case 'text':
        return this.#say('text', entry);
      case 'reasoning':
        return this.#say('reasoning', entry);
      case 'asked':
        return this.#ask(entry);
      case 'answering':
        return this.#settle(entry.question, { state: 'answering', how: entry.how, failure: null });
      case 'answered':
        return this.#settle(entry.question, { state: 'answered', how: entry.how }, 'working');
      case 'refused':
        return this.#settle(entry.question, {
          state: 'pending',
          how: null,
          failure: entry.failure,
        });
      case 'closed':
        return this.#settle(entry.question, { state: 'closed', why: entry.why });
      case 'finished':
        return this.#finish(entry);
      case 'end':
        return this.#end(entry);
      case 'failed':
        return this.#close(entry.run, entry.at, 'failed', entry.failure);
      case 'stopped':
        return this.#close(entry.run, entry.at, 'stopped');
      case 'cut':
        // Recorded when it was found, perhaps days later: the run was read up to the entry before.
        return this.#close(entry.run, lastAt, 'cut');
    }
  }

  #add(message: Message): TranscriptChange {
    this.#messages.push(message);
    return { kind: 'add', message };
  }

  #prompt(entry: Extract<Entry, { type: 'prompt' }>): readonly TranscriptChange[] {
    const { id, run, at, text, mode } = entry;
    const prompt = this.#add({
      kind: 'prompt',
      id,
      run,
      at,
      text,
      sent: entry.sent ?? text,
      attachments: entry.attachments ?? [],
      mode,
    });
    const reply: MutableReply = {
      kind: 'reply',
      id: run,
      at,
      mode,
      state: 'working',
      parts: [],
      model: null,
      usage: null,
      failure: null,
      endedAt: null,
    };
    this.#replies.set(run, reply);
    return [prompt, this.#add(reply), { kind: 'meta' }];
  }

  #say(
    kind: 'text' | 'reasoning',
    entry: { readonly run: string; readonly text: string; readonly at: number },
  ): readonly TranscriptChange[] {
    const reply = this.#replies.get(entry.run);
    if (reply === undefined) return [];
    const last = reply.parts.at(-1);
    if (last?.kind === kind) {
      (last as Mutable<typeof last>).text += entry.text;
      return [{ kind: 'append', id: reply.id, part: reply.parts.length - 1, text: entry.text }];
    }
    const ended = endReasoning(reply, entry.at);
    reply.parts.push(
      kind === 'text'
        ? { kind, text: entry.text }
        : { kind, text: entry.text, startedAt: entry.at, endedAt: null },
    );
    return [...ended, { kind: 'part', id: reply.id, part: reply.parts.length - 1 }];
  }

  #ask(entry: Extract<Entry, { type: 'asked' }>): readonly TranscriptChange[] {
    const reply = this.#replies.get(entry.run);
    if (reply === undefined) return [];
    const ended = endReasoning(reply, entry.at);
    const call: ToolCall = { index: 0, ...entry.call };
    reply.parts.push({
      kind: 'question',
      id: entry.question,
      run: entry.run,
      call,
      question: readQuestion(call),
      askedAt: entry.at,
      state: 'pending',
      how: null,
      why: null,
      failure: null,
    });
    this.#questions.set(entry.question, reply);
    return [...ended, { kind: 'part', id: reply.id, part: reply.parts.length - 1 }];
  }

  #settle(
    question: string,
    change: Partial<Pick<QuestionPart, 'state' | 'how' | 'why' | 'failure'>>,
    runState?: ReplyState,
  ): readonly TranscriptChange[] {
    const reply = this.#questions.get(question);
    if (reply === undefined) return [];
    const index = reply.parts.findIndex((part) => part.kind === 'question' && part.id === question);
    const part = reply.parts[index] as QuestionPart;
    reply.parts[index] = { ...part, ...change };
    const changed: TranscriptChange = { kind: 'part', id: reply.id, part: index };
    if (runState === undefined) return [changed];
    reply.state = runState;
    return [changed, { kind: 'shell', id: reply.id }];
  }

  #finish(entry: Extract<Entry, { type: 'finished' }>): readonly TranscriptChange[] {
    if (entry.reason === 'error') return this.#close(entry.run, entry.at, 'failed', entry.failure);
    if (entry.reason === 'stop') return this.#close(entry.run, entry.at, 'done');
    const reply = this.#replies.get(entry.run);
    if (reply === undefined) return [];
    const ended = endReasoning(reply, entry.at);
    reply.state = 'waiting';
    return [...ended, { kind: 'shell', id: reply.id }];
  }

  #end(entry: Extract<Entry, { type: 'end' }>): readonly TranscriptChange[] {
    // A run that failed before the intern reported a session carries null, which says nothing of an earlier one.
    if (entry.session !== null) this.#session = entry.session;
    const reply = this.#replies.get(entry.run);
    if (reply === undefined) return [{ kind: 'meta' }];
    reply.model = entry.model ?? reply.model;
    reply.usage = entry.usage ?? reply.usage;
    return [{ kind: 'shell', id: reply.id }, { kind: 'meta' }];
  }

  #close(
    run: string,
    at: number,
    state: ReplyState,
    failure: StoredFailure | null = null,
  ): readonly TranscriptChange[] {
    const reply = this.#replies.get(run);
    if (reply === undefined) return [];
    const ended = endReasoning(reply, at);
    reply.state = state;
    reply.failure = failure;
    reply.endedAt = at;
    return [...ended, { kind: 'shell', id: reply.id }, { kind: 'meta' }];
  }
}

function endReasoning(reply: MutableReply, at: number): readonly TranscriptChange[] {
  const last = reply.parts.at(-1);
  if (last?.kind !== 'reasoning' || last.endedAt !== null) return [];
  (last as Mutable<typeof last>).endedAt = at;
  return [{ kind: 'part', id: reply.id, part: reply.parts.length - 1 }];
}

/** The first words of a prompt, at most 60 characters, on one line. */
export function firstWords(text: string): string {
  const line = text.trim().replace(/\s+/gu, ' ');
  if (line.length <= titleLength) return line;
  const cut = line.slice(0, titleLength);
  const space = cut.lastIndexOf(' ');
  return `${space > titleLength / 2 ? cut.slice(0, space) : cut}…`;
}
