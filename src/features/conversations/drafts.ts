import { join } from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { APPROVAL_MODES } from '../../base/approvalMode.ts';
import { DisposableBase, Emitter, type Disposable } from '../../base/disposable.ts';
import { contextItemSchema } from '../../conversation/attachments.ts';
import type { QueuedPrompt } from '../../conversation/machine/state.ts';
import type { Account } from '../accounts/account.ts';
import { isSignedOut, retryBusy } from '../../platform/storage/files.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import { OwnerFile } from '../../platform/storage/ownerFile.ts';
import { UnreadableFileError } from '../../platform/storage/unreadable.ts';
import { scrollPositionSchema } from '../../protocol/messages.ts';
import type { Conversations, OpenConversation } from './conversations.ts';
import { removeDrafts } from './conversationRecord.ts';
import type { FileServices, PlatformServices } from '../../platform/services.ts';

/** How long changes are collected before they are written, in ms. */
const WRITE_DELAY_MS = 250;
/** Time until a failed write is retried, in ms. */
const RETRY_DELAY_MS = 5_000;
/** Thrown while another window writes the same file. */
const BUSY = Object.assign(new Error('Another window writes the draft'), { code: 'EBUSY' });

/** A {@link QueuedPrompt}. */
const queuedSchema = v.object({
  id: v.string(),
  text: v.string(),
  sent: v.string(),
  attachments: v.array(v.object({ label: v.string(), size: v.number() })),
  isByAgent: v.exactOptional(v.boolean()),
  mode: v.optional(v.picklist(APPROVAL_MODES), 'manual'),
  limit: v.exactOptional(v.nullable(v.union([v.number(), v.literal('this-prompt')]))),
  reasonFor: v.exactOptional(v.string()),
});

/** The data that a workspace stores for a conversation besides its record. */
const draftSchema = v.object({
  text: v.optional(v.string(), ''),
  scroll: v.optional(v.nullable(scrollPositionSchema), null),
  queue: v.optional(v.array(queuedSchema) as v.GenericSchema<unknown, readonly QueuedPrompt[]>, []),
  /** True if the queue waits for the user, not for the run. */
  queueHeld: v.optional(v.boolean(), false),
  /** A copy of what is attached: at most a prompt's worth of text. */
  attached: v.optional(v.pipe(v.array(contextItemSchema), v.readonly()), []),
  /** True if the last page with formatted replies hung when it was closed. */
  pageHung: v.optional(v.boolean(), false),
  /** The state of editing the last prompt: sent to the composer, or reported by it. */
  editing: v.optional(v.picklist(['no', 'asked', 'seen']), 'no'),
});
export type ChatDraft = Readonly<v.InferOutput<typeof draftSchema>>;

const EMPTY_DRAFT = v.parse(draftSchema, {});

function isEmpty(draft: ChatDraft): boolean {
  return JSON.stringify(draft) === JSON.stringify(EMPTY_DRAFT);
}

const recordSchema = v.object({ id: v.string(), ...draftSchema.entries });
type DraftRecord = v.InferOutput<typeof recordSchema>;

type DraftsOptions = FileServices & Pick<PlatformServices, 'workspace' | 'window'>;

interface OpenDraft {
  readonly open: OpenConversation;
  draft: ChatDraft;
  /** The changes that are not on disk. Other windows of the workspace write the same file. */
  unwritten?: Partial<ChatDraft>;
  /** Resolves when the last change was written, or could not be. */
  writing: Promise<void>;
  /** The waiting prompts in the file when they were last read or written here. */
  saved: readonly QueuedPrompt[];
  /** IDs of the prompts that have waited in this window. */
  readonly waited: Set<string>;
}

/**
 * The drafts and waiting prompts of open conversations, in memory and in a folder of the account. Any window can delete
 * them with their conversation or account.
 */
export class Drafts extends DisposableBase {
  readonly #options: DraftsOptions;
  /** Keyed by conversation. */
  readonly #open = new Map<string, OpenDraft>();
  readonly #changed = this.own(new Emitter<void>());
  #timer: Disposable | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(
    conversations: Pick<Conversations, 'onDidOpen' | 'onDidChangeDeletion'>,
    options: DraftsOptions,
  ) {
    super();
    this.#options = options;
    this.own({ dispose: () => this.#timer?.dispose() });
    this.own(conversations.onDidOpen((open) => this.#follow(open)));
    this.own(
      conversations.onDidChangeDeletion(({ account, conversation: { id }, isDeleted }) => {
        if (isDeleted) void this.#folder(account).remove(id);
        else this.set(id, this.get(id));
      }),
    );
  }

  /** Returns an empty draft for a conversation that is not open. */
  get(conversation: string): ChatDraft {
    return this.#open.get(conversation)?.draft ?? EMPTY_DRAFT;
  }

  /** Changes the draft of an open conversation, and writes it within 250 ms. */
  set(conversation: string, change: Partial<ChatDraft>): void {
    const entry = this.#open.get(conversation);
    if (entry === undefined) return;
    entry.draft = { ...entry.draft, ...change };
    entry.unwritten = { ...entry.unwritten, ...change };
    this.#writeIn(WRITE_DELAY_MS);
    this.#changed.fire();
  }

  /** Removes the drafts of a deleted conversation, of all workspaces. Returns a function that restores this one's. */
  async forget(account: Account, conversation: string): Promise<() => Promise<void>> {
    const draft = this.get(conversation);
    const writing = this.#open.get(conversation)?.writing;
    this.#open.delete(conversation);
    await writing;
    await removeDrafts(account, conversation);
    return async () => {
      if (!isEmpty(draft)) await this.#folder(account).put({ ...draft, id: conversation });
    };
  }

  /** Stops writing the drafts of an account. */
  stopWriting(account: Account): void {
    for (const [id, { open }] of this.#open)
      if (open.account.id === account.id) this.#open.delete(id);
  }

  /** Writes all unwritten changes. */
  async flush(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    const writes = [...this.#open.values()].map(async (entry) => {
      const { unwritten } = entry;
      delete entry.unwritten;
      if (unwritten !== undefined)
        entry.writing = entry.writing.then(() => this.#write(entry, unwritten));
      await entry.writing;
    });
    await Promise.all(writes);
  }

  #follow(open: OpenConversation): void {
    const { account, conversation } = open;
    const { id } = conversation;
    const draft = v.parse(draftSchema, this.#folder(account).getSync(id) ?? {});
    const waited = new Set(draft.queue.map((each) => each.id));
    this.#open.set(id, { open, draft, saved: draft.queue, waited, writing: Promise.resolve() });
    // The run that prompts waited for ended with its window, so the user decides.
    const maySelfDrive = vscode.workspace.isTrusted && conversation.transcript.consented;
    const modeOf = ({ mode }: QueuedPrompt) => (maySelfDrive ? mode : 'manual');
    const isSent = (prompt: QueuedPrompt) => conversation.transcript.reply(prompt.id) !== undefined;
    // The last window may have died after it sent a prompt, before it saved the queue.
    const unsent = draft.queue.filter((each) => !isSent(each));
    const queue = unsent.map((each) => ({ ...each, mode: modeOf(each) }));
    if (queue.length > 0) {
      conversation.send({ type: 'requeue', queue, isHeld: draft.queueHeld });
      this.#watch(account);
    }
    let before = conversation.state;
    let sent = conversation.transcript.lastPrompt?.id;
    // This subscription ends with the conversation, which may be deleted long before the window closes.
    conversation.onDidChange(() => {
      const { lastPrompt } = conversation.transcript;
      if (lastPrompt?.id !== sent) {
        sent = lastPrompt?.id;
        // Another window of the workspace may have sent it, and overwritten this draft with its empty one.
        const { text } = this.get(id);
        if (text !== '') this.set(id, { text });
      }
      const { queue, queueHeld } = conversation.state;
      if (queue === before.queue && queueHeld === before.queueHeld) return;
      before = conversation.state;
      for (const each of queue) waited.add(each.id);
      this.set(id, { queue, queueHeld });
    });
  }

  /** Follows other windows of the workspace, whose user may edit or remove prompts that wait here too. */
  #watch(account: Account): void {
    const folder = this.#folder(account);
    this.ownOnce(folder, () =>
      this.#options.watch(this.#pathOf(account), (file) => {
        for (const [id, entry] of this.#open)
          if (file === undefined || file === `${toFileName(id)}.json`)
            this.#followQueue(folder, entry).catch(() => undefined);
      }),
    );
  }

  /** Applies the changes of another window to prompts that have not changed here since they were saved. */
  async #followQueue(folder: JsonFolder<DraftRecord>, entry: OpenDraft): Promise<void> {
    const { conversation } = entry.open;
    if (conversation.state.queue.length === 0) return;
    const record = await folder.update(conversation.id, () => undefined);
    // The conversation was deleted.
    if (record === undefined) return;
    const before = entry.saved;
    entry.saved = record.queue;
    for (const { id, sent } of conversation.state.queue) {
      if (before.find((each) => each.id === id)?.sent !== sent) continue;
      const prompt = record.queue.find((each) => each.id === id);
      if (prompt === undefined) conversation.send({ type: 'remove-queued', id });
      else if (prompt.sent !== sent) conversation.send({ type: 'edit-queued', id, prompt });
    }
  }

  async #write(entry: OpenDraft, change: Partial<ChatDraft>): Promise<void> {
    const { open } = entry;
    if (open.isDeleted) return;
    const { id, transcript } = open.conversation;
    // A prompt that another window of the workspace queued, and has not sent since.
    const isOfOther = (prompt: QueuedPrompt) =>
      !entry.waited.has(prompt.id) && transcript.reply(prompt.id) === undefined;
    const lock = new OwnerFile(this.#pathOf(open.account), id, this.#options);
    try {
      // Without the lock, the draft is written even so: another process may have the ID of a dead window.
      await retryBusy(async () => (await lock.take()) || Promise.reject(BUSY)).catch(() => false);
      const written = await this.#folder(open.account).update(id, (current) => {
        const others = current?.queue.filter(isOfOther) ?? [];
        const queue = change.queue && { queue: [...change.queue, ...others] };
        const draft = { ...EMPTY_DRAFT, ...(current ?? entry.draft), ...change, ...queue };
        return current === undefined && isEmpty(draft) ? undefined : { ...draft, id };
      });
      if (change.queue === undefined) return;
      entry.saved = written?.queue ?? [];
      if (entry.saved.length > 0) this.#watch(open.account);
    } catch (failure) {
      if (await isSignedOut(open.account.store.paths.drafts)) return;
      // Newer values may be on disk already.
      for (const name of Object.keys(change) as (keyof ChatDraft)[])
        entry.unwritten = { ...entry.unwritten, [name]: entry.draft[name] };
      // An unreadable file was reported. The next change tries again.
      if (failure instanceof UnreadableFileError) return;
      this.#options.log.warn('A draft could not be written', failure, id);
      this.#writeIn(RETRY_DELAY_MS);
    } finally {
      await lock.release();
    }
  }

  #writeIn(ms: number): void {
    this.#timer ??= this.#options.clock.setTimeout(() => void this.flush(), ms);
  }

  #pathOf({ store }: Account): string {
    return join(store.paths.drafts, this.#options.workspace);
  }

  #folder(account: Account): JsonFolder<DraftRecord> {
    const folder = this.#pathOf(account);
    const idOf = ({ id }: DraftRecord) => id;
    return this.ownOnce(
      account.store,
      () => new JsonFolder({ ...this.#options, folder, schema: recordSchema, idOf }),
    );
  }
}
