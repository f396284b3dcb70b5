import { DisposableBase } from '../../base/disposable.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import type { ConversationChange } from '../../conversation/ports.ts';
import { currentRun } from '../../conversation/machine/state.ts';
import type { TranscriptChange } from '../../conversation/messages.ts';
import type { AnyMessage, HostMessages } from '../../protocol/messages.ts';
import type { Change, SnapshotView, StatusView } from '../../protocol/view.ts';
import { SNAPSHOT_PROMPT_COUNT } from '../conversations/earlierPrompts.ts';
import { messageView, partView, headerView, type MessageContext } from './present/messageView.ts';

/** Messages in a snapshot; the page asks for earlier ones as the reader reaches them. */
const SNAPSHOT_MESSAGE_COUNT = 60;
/** Changes kept for a page that missed some. */
const MAX_CHANGES = 500;

export interface ChatFeedOptions {
  readonly conversation: Conversation;
  /** Nothing is posted before the page is up. */
  readonly life: { readonly isUp: boolean };
  readonly post: (message: AnyMessage<HostMessages>) => PromiseLike<unknown>;
  readonly internName: () => string;
  readonly status: () => StatusView;
  /** Adds to a snapshot what is not part of the conversation. */
  readonly snapshot: (seq: number, view: ConversationView) => HostMessages['snapshot'];
}

/** The part of a snapshot that the conversation determines. */
export type ConversationView = Pick<SnapshotView, 'status' | 'messages' | 'earlier' | 'recall'>;

/**
 * Sends a page its conversation: a snapshot, then each change at once, with a number. A page that was not up sends the
 * last number it has when it comes back.
 */
export class ChatFeed extends DisposableBase {
  readonly #options: ChatFeedOptions;
  readonly #conversation: Conversation;
  readonly #changes: Change[] = [];
  /** Messages to send once the page is up. */
  #queued: AnyMessage<HostMessages>[] = [];
  #seq = 0;
  #context: MessageContext;
  #lastStatus = '';

  constructor(options: ChatFeedOptions) {
    super();
    this.#options = options;
    this.#conversation = options.conversation;
    this.#context = this.#currentContext();
    this.own(this.#conversation.onDidChange((change) => this.#handleChange(change)));
  }

  /** Sends the changes since `lastSeq`, or a snapshot for null, and then the messages queued for the page. */
  synchronize(lastSeq: number | null): void {
    const missed = lastSeq === null ? Infinity : this.#seq - lastSeq;
    if (missed < 0 || missed > this.#changes.length) this.sendSnapshot();
    else
      this.postIfUp('changes', {
        seq: this.#seq,
        changes: missed === 0 ? [] : this.#changes.slice(-missed),
      });
    for (const { type, body } of this.#queued.splice(0)) this.postToPage(type, body);
  }

  /** Posts a message if the page is up. Doesn't queue it: the next page must not get a response to this one. */
  postIfUp<K extends keyof HostMessages>(type: K, body: HostMessages[K]): void {
    const { life, post } = this.#options;
    if (life.isUp) void post({ type, body } as AnyMessage<HostMessages>);
  }

  /** Posts a message to the page, once it is up. */
  postToPage<K extends keyof HostMessages>(type: K, body: HostMessages[K]): void {
    if (this.#options.life.isUp) this.postIfUp(type, body);
    else this.#queued.push({ type, body } as AnyMessage<HostMessages>);
  }

  /** Sends the status again if anything outside the conversation changed it, such as the account or an attachment. */
  refresh(): void {
    this.#handleChange({ transcript: [], stateChanged: true });
  }

  /** Updates the card of a question whose deadline moved: the machine slept, or its clock was set. */
  updateDeadline(): void {
    if (this.#conversation.deadline !== this.#context.deadline) this.refresh();
  }

  sendSnapshot(): void {
    this.#context = this.#currentContext();
    const { messages, ownPrompts } = this.#conversation.transcript;
    const status = this.#options.status();
    this.#lastStatus = JSON.stringify(status);
    const earlier = Math.max(0, messages.length - SNAPSHOT_MESSAGE_COUNT);
    const { messages: shown } = this.messagesFrom(earlier, SNAPSHOT_MESSAGE_COUNT);
    const recall = ownPrompts.slice(-SNAPSHOT_PROMPT_COUNT);
    const view = { status, messages: shown, earlier, recall };
    this.postIfUp('snapshot', this.#options.snapshot(this.#seq, view));
  }

  /** Returns at most `count` messages from an index on. */
  messagesFrom(from: number, count: number): HostMessages['history'] {
    const messages = this.#conversation.transcript.messages.slice(from, from + count);
    return { from, messages: messages.map((message) => messageView(message, this.#context)) };
  }

  /** Returns about `count` messages around one, or none if there is no such message. */
  messagesAround(id: string, count: number): HostMessages['history'] {
    const { messages } = this.#conversation.transcript;
    const index = messages.findIndex((message) => message.id === id);
    return this.messagesFrom(Math.max(0, index - (count >> 1)), index === -1 ? 0 : count);
  }

  /** Sends the changes of the view that follow from a change. */
  #handleChange(change: ConversationChange): void {
    const before = this.#context;
    if (change.stateChanged) this.#context = this.#currentContext();
    if (this.#context.author !== before.author) {
      // Each reply shows the intern's name. A page that is not up gets everything when it comes back.
      this.#seq++;
      this.#changes.length = 0;
      this.sendSnapshot();
      return;
    }
    const changes = [...this.#messageChanges(change.transcript)];
    if (change.stateChanged)
      changes.push(...this.#contextChanges(before), ...this.#statusChanges());
    if (changes.length === 0) return;
    this.#seq += changes.length;
    this.#changes.push(...changes);
    this.#changes.splice(0, this.#changes.length - MAX_CHANGES);
    this.postIfUp('changes', { seq: this.#seq, changes });
  }

  #currentContext(): MessageContext {
    const { transcript, state } = this.#conversation;
    return {
      author: this.#options.internName(),
      askedQuestion: state.phase.kind === 'paused' ? (state.questions[0]?.id ?? null) : null,
      deadline: this.#conversation.deadline,
      whenUnanswered: transcript.whenUnanswered,
      editablePrompt: currentRun(state) === null ? (transcript.lastPrompt?.id ?? null) : null,
    };
  }

  /**
   * Converts one batch. A message or part that is sent whole includes its later changes in the batch. Headers come last,
   * since they say that a reply has ended.
   */
  #messageChanges(changes: readonly TranscriptChange[]): readonly Change[] {
    const whole = new Set<string>();
    const headers = new Set<string>();
    const isWhole = (id: string, part: number) => whole.has(id) || whole.has(`${id}/${part}`);
    const sent = changes.flatMap((change): readonly Change[] => {
      switch (change.kind) {
        case 'add':
          whole.add(change.message.id);
          return [{ kind: 'add', message: messageView(change.message, this.#context) }];
        case 'prompt':
          return isWhole(change.id, 0) ? [] : this.#replace([change.id]);
        case 'append':
          return isWhole(change.id, change.part) ? [] : [change];
        case 'part':
          if (isWhole(change.id, change.part)) return [];
          whole.add(`${change.id}/${change.part}`);
          return this.#partChange(change.id, change.part);
        case 'header':
          if (!whole.has(change.id)) headers.add(change.id);
          return [];
        case 'meta':
          return [];
      }
    });
    return [...sent, ...[...headers].flatMap((id) => this.#headerChange(id))];
  }

  #headerChange(id: string): readonly Change[] {
    const reply = this.#conversation.transcript.reply(id);
    return reply ? [{ kind: 'header', message: headerView(reply, this.#context) }] : [];
  }

  #partChange(id: string, index: number): readonly Change[] {
    const part = this.#conversation.transcript.reply(id)?.parts[index];
    return part ? [{ kind: 'part', id, index, part: partView(part, this.#context) }] : [];
  }

  /** Returns the messages that the context changes: a question that is asked now, a prompt that may be edited now. */
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

  /** Replaces messages on the page, except those that are older than a snapshot's. */
  #replace(ids: readonly (string | null)[]): readonly Change[] {
    return this.#conversation.transcript.messages
      .slice(-SNAPSHOT_MESSAGE_COUNT)
      .filter(({ id }) => ids.includes(id))
      .map((message) => ({ kind: 'replace', message: messageView(message, this.#context) }));
  }

  #questionChange(question: string | null): readonly Change[] {
    const { transcript } = this.#conversation;
    const run = transcript.question(question ?? '')?.run ?? '';
    const parts = transcript.reply(run)?.parts ?? [];
    return this.#partChange(
      run,
      parts.findIndex((part) => part.kind === 'question' && part.id === question),
    );
  }

  #statusChanges(): readonly Change[] {
    const status = this.#options.status();
    const text = JSON.stringify(status);
    if (text === this.#lastStatus) return [];
    this.#lastStatus = text;
    return [{ kind: 'status', status }];
  }
}
