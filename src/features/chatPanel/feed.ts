import type { Disposable } from '../../base/disposable.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { ConversationChange } from '../../conversation/ports.ts';
import { currentRun } from '../../conversation/machine/state.ts';
import type { Message, TranscriptChange } from '../../conversation/messages.ts';
import type { AnyMessage, HostMessages } from '../../protocol/messages.ts';
import type { Change, MessageView, SnapshotView, StatusView } from '../../protocol/view.ts';
import { lastPrompts } from '../conversations/earlierPrompts.ts';
import { messageView, partView, headerView, type MessageContext } from './present/messageView.ts';

/** How many messages a snapshot carries; the page asks for earlier ones as the reader reaches them. */
const snapshotMessages = 60;
/** How many changes are kept for a page that missed some. */
const keptChanges = 500;

/** What a feed is built from. */
export interface ChatFeedOptions {
  readonly conversation: Conversation;
  /** Whether the page is up: nothing is posted to it before. */
  readonly life: { readonly isUp: boolean };
  readonly post: (message: AnyMessage<HostMessages>) => PromiseLike<unknown>;
  /** The intern's name. */
  readonly author: () => string;
  readonly status: () => StatusView;
  /** What a snapshot holds beside the conversation. */
  readonly snapshotRest: () => Omit<HostMessages['snapshot'], 'seq' | 'view'> & {
    readonly view: Omit<SnapshotView, keyof ConversationView>;
  };
}

type ConversationView = Pick<SnapshotView, 'status' | 'messages' | 'earlier' | 'recall'>;

/**
 * Tells a page what its conversation says: the whole, then numbered changes of its view, at once as they happen. A page
 * that is not up is told nothing; it says which number it has when it comes back.
 */
export class ChatFeed implements Disposable {
  readonly #options: ChatFeedOptions;
  readonly #conversation: Conversation;
  readonly #following: Disposable;
  /** The last changes, for a page that missed some. */
  readonly #changes: Change[] = [];
  /** Messages to send once the page is up. */
  #queued: AnyMessage<HostMessages>[] = [];
  #seq = 0;
  #context: MessageContext;
  #lastStatus = '';

  constructor(options: ChatFeedOptions) {
    this.#options = options;
    this.#conversation = options.conversation;
    this.#context = this.#currentContext();
    this.#following = this.#conversation.onDidChange((change) => this.#advance(change));
  }

  /** Sends what the page missed since `lastSeq`, the whole for null, and the messages queued for it. */
  synchronize(lastSeq: number | null): void {
    const missed = lastSeq === null ? Infinity : this.#seq - lastSeq;
    if (missed < 0 || missed > this.#changes.length) this.sendAll();
    else
      this.#post('changes', {
        seq: this.#seq,
        changes: missed === 0 ? [] : this.#changes.slice(-missed),
      });
    for (const { type, body } of this.#queued.splice(0)) this.postToPage(type, body);
  }

  /** Says something to the page; what is said before it is up is kept for it. */
  postToPage<K extends keyof HostMessages>(type: K, body: HostMessages[K]): void {
    if (this.#options.life.isUp) this.#post(type, body);
    else this.#queued.push({ type, body } as AnyMessage<HostMessages>);
  }

  /** Sends what differs though the conversation did not change: a name, the account, an attachment. */
  refresh(): void {
    this.#advance({ transcript: [], state: true });
  }

  /** Shows the card anew whose deadline moved: the machine slept, or its clock was set. */
  followDeadline(): void {
    if (this.#conversation.deadline !== this.#context.deadline) this.refresh();
  }

  /** The status once more, for a page that shows what the user chose and did not get. */
  repeatStatus(): void {
    this.#lastStatus = '';
    this.refresh();
  }

  /** Sends the whole, so that the page begins anew. */
  sendAll(): void {
    this.#context = this.#currentContext();
    const { view, ...rest } = this.#options.snapshotRest();
    this.#post('snapshot', {
      ...rest,
      seq: this.#seq,
      view: { ...view, ...this.#view() },
    });
  }

  dispose(): void {
    this.#following.dispose();
  }

  /** At most `count` messages from a place on. */
  history(from: number, count: number): HostMessages['history'] {
    const { messages } = this.#conversation.transcript;
    return {
      from,
      messages: messages.slice(from, from + count).map((message) => this.#messageView(message)),
    };
  }

  /** About `count` messages around one; none where there is no such message. */
  around(id: string, count: number): HostMessages['history'] {
    const { messages } = this.#conversation.transcript;
    const place = messages.findIndex((message) => message.id === id);
    return this.history(Math.max(0, place - (count >> 1)), place === -1 ? 0 : count);
  }

  #post<K extends keyof HostMessages>(type: K, body: HostMessages[K]): void {
    const { life, post } = this.#options;
    if (life.isUp) void post({ type, body } as AnyMessage<HostMessages>);
  }

  /** Turns what changed into what the page must do. */
  #advance(change: ConversationChange): void {
    const before = this.#context;
    if (change.state) this.#context = this.#currentContext();
    const changes = [...this.#messageChanges(change.transcript)];
    if (change.state) changes.push(...this.#contextChanges(before), ...this.#statusChanges());
    if (changes.length === 0) return;
    this.#seq += changes.length;
    this.#changes.push(...changes);
    this.#changes.splice(0, this.#changes.length - keptChanges);
    this.#post('changes', { seq: this.#seq, changes });
  }

  #view(): ConversationView {
    const { messages, ownPrompts } = this.#conversation.transcript;
    const status = this.#options.status();
    this.#lastStatus = JSON.stringify(status);
    const earlier = Math.max(0, messages.length - snapshotMessages);
    return {
      status,
      messages: messages.slice(earlier).map((message) => this.#messageView(message)),
      earlier,
      recall: ownPrompts.slice(-lastPrompts),
    };
  }

  #messageView(message: Message): MessageView {
    return messageView(message, this.#context);
  }

  #currentContext(): MessageContext {
    const { transcript, state } = this.#conversation;
    return {
      author: this.#options.author(),
      askedQuestion: state.phase.kind === 'paused' ? (state.questions[0]?.id ?? null) : null,
      deadline: this.#conversation.deadline,
      whenUnanswered: transcript.whenUnanswered,
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
          return [{ kind: 'add', message: this.#messageView(change.message) }];
        case 'prompt':
          return isWhole(change.id, 0) ? [] : this.#replace([change.id]);
        case 'append':
          return isWhole(change.id, change.part) ? [] : [change];
        case 'part':
          if (isWhole(change.id, change.part)) return [];
          whole.add(`${change.id}/${change.part}`);
          return this.#partChange(change.id, change.part);
        case 'header':
          return this.#headerChange(change.id);
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

  #headerChange(id: string): readonly Change[] {
    const reply = this.#conversation.transcript.reply(id);
    return reply === undefined
      ? []
      : [{ kind: 'header', message: headerView(reply, this.#context) }];
  }

  /** A question that is asked now, a prompt that may be edited now: their messages look different. */
  #contextChanges(before: MessageContext): readonly Change[] {
    const now = this.#context;
    const changes: Change[] = [];
    if (before.editablePrompt !== now.editablePrompt)
      changes.push(...this.#replace([before.editablePrompt, now.editablePrompt]));
    const isOther =
      before.askedQuestion !== now.askedQuestion ||
      before.whenUnanswered !== now.whenUnanswered ||
      before.deadline !== now.deadline;
    if (isOther)
      for (const id of new Set([before.askedQuestion, now.askedQuestion]))
        changes.push(...this.#questionChange(id));
    return changes;
  }

  /** Shows messages anew that are among the last ones. */
  #replace(ids: readonly (string | null)[]): readonly Change[] {
    return this.#conversation.transcript.messages
      .slice(-snapshotMessages)
      .filter(({ id }) => ids.includes(id))
      .map((message) => ({ kind: 'replace', message: this.#messageView(message) }));
  }

  #questionChange(question: string | null): readonly Change[] {
    const { transcript } = this.#conversation;
    const run = question === null ? undefined : transcript.question(question)?.run;
    const parts = run === undefined ? [] : (transcript.reply(run)?.parts ?? []);
    const index = parts.findIndex((part) => part.kind === 'question' && part.id === question);
    return run === undefined ? [] : this.#partChange(run, index);
  }

  #statusChanges(): readonly Change[] {
    const status = this.#options.status();
    const text = JSON.stringify(status);
    if (text === this.#lastStatus) return [];
    this.#lastStatus = text;
    return [{ kind: 'status', status }];
  }
}
