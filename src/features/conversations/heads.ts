import pLimit from 'p-limit';
import * as v from 'valibot';
import { type Disposable, DisposableBase, Emitter } from '../../base/disposable.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { LISTED_AS } from '../../conversation/journal.ts';
import { restoredEvent } from '../../conversation/machine/reduce.ts';
import { conversationStatus, CONVERSATION_STATUSES } from '../../conversation/machine/state.ts';
import { createQuestionContext } from '../../conversation/questions/questionContext.ts';
import { Transcript } from '../../conversation/transcript.ts';
import type { Account, AccountStore } from '../accounts/account.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import { wasRemoved } from '../../platform/storage/files.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import type { OwnerFile } from '../../platform/storage/ownerFile.ts';
import { UnreadableFileError } from '../../platform/storage/unreadable.ts';
import { addUsd } from '../../conversation/costs.ts';
import type { CostSums } from '../../platform/text/costs.ts';
import type { FileServices } from '../../platform/services.ts';
import { readEntries, recordNames, recordPath, recordPathOf } from './conversationRecord.ts';

/** The pending question, with all that is needed to ask it again. */
const questionSchema = v.object({
  id: v.string(),
  call: v.object({ index: v.number(), id: v.string(), name: v.string(), arguments: v.string() }),
  /** Epoch ms. */
  askedAt: v.number(),
  context: v.object({ said: v.string(), allowed: v.number(), rejected: v.number() }),
});

/**
 * The data that lists, badge and status bar show of a conversation. It is a small file beside each record, so they need
 * not read 500 records. If they differ, the record is right. A head is written whenever a run starts, pauses or ends.
 */
const headSchema = v.object({
  id: v.string(),
  intern: v.string(),
  title: v.string(),
  createdAt: v.number(),
  /** When something was last said, epoch ms. */
  at: v.number(),
  state: v.picklist(CONVERSATION_STATUSES),
  /** Absent in heads that an older version wrote. */
  listed: v.optional(v.picklist(LISTED_AS)),
  /** The URI of the workspace in which it was started. Absent without one, and in heads that an older version wrote. */
  workspace: v.optional(v.string()),
  /** The pending question, until the service has accepted an answer. */
  question: v.optional(questionSchema),
  /** The cost at its time `at`. If the head has another `at`, an older version of Interns wrote the head. */
  cost: v.optional(
    v.object({ at: v.number(), spent: v.number(), days: v.record(v.string(), v.number()) }),
  ),
});

export type ConversationHead = Readonly<v.InferOutput<typeof headSchema>>;

/** Extension of the files beside the heads that name the last dialogs, see {@link QuestionHeadFiles}. */
export const DIALOG_EXTENSION = '.dialog';

interface HeadsOptions extends FileServices {
  /** Deletes the rest of a conversation whose record was removed. */
  readonly finishDeletion?: (account: Account, id: string) => Promise<void>;
}

/** The heads of all conversations, by account. A folder is read and watched when it is first listed. */
export class ConversationHeads extends DisposableBase {
  readonly #options: HeadsOptions;
  readonly #changed = this.own(new Emitter<void>());
  readonly #dialogsChanged = this.own(new Emitter<void>());
  readonly #restoring = new WeakMap<AccountStore, Promise<void>>();

  readonly onDidChange = this.#changed.event;
  readonly onDidChangeDialogs = this.#dialogsChanged.event;

  constructor(options: HeadsOptions) {
    super();
    this.#options = options;
  }

  of({ store }: Account): JsonFolder<ConversationHead> {
    return this.ownOnce(store, () => {
      const { watch, reportUnreadable } = this.#options;
      const heads = new JsonFolder({
        folder: store.paths.heads,
        schema: headSchema,
        idOf: (head) => head.id,
        canBeRemade: true,
        watch: (folder, onChange) =>
          watch(folder, (file) => {
            onChange(file);
            if (file === undefined || file.endsWith(DIALOG_EXTENSION)) this.#dialogsChanged.fire();
          }),
        reportUnreadable,
      });
      heads.onDidChange(() => this.#changed.fire());
      return heads;
    });
  }

  /**
   * Lists the conversations of an account, or those with one intern, newest first. The first call writes the heads that
   * are missing or damaged, and finishes deletions that a crash interrupted.
   */
  async list(account: Account, intern?: string): Promise<readonly ConversationHead[]> {
    const folder = this.of(account);
    const found = await folder.list();
    const restoring = this.#restoring.get(account.store) ?? this.#restore(account, found);
    this.#restoring.set(account.store, restoring);
    await restoring;
    const heads = await folder.list();
    return heads
      .filter((head) => intern === undefined || head.intern === intern)
      .sort((a, b) => b.at - a.at);
  }

  /** Writes the heads that a full disk or a power cut left out or damaged, from their records. */
  async #restore(account: Account, found: readonly ConversationHead[]): Promise<void> {
    const folder = this.of(account);
    const known = new Set(found.map(({ id }) => id));
    const recorded = new Set(await recordNames(account));
    const withoutRecord = found.filter(({ id }) => !recorded.has(toFileName(id)));
    await Promise.all(withoutRecord.map(({ id }) => this.#finishDeletion(account, id)));
    for (const id of recorded)
      try {
        // Longer and unusual IDs cannot be read from a file name.
        if (known.has(id) || toFileName(id) !== id) continue;
        // Throws if there is a head of a later version.
        await folder.update(id, () => undefined);
        const transcript = Transcript.fold((await readEntries(recordPathOf(account, id))) ?? []);
        const { state } = restoredEvent(transcript, 'other-window');
        const head = headOf({ id, transcript, state });
        // The window of its run may have written it by now.
        if (transcript.intern !== '') await folder.update(id, (current) => current ?? head);
      } catch (failure) {
        if (failure instanceof UnreadableFileError) continue;
        this.#options.log.warn('The head of a conversation could not be restored', failure, id);
      }
  }

  async #finishDeletion(account: Account, id: string): Promise<void> {
    const { finishDeletion, log } = this.#options;
    try {
      if (await wasRemoved(recordPath(account, id))) await finishDeletion?.(account, id);
    } catch (failure) {
      log.warn('The deletion of a conversation could not be finished', failure, id);
    }
  }
}

/** Time until a failed write is retried, in ms. */
const RETRY_DELAY_MS = 10_000;

interface HeadWriterPorts extends Pick<FileServices, 'clock' | 'log'> {
  readonly heads: Pick<JsonFolder<ConversationHead>, 'put' | 'remove'>;
  readonly owner: Pick<OwnerFile, 'isElsewhere'>;
}

/**
 * Updates the head of one conversation. If another window owns the conversation, that window writes the head; otherwise
 * each window with the conversation open writes it, so the one that read most of the record writes last.
 */
export class HeadWriter implements Disposable {
  readonly #ports: HeadWriterPorts;
  /** The last written text, without its time. */
  #text = '';
  readonly #inOrder = pLimit(1);
  #retry: Disposable | undefined;
  #stopped = false;

  constructor(ports: HeadWriterPorts) {
    this.#ports = ports;
  }

  /** Writes the head if anything but its time changed. */
  update(conversation: Conversation): void {
    if (textOf(headOf(conversation), conversation) === this.#text) return;
    void this.#inOrder(() => this.#write(conversation));
  }

  /** Resolves when the last write is done. */
  async flush(): Promise<void> {
    await this.#inOrder(() => undefined);
  }

  /** Removes the head. The next update writes it again. */
  async remove(id: string): Promise<void> {
    await this.#inOrder(async () => {
      this.#retry?.dispose();
      this.#text = '';
      await this.#ports.heads.remove(id);
    });
  }

  dispose(): void {
    this.#retry?.dispose();
    this.#stopped = true;
  }

  async #write(conversation: Conversation): Promise<void> {
    const { heads, log, owner } = this.#ports;
    this.#retry?.dispose();
    if (await owner.isElsewhere()) return;
    const head = headOf(conversation);
    const text = textOf(head, conversation);
    if (head === undefined || this.#stopped || text === this.#text) return;
    try {
      await heads.put(head);
      this.#text = text;
    } catch (failure) {
      // An unreadable head was reported when it was read.
      if (failure instanceof UnreadableFileError) return;
      log.warn('The head of a conversation could not be written', failure, head.id);
      this.#retryLater(conversation);
    }
  }

  #retryLater(conversation: Conversation): void {
    if (this.#stopped) return;
    this.#retry = this.#ports.clock.setTimeout(() => this.update(conversation), RETRY_DELAY_MS);
  }
}

export function withoutArchived(heads: readonly ConversationHead[]): readonly ConversationHead[] {
  return heads.filter(({ listed }) => listed !== 'archived');
}

/** Returns a conversation's head; undefined before its first prompt. */
function headOf(
  conversation: Pick<Conversation, 'id' | 'transcript'> & Parameters<typeof conversationStatus>[0],
): ConversationHead | undefined {
  const { id, transcript } = conversation;
  if (transcript.lastPrompt === undefined) return undefined;
  const { intern, title, listedAs: listed, workspace, updatedAt, messages } = transcript;
  const createdAt = messages[0]?.at ?? updatedAt;
  const state = conversationStatus(conversation);
  const cost = { at: updatedAt, ...costDays(transcript) };
  const question = pendingIn(transcript);
  const facts = { id, intern, title, createdAt, at: updatedAt, state, listed, cost };
  const head = workspace === undefined ? facts : { ...facts, workspace };
  return question ? { ...head, question } : head;
}

/** Returns the question that the last run waits for. */
function pendingIn(transcript: Transcript): ConversationHead['question'] {
  const [open] = transcript.lastReply?.state === 'waiting' ? transcript.openQuestions : [];
  if (open === undefined || open.question.kind === 'unreadable') return undefined;
  const { id, call, askedAt } = open;
  return { id, call, askedAt, context: createQuestionContext(transcript, open) };
}

/** Returns a text that changes when a head has to be written. */
function textOf(head: ConversationHead | undefined, { transcript }: Conversation): string {
  if (head === undefined) return '';
  const prompt = transcript.lastPrompt?.id;
  return JSON.stringify({ ...head, at: 0, cost: { ...head.cost, at: 0 }, prompt });
}

/** The cost of a conversation in USD: in all, and on each of its last seven days by the user's clock (`2026-11-22`). */
export interface CostDays {
  readonly spent: number;
  readonly days: Readonly<Record<string, number>>;
}

export function costDays({ spent, costs }: Pick<Transcript, 'spent' | 'costs'>): CostDays {
  const days: Record<string, number> = {};
  const lastWeek = lastDays(costs.at(-1)?.at ?? 0);
  for (const { at, usd } of costs) {
    const day = dayOf(new Date(at));
    if (lastWeek.includes(day)) days[day] = addUsd(days[day] ?? 0, usd);
  }
  return { spent, days };
}

/** Adds up the costs of conversations. @param now epoch ms */
export function sumCosts(conversations: readonly CostDays[], now: number): CostSums {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, usd) => addUsd(total, usd), 0);
  const [today = 0, ...before] = lastDays(now).map((day) =>
    sum(conversations.map(({ days }) => days[day] ?? 0)),
  );
  const all = sum(conversations.map(({ spent }) => spent));
  return { today, week: sum([today, ...before]), all };
}

/** Returns the day of a time and the six days before. */
function lastDays(time: number): readonly string[] {
  const date = new Date(time);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  return Array.from({ length: 7 }, (_, back) => dayOf(new Date(year, month, day - back)));
}

function dayOf(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
