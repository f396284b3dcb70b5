import {
  ApiError,
  type Answer,
  type ApiErrorInit,
  type CallOptions,
  type ChatEvent,
  type ChatRequest,
  type ToolCall,
} from '../../../src/api/index.ts';
import { Conversation } from '../../../src/chat/conversation.ts';
import { formatEntry, parseEntry, type Entry } from '../../../src/chat/journal.ts';
import type { AnswerOutcome, PendingQuestion } from '../../../src/chat/questions/types.ts';
import { Transcript } from '../../../src/chat/transcript.ts';
import { FakeClock } from '../support/fakeClock.ts';

/** One request that the conversation made, to be answered by the test. */
export class FakeExchange {
  readonly chat: ChatRequest;
  readonly #options: CallOptions;
  readonly #arrivals: (readonly ChatEvent[] | 'end' | ApiError)[] = [];
  #wake: () => void = () => undefined;

  constructor(chat: ChatRequest, options: CallOptions) {
    this.chat = chat;
    this.#options = options;
    options.signal?.addEventListener('abort', () => {
      this.fail({ kind: 'aborted' });
    });
  }

  get aborted(): boolean {
    return this.#options.signal?.aborted === true;
  }

  /** The headers of an accepted response come. */
  open(): this {
    this.#options.onResponse?.({ status: 200 });
    return this;
  }

  say(...events: readonly ChatEvent[]): this {
    this.#arrive(events);
    return this;
  }

  /** The rest of a good response: finish chunk, final chunk, `[DONE]`. */
  finish(sessionId: string | null = 'session-1'): this {
    return this.say({ kind: 'finish', reason: 'stop' }, endEvent(sessionId)).done();
  }

  ask(call: ToolCall = permissionCall('call-1'), sessionId: string | null = 'session-1'): this {
    return this.say(
      interaction(call),
      { kind: 'finish', reason: 'tool_calls' },
      endEvent(sessionId),
    ).done();
  }

  done(): this {
    this.#arrive('end');
    return this;
  }

  fail(init: Partial<ApiErrorInit> & Pick<ApiErrorInit, 'kind'>): this {
    this.#arrive(new ApiError({ route: 'chat', message: 'said the service', ...init }));
    return this;
  }

  async *stream(): AsyncGenerator<readonly ChatEvent[]> {
    for (;;) {
      const next = this.#arrivals.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      if (next === 'end') return;
      if (next instanceof ApiError) throw next;
      yield next;
    }
  }

  #arrive(arrival: readonly ChatEvent[] | 'end' | ApiError): void {
    this.#arrivals.push(arrival);
    this.#wake();
  }
}

export const endEvent = (sessionId: string | null): ChatEvent => ({
  kind: 'end',
  sessionId,
  usage: null,
  model: null,
});

export function permissionCall(id: string): ToolCall {
  const question = {
    kind: 'permission',
    operation: 'shell',
    options: ['allow_once', 'reject_once'],
  };
  return { index: 0, id, name: 'service.provide_input', arguments: JSON.stringify(question) };
}

function interaction(call: ToolCall): ChatEvent {
  return {
    kind: 'interaction',
    call,
    question: { kind: 'permission', operation: 'shell', options: ['allow_once', 'reject_once'] },
  };
}

export const allowOnce: Answer = { kind: 'permission', choice: 'allow_once' };

/** A conversation with everything around it in the test's hands. */
export class Stage {
  readonly clock = new FakeClock();
  readonly exchanges: FakeExchange[] = [];
  readonly journal: Entry[] = [];
  /** What the record waits for before it is on disk. */
  recorded: Promise<unknown> = Promise.resolve();
  readonly asked: PendingQuestion[] = [];
  readonly ended: string[] = [];
  /** Where the desk has something against an answer: whether another one is on its way, or it knows no such question. */
  deskRefuses: 'answering' | 'unknown' | undefined;
  readonly learned: boolean[] = [];
  readonly runs: boolean[] = [];
  conversation: Conversation;
  #ids = 0;

  constructor(entries?: readonly Entry[]) {
    const first: Entry = { type: 'opened', id: 'e0', at: 0, intern: 'intern_1', mode: 'manual' };
    this.journal.push(...(entries ?? [first]));
    this.conversation = this.#load();
    this.conversation.restore(false);
  }

  /** What a new window finds on disk: every entry goes through its line. */
  reload(runsElsewhere = false): void {
    this.conversation.dispose();
    this.conversation = this.#load();
    this.conversation.restore(runsElsewhere);
  }

  get last(): FakeExchange {
    const last = this.exchanges.at(-1);
    if (last === undefined) throw new Error('No request was made');
    return last;
  }

  get state() {
    return this.conversation.state;
  }

  get phase(): string {
    return this.conversation.state.phase.kind;
  }

  get reply() {
    const reply = this.conversation.transcript.lastReply;
    if (reply === undefined) throw new Error('No reply yet');
    return reply;
  }

  get text(): string {
    return this.reply.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  }

  submit(text: string): void {
    this.conversation.send({ type: 'submit', prompt: { text, sent: text, attachments: [] } });
  }

  stop(): void {
    this.conversation.send({ type: 'stop' });
  }

  /** Lets everything that is ready happen. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 12; turn++) await Promise.resolve();
  }

  #load(): Conversation {
    const lines = this.journal.map(formatEntry);
    const entries = lines.flatMap((line) => parseEntry(line) ?? []);
    return new Conversation('conversation-1', Transcript.fold(entries), {
      clock: this.clock,
      newId: () => `id-${++this.#ids}`,
      random: () => 0.5,
      client: () => ({ streamChat: (_intern, chat, options) => this.#answer(chat, options ?? {}) }),
      append: (entry) => this.journal.push(entry),
      recorded: () => this.recorded,
      desk: {
        arrive: (question) => this.asked.push(question),
        end: (question) => this.ended.push(question),
        answer: (question, answer): Promise<AnswerOutcome | undefined> =>
          this.deskRefuses === undefined
            ? this.conversation.answer(question, answer)
            : Promise.resolve(undefined),
        get: (id) => {
          const question = this.asked.find((each) => each.id === id);
          if (this.deskRefuses !== 'answering' || question === undefined) return undefined;
          return { question, state: 'answering', error: null, ending: null };
        },
      },
      describe: (open, deadline) => ({
        id: open.id,
        conversation: 'conversation-1',
        intern: 'intern_1',
        internName: 'Ada',
        account: 'account-1',
        call: open.call,
        question: open.question,
        arrivedAt: open.askedAt,
        deadline,
      }),
      learned: (running) => this.learned.push(running),
      runEnded: ({ ok }) => this.runs.push(ok),
      silent: () => undefined,
    });
  }

  #answer(chat: ChatRequest, options: CallOptions): AsyncIterable<readonly ChatEvent[]> {
    const exchange = new FakeExchange(chat, options);
    this.exchanges.push(exchange);
    return exchange.stream();
  }
}
