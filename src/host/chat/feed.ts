import type { Conversation, ConversationChange } from '../../chat/conversation.ts';
import { currentRun } from '../../chat/conversation/state.ts';
import type { TranscriptChange } from '../../chat/transcript.ts';
import type { HostMessages } from '../../protocol/messages.ts';
import type { Change, MessageView, SnapshotView, StatusView } from '../../protocol/view.ts';
import { messageView, partView, shellView, type MessageContext } from './present/messageView.ts';

/** How many messages a snapshot carries; the page asks for earlier ones as the reader reaches them. */
const snapshotMessages = 60;
/** How many changes are kept for a page that missed some. */
const keptChanges = 500;

/** What the feed says to the page. */
export type FeedUpdate =
  | { readonly kind: 'snapshot'; readonly seq: number; readonly view: FeedSnapshot }
  | { readonly kind: 'changes'; readonly seq: number; readonly changes: readonly Change[] };

export type FeedSnapshot = Pick<SnapshotView, 'status' | 'messages' | 'earlier' | 'recall'>;

/** Puts a conversation's changes into numbered changes of its view. */
export class ChatFeed {
  readonly #conversation: Conversation;
  readonly #status: () => StatusView;
  readonly #author: () => string;
  readonly #kept: Change[] = [];
  #seq = 0;
  #context: MessageContext;
  #lastStatus = '';

  constructor(conversation: Conversation, author: () => string, status: () => StatusView) {
    this.#conversation = conversation;
    this.#author = author;
    this.#status = status;
    this.#context = this.#currentContext();
  }

  /** What a page needs that has everything up to `have`; null has nothing. */
  since(have: number | null): FeedUpdate {
    const missed = have === null ? Infinity : this.#seq - have;
    if (missed < 0 || missed > this.#kept.length) return this.#snapshot();
    return {
      kind: 'changes',
      seq: this.#seq,
      changes: missed === 0 ? [] : this.#kept.slice(-missed),
    };
  }

  /** Turns what changed into what the page must do; undefined where it need do nothing. */
  advance(change: ConversationChange): FeedUpdate | undefined {
    const before = this.#context;
    this.#context = this.#currentContext();
    const changes = [
      ...this.#messageChanges(change.transcript),
      ...this.#contextChanges(before),
      ...this.#statusChanges(),
    ];
    if (changes.length === 0) return undefined;
    this.#seq += changes.length;
    this.#kept.push(...changes);
    this.#kept.splice(0, this.#kept.length - keptChanges);
    return { kind: 'changes', seq: this.#seq, changes };
  }

  /** The status once more, for a page that shows what the user chose and did not get. */
  repeatStatus(): { seq: number; changes: readonly Change[] } {
    this.#lastStatus = '';
    const update = this.advance({ transcript: [], state: true });
    return { seq: this.#seq, changes: update?.kind === 'changes' ? update.changes : [] };
  }

  /** At most `count` messages from a place on. */
  history(from: number, count: number): HostMessages['history'] {
    const { messages } = this.#conversation.transcript;
    return {
      from,
      messages: messages.slice(from, from + count).map((message) => this.#view(message)),
    };
  }

  /** About `count` messages around one; none where there is no such message. */
  around(id: string, count: number): HostMessages['history'] {
    const { messages } = this.#conversation.transcript;
    const place = messages.findIndex((message) => message.id === id);
    return this.history(Math.max(0, place - (count >> 1)), place === -1 ? 0 : count);
  }

  #snapshot(): FeedUpdate {
    const { messages } = this.#conversation.transcript;
    this.#context = this.#currentContext();
    const status = this.#status();
    this.#lastStatus = JSON.stringify(status);
    const earlier = Math.max(0, messages.length - snapshotMessages);
    const recall = messages.flatMap((message) => (message.kind === 'prompt' ? [message.text] : []));
    return {
      kind: 'snapshot',
      seq: this.#seq,
      view: {
        status,
        messages: messages.slice(earlier).map((message) => this.#view(message)),
        earlier,
        recall: recall.slice(-100),
      },
    };
  }

  #view(message: Parameters<typeof messageView>[0]): MessageView {
    return messageView(message, this.#context);
  }

  #currentContext(): MessageContext {
    const { transcript, state } = this.#conversation;
    return {
      author: this.#author(),
      askedQuestion: state.phase.kind === 'paused' ? (state.questions[0]?.id ?? null) : null,
      editablePrompt: currentRun(state) === null ? (transcript.lastPrompt?.id ?? null) : null,
    };
  }

  /** Changes of one batch: a message or part that is shown whole is shown as it is after all of them, its text included. */
  #messageChanges(changes: readonly TranscriptChange[]): readonly Change[] {
    const whole = new Set<string>();
    const isWhole = (id: string, part: number) => whole.has(id) || whole.has(`${id}/${part}`);
    return changes.flatMap((change): readonly Change[] => {
      switch (change.kind) {
        case 'add':
          whole.add(change.message.id);
          return [{ kind: 'add', message: this.#view(change.message) }];
        case 'append':
          return isWhole(change.id, change.part) ? [] : [change];
        case 'part':
          if (isWhole(change.id, change.part)) return [];
          whole.add(`${change.id}/${change.part}`);
          return this.#partChange(change.id, change.part);
        case 'shell':
          return this.#shellChange(change.id);
        case 'meta':
          return [];
      }
    });
  }

  #partChange(id: string, index: number): readonly Change[] {
    const part = this.#conversation.transcript.reply(id)?.parts[index];
    return part === undefined
      ? []
      : [{ kind: 'part', id, index, part: partView(part, this.#context) }];
  }

  #shellChange(id: string): readonly Change[] {
    const reply = this.#conversation.transcript.reply(id);
    return reply === undefined ? [] : [{ kind: 'shell', message: shellView(reply, this.#context) }];
  }

  /** A question that is asked now, a prompt that may be edited now: their messages look different. */
  #contextChanges(before: MessageContext): readonly Change[] {
    const now = this.#context;
    const changes: Change[] = [];
    if (before.editablePrompt !== now.editablePrompt) {
      const prompts = [before.editablePrompt, now.editablePrompt];
      for (const message of this.#conversation.transcript.messages.slice(-snapshotMessages))
        if (prompts.includes(message.id))
          changes.push({ kind: 'replace', message: this.#view(message) });
    }
    if (before.askedQuestion !== now.askedQuestion)
      for (const id of [before.askedQuestion, now.askedQuestion])
        changes.push(...this.#questionChange(id));
    return changes;
  }

  #questionChange(question: string | null): readonly Change[] {
    const { transcript } = this.#conversation;
    const run = question === null ? undefined : transcript.question(question)?.run;
    const parts = run === undefined ? [] : (transcript.reply(run)?.parts ?? []);
    const index = parts.findIndex((part) => part.kind === 'question' && part.id === question);
    return run === undefined ? [] : this.#partChange(run, index);
  }

  #statusChanges(): readonly Change[] {
    const status = this.#status();
    const text = JSON.stringify(status);
    if (text === this.#lastStatus) return [];
    this.#lastStatus = text;
    return [{ kind: 'status', status }];
  }
}
