import * as v from 'valibot';
import { readQuestion } from '../../api/question.ts';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { KeptQuestion, QuestionIndex } from '../../conversation/questions/ports.ts';
import type { PendingQuestion } from '../../conversation/questions/types.ts';
import type { Log } from '../../platform/log/log.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import { OwnerFile } from '../../platform/storage/ownerFile.ts';
import { isAlive, markOf, windowMark } from '../../platform/storage/windowMark.ts';
import type { ReportUnreadable } from '../../platform/storage/unreadable.ts';
import type { WatchFolder } from '../../platform/storage/watch.ts';
import type { QuestionFolders } from './accountsIndex.ts';

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

/** What the index of one account is made of. */
interface QuestionFolderOptions {
  readonly account: string;
  readonly folders: QuestionFolders;
  /** An id that no other window has. */
  readonly window: string;
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
  readonly log: Pick<Log, 'warn'>;
}

/** One account's open questions: `ID.json` a question. Who answers one owns its conversation. */
export class QuestionFolder extends DisposableBase implements QuestionIndex {
  readonly #options: QuestionFolderOptions;
  readonly #changed = this.own(new Emitter<void>());
  readonly #records: JsonFolder<QuestionRecord>;

  readonly onDidChange = this.#changed.event;

  constructor(options: QuestionFolderOptions) {
    super();
    const { folders, watch, reportUnreadable } = options;
    const folder = folders.questionsDir;
    this.#options = options;
    this.#records = this.own(
      new JsonFolder({
        folder,
        schema: recordSchema,
        idOf: ({ id }) => id,
        watch,
        reportUnreadable,
      }),
    );
    const changed = () => this.#changed.fire();
    this.own(this.#records.onDidChange(changed));
    this.own(
      watch(folders.conversationsDir, (file) => {
        if (file === undefined || file.endsWith('.run')) changed();
      }),
    );
  }

  async list(): Promise<readonly KeptQuestion[] | undefined> {
    const records = await this.#attempt('list', () => this.#records.list(), undefined);
    const kept = records && (await Promise.all(records.map((record) => this.#readKept(record))));
    return kept?.filter((each) => each !== undefined);
  }

  async keep(question: PendingQuestion): Promise<boolean> {
    const kept = await this.#attempt(
      'keep',
      () => this.#records.update(question.id, (current) => current ?? toRecord(question)),
      undefined,
    );
    return kept !== undefined;
  }

  async forget({ id }: PendingQuestion): Promise<void> {
    await this.#attempt('forget', () => this.#records.remove(id), false);
  }

  async showing({ id }: PendingQuestion): Promise<boolean> {
    const { window: shownIn } = this.#options;
    const shownBy = await markOf(shownIn);
    const told = await this.#attempt(
      'mark as shown',
      () => this.#records.update(id, (current) => current && { ...current, shownIn, shownBy }),
      undefined,
    );
    return told !== undefined;
  }

  async hidden({ id }: PendingQuestion): Promise<void> {
    const { window } = this.#options;
    const hide = (current: QuestionRecord | undefined) =>
      current?.shownIn === window ? { ...current, shownIn: null, shownBy: null } : undefined;
    await this.#attempt('unmark', () => this.#records.update(id, hide), undefined);
  }

  async isShownElsewhere({ id }: PendingQuestion): Promise<boolean> {
    return this.#attempt(
      'read',
      async () => {
        // Changes nothing, and so says what stands on the disk now: a list is as old as what its watcher told last.
        const kept = await this.#records.update(id, () => undefined);
        if (kept === undefined || kept.shownIn === null) return false;
        if (kept.shownIn === this.#options.window) return false;
        // A window of a version that leaves no mark cannot be told from a dead one.
        return kept.shownBy?.window !== kept.shownIn || (await isAlive(kept.shownBy));
      },
      true,
    );
  }

  /** Undefined where nobody could answer what the record asks: a file that this version did not write. */
  async #readKept(record: QuestionRecord): Promise<KeptQuestion | undefined> {
    const { id, conversation, intern, internName, call, arrivedAt, deadline, grounds } = record;
    const asked = readQuestion(call);
    if (asked.kind === 'unreadable') return undefined;
    const { account, folders } = this.#options;
    const owner = new OwnerFile(folders.conversationsDir, conversation, this.#options);
    const asker = { conversation, intern, internName, account };
    const question = {
      ...{ id, ...asker, call, question: asked, arrivedAt, deadline },
      ...(grounds && { grounds }),
    };
    return { question, shownIn: record.shownIn, isSending: await owner.isElsewhere() };
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
