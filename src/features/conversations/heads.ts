import { join } from 'node:path';
import * as v from 'valibot';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Transcript } from '../../conversation/transcript.ts';
import { LISTED_AS } from '../../conversation/journal.ts';
import { STANDINGS, standingOf } from '../../conversation/machine/state.ts';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Account, AccountStore } from '../accounts/account.ts';
import type { Log } from '../../platform/log/log.ts';
import { costDays, type CostDays } from './costDays.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import type { ReportUnreadable } from '../../platform/storage/unreadable.ts';
import type { WatchFolder } from '../../platform/storage/watch.ts';

/**
 * What lists of conversations show: one small file beside each record, so that a tree of 500 conversations does not
 * read 500 records. The record is the truth; a head is written whenever a run starts, pauses or ends.
 */
const headSchema = v.object({
  id: v.string(),
  intern: v.string(),
  title: v.string(),
  createdAt: v.number(),
  /** When something was last said, epoch ms. */
  at: v.number(),
  state: v.picklist(STANDINGS),
  /** Absent in heads that an older version wrote. */
  listed: v.optional(v.picklist(LISTED_AS)),
  /**
   * What it has cost, see costDays.ts. `at` is that of the head that it was reckoned for: a version that knows nothing of
   * it writes another head, and leaves this as it was.
   */
  cost: v.optional(
    v.object({ at: v.number(), spent: v.number(), days: v.record(v.string(), v.number()) }),
  ),
});

export type ConversationHead = Readonly<v.InferOutput<typeof headSchema>>;

/** The heads of all conversations, by account. A folder is read when it is first listed. */
export class ConversationHeads extends DisposableBase {
  readonly #options: ConversationHeadsOptions;
  readonly #changed = this.own(new Emitter<string | undefined>());
  readonly #folders = new WeakMap<AccountStore, JsonFolder<ConversationHead>>();

  /** The intern whose heads changed; undefined where it may be any. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ConversationHeadsOptions) {
    super();
    this.#options = options;
  }

  of({ store }: Account): JsonFolder<ConversationHead> {
    const known = this.#folders.get(store);
    if (known !== undefined) return known;
    const { watch, reportUnreadable } = this.#options;
    const heads = this.own(
      new JsonFolder({
        folder: join(store.conversationsDir, 'heads'),
        schema: headSchema,
        idOf: (head) => head.id,
        watch,
        reportUnreadable,
      }),
    );
    this.own(heads.onDidChange(() => this.#changed.fire(undefined)));
    this.#folders.set(store, heads);
    return heads;
  }

  /** Writes the head of one conversation. */
  writer(account: Account): HeadWriter {
    return new HeadWriter(this.of(account), ({ id, intern }, failure) => {
      if (failure !== undefined)
        this.#options.log.warn('The head of a conversation could not be written', failure, id);
      this.#changed.fire(intern);
    });
  }

  /** Conversations with an intern, newest first. */
  async list(account: Account, intern?: string): Promise<readonly ConversationHead[]> {
    const heads = await this.of(account).list();
    return heads
      .filter((head) => intern === undefined || head.intern === intern)
      .sort((a, b) => b.at - a.at);
  }

  /** What a conversation has cost; reckoned once from its record where its head does not say so. */
  async costOf(
    account: Account,
    { id, at, cost }: ConversationHead,
    read: () => Promise<Transcript>,
  ): Promise<CostDays> {
    if (cost?.at === at) return cost;
    const reckoned = costDays(await read());
    await this.of(account).update(id, (current) =>
      current?.at === at ? { ...current, cost: { at, ...reckoned } } : undefined,
    );
    return reckoned;
  }
}

interface ConversationHeadsOptions {
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
  readonly log: Pick<Log, 'warn'>;
}

/** Keeps one conversation's head in step with it. */
export class HeadWriter {
  readonly #heads: JsonFolder<ConversationHead>;
  readonly #written: (head: ConversationHead, failure: unknown) => void;
  /** What was written last, its time aside. */
  #text = '';
  #last: Promise<void> = Promise.resolve();
  #isUnwritten = false;
  #stopped = false;

  /** @param written called after each write, with what it failed of or undefined */
  constructor(
    heads: JsonFolder<ConversationHead>,
    written: (head: ConversationHead, failure: unknown) => void,
  ) {
    this.#heads = heads;
    this.#written = written;
  }

  /** Writes the head where something in it but the time differs. */
  update(conversation: Conversation): void {
    const head = headOf(conversation);
    if (head === undefined || this.#stopped) return;
    const text = JSON.stringify({
      ...head,
      at: 0,
      cost: { ...head.cost, at: 0 },
      prompt: conversation.transcript.lastPrompt?.id,
    });
    if (text === this.#text) return;
    this.#text = text;
    this.#last = this.#write(head);
  }

  /** Writes what the disk did not take, now that it may. */
  catchUp(conversation: Conversation): void {
    if (!this.#isUnwritten) return;
    this.#isUnwritten = false;
    this.#text = '';
    this.update(conversation);
  }

  /** Resolves when the last write is done. */
  async flush(): Promise<void> {
    await this.#last;
  }

  /** Writes nothing any more, and removes what was written. */
  async remove(id: string): Promise<void> {
    this.#stopped = true;
    const removal = this.#last.then(() => this.#heads.remove(id));
    this.#last = removal.then(
      () => undefined,
      () => undefined,
    );
    await removal;
  }

  async #write(head: ConversationHead): Promise<void> {
    try {
      await this.#heads.put(head);
      this.#written(head, undefined);
    } catch (failure) {
      this.#isUnwritten = true;
      this.#written(head, failure);
    }
  }
}

/** The conversation that a chat with its intern goes on with: the latest that is not archived. */
export function latestOf(heads: readonly ConversationHead[]): ConversationHead | undefined {
  return unarchived(heads)[0];
}

export function unarchived(heads: readonly ConversationHead[]): readonly ConversationHead[] {
  return heads.filter(({ listed }) => listed !== 'archived');
}

/** What a list shows of a conversation; undefined before its first prompt. */
function headOf(conversation: Conversation): ConversationHead | undefined {
  const { id, transcript } = conversation;
  if (transcript.lastPrompt === undefined) return undefined;
  const { intern, title, listedAs: listed, updatedAt, messages } = transcript;
  const createdAt = messages[0]?.at ?? updatedAt;
  const state = standingOf(conversation);
  const cost = { at: updatedAt, ...costDays(transcript) };
  return { id, intern, title, createdAt, at: updatedAt, state, listed, cost };
}
