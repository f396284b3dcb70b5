import * as v from 'valibot';
import { readQuestion } from '../../api/question.ts';
import { DisposableBase, DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { KeptQuestion, QuestionIndex } from '../../conversation/questions/ports.ts';
import type { PendingQuestion } from '../../conversation/questions/types.ts';
import type { Log } from '../../platform/log/log.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import { OwnerFile } from '../../platform/storage/ownerFile.ts';
import { isAlive, markOf, windowMark } from '../../platform/storage/windowMark.ts';
import type { ReportUnreadable } from '../../platform/storage/unreadable.ts';
import type { WatchFolder } from '../../platform/storage/watch.ts';
import type { AccountStore } from '../accounts/account.ts';

/** An open question on disk: what is needed to ask it again, and never a part of an answer. */
const recordSchema = v.object({
  id: v.string(),
  conversation: v.string(),
  intern: v.string(),
  internName: v.string(),
  call: v.object({
    index: v.number(),
    id: v.string(),
    name: v.string(),
    arguments: v.string(),
  }),
  arrivedAt: v.number(),
  deadline: v.number(),
  grounds: v.exactOptional(
    v.object({ said: v.string(), allowed: v.number(), rejected: v.number() }),
  ),
  shownIn: v.nullable(v.string()),
  /** The same window, so that others can tell whether it still lives; earlier versions wrote none. */
  shownBy: v.optional(v.nullable(windowMark)),
});

type QuestionRecord = v.InferOutput<typeof recordSchema>;

/** The accounts whose questions are followed. */
export interface QuestionAccounts {
  readonly all: readonly {
    readonly id: string;
    readonly store: Pick<AccountStore, 'questionsDir' | 'conversationsDir'>;
  }[];
  readonly onDidChange: Event<void>;
}

/** What a {@link QuestionFiles} is made of. */
interface QuestionFilesOptions {
  readonly accounts: QuestionAccounts;
  /** An id that no other window has. */
  readonly window: string;
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
  readonly log: Pick<Log, 'warn'>;
}

/** What is followed of one account. */
interface Folder {
  readonly account: string;
  readonly records: JsonFolder<QuestionRecord>;
  readonly conversationsDir: string;
  readonly watching: DisposableStore;
}

/**
 * The open questions of all accounts, whichever is active, since a run goes on after a switch: `ID.json` a question in its
 * account's folder. Who answers one owns its conversation.
 */
export class QuestionFiles extends DisposableBase implements QuestionIndex {
  readonly #options: QuestionFilesOptions;
  readonly #changed = this.own(new Emitter<void>());
  readonly #folders = new Map<string, Folder>();

  readonly onDidChange = this.#changed.event;

  constructor(options: QuestionFilesOptions) {
    super();
    this.#options = options;
    this.own(options.accounts.onDidChange(() => this.#follow()));
    this.own({ dispose: () => this.#folders.forEach(({ watching }) => watching.dispose()) });
    this.#follow();
  }

  async list(): Promise<readonly KeptQuestion[] | undefined> {
    const lists = [...this.#folders.values()].map(async (folder) => {
      const records = await this.#attempt('list', () => folder.records.list(), undefined);
      return records && Promise.all(records.map((record) => this.#readKept(folder, record)));
    });
    const read = (await Promise.all(lists)).filter((each) => each !== undefined);
    if (read.length < lists.length) return undefined;
    return read.flat().filter((each) => each !== undefined);
  }

  async keep(question: PendingQuestion): Promise<boolean> {
    const kept = await this.#update('keep', question, (current) => current ?? toRecord(question));
    return kept !== undefined;
  }

  async forget({ id, account }: PendingQuestion): Promise<void> {
    const records = this.#folders.get(account)?.records;
    await this.#attempt('forget', async () => records?.remove(id), undefined);
  }

  async showing(question: PendingQuestion): Promise<boolean> {
    const { window: shownIn } = this.#options;
    const shownBy = await markOf(shownIn);
    const told = await this.#update(
      'mark as shown',
      question,
      (current) => current && { ...current, shownIn, shownBy },
    );
    return told !== undefined;
  }

  async hidden(question: PendingQuestion): Promise<void> {
    const { window } = this.#options;
    await this.#update('unmark', question, (current) =>
      current?.shownIn === window ? { ...current, shownIn: null, shownBy: null } : undefined,
    );
  }

  async isShownElsewhere({ id, account }: PendingQuestion): Promise<boolean> {
    const records = this.#folders.get(account)?.records;
    if (records === undefined) return true;
    return this.#attempt(
      'read',
      async () => {
        // Changes nothing, and so says what stands on the disk now: a list is as old as what its watcher told last.
        const kept = await records.update(id, () => undefined);
        if (kept === undefined || kept.shownIn === null) return false;
        if (kept.shownIn === this.#options.window) return false;
        // A window of a version that leaves no mark cannot be told from a dead one.
        return kept.shownBy?.window !== kept.shownIn || (await isAlive(kept.shownBy));
      },
      true,
    );
  }

  /** Follows the accounts that there are now, and no others. */
  #follow(): void {
    const accounts = new Map(this.#options.accounts.all.map(({ id, store }) => [id, store]));
    for (const [id, { watching }] of this.#folders) {
      if (accounts.has(id)) continue;
      watching.dispose();
      this.#folders.delete(id);
    }
    for (const [id, store] of accounts)
      if (!this.#folders.has(id)) this.#folders.set(id, this.#openFolder(id, store));
    this.#changed.fire();
  }

  #openFolder(
    account: string,
    { questionsDir, conversationsDir }: QuestionAccounts['all'][number]['store'],
  ): Folder {
    const { watch, reportUnreadable } = this.#options;
    const watching = new DisposableStore();
    const records = watching.add(
      new JsonFolder({
        folder: questionsDir,
        schema: recordSchema,
        idOf: ({ id }) => id,
        watch,
        reportUnreadable,
      }),
    );
    const changed = () => this.#changed.fire();
    watching.add(records.onDidChange(changed));
    watching.add(
      watch(conversationsDir, (file) => {
        if (file === undefined || file.endsWith('.run')) changed();
      }),
    );
    return { account, records, conversationsDir, watching };
  }

  /** Undefined where nobody could answer what the record asks: a file that this version did not write. */
  async #readKept(
    { account, conversationsDir }: Folder,
    record: QuestionRecord,
  ): Promise<KeptQuestion | undefined> {
    const { id, conversation, intern, internName, call, arrivedAt, deadline, grounds } = record;
    const asked = readQuestion(call);
    if (asked.kind === 'unreadable') return undefined;
    const owner = new OwnerFile(conversationsDir, conversation, this.#options);
    const asker = { conversation, intern, internName, account };
    const question = {
      ...{ id, ...asker, call, question: asked, arrivedAt, deadline },
      ...(grounds && { grounds }),
    };
    return { question, shownIn: record.shownIn, isSending: await owner.isElsewhere() };
  }

  /** The record as it is now; undefined where there is none, or the disk fails. */
  #update(
    doing: string,
    { id, account }: PendingQuestion,
    change: (current: QuestionRecord | undefined) => QuestionRecord | undefined,
  ): Promise<QuestionRecord | undefined> {
    const records = this.#folders.get(account)?.records;
    return this.#attempt(doing, async () => records?.update(id, change), undefined);
  }

  async #attempt<T, F>(doing: string, work: () => Promise<T>, otherwise: F): Promise<T | F> {
    try {
      return await work();
    } catch (failure) {
      this.#options.log.warn(`Could not ${doing} pending questions`, failure);
      return otherwise;
    }
  }
}

/** What the call asks is read again from its text, and the folder tells the account. */
function toRecord(question: PendingQuestion): QuestionRecord {
  const { id, conversation, intern, internName, call, arrivedAt, deadline, grounds } = question;
  return {
    id,
    conversation,
    intern,
    internName,
    call: { ...call },
    arrivedAt,
    deadline,
    ...(grounds && { grounds }),
    shownIn: null,
    shownBy: null,
  };
}
