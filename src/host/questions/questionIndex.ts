import { join } from 'node:path';
import * as v from 'valibot';
import { readQuestion } from '../../api/question.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { AnswerClaim, KeptQuestion, QuestionIndex } from '../../chat/questions/ports.ts';
import type { PendingQuestion } from '../../chat/questions/types.ts';
import type { Log } from '../log/log.ts';
import { claimFile, readClaim } from '../storage/claimFile.ts';
import { removeFile } from '../storage/files.ts';
import { JsonFolder } from '../storage/jsonFolder.ts';
import { toFileName } from '../storage/layout.ts';
import type { WatchFolder } from '../storage/watch.ts';

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
  shownIn: v.nullable(v.string()),
});

type QuestionRecord = v.InferOutput<typeof recordSchema>;

/** What the index of one account is made of. */
export interface QuestionFolderOptions {
  readonly account: string;
  /** Absolute path of the account's folder of questions; may not exist yet. */
  readonly folder: string;
  /** An id that no other window has. */
  readonly window: string;
  readonly watch: WatchFolder;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * One account's open questions: `ID.json` a question, and beside it `ID.claim` while a window answers it.
 *
 * A claim whose window is gone is left where it is, since two windows that removed it could remove each other's next one:
 * who answers then claims `ID.1.claim`, and so on. Each of these files can be created once.
 */
export class QuestionFolder implements QuestionIndex, Disposable {
  readonly #options: QuestionFolderOptions;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #records: JsonFolder<QuestionRecord>;
  /** Ids that the disk did not take: no other window knows of them. */
  readonly #unkept = new Set<string>();

  readonly onDidChange = this.#changed.event;

  constructor(options: QuestionFolderOptions) {
    const { folder, watch, log } = options;
    this.#options = options;
    this.#records = this.#store.add(
      new JsonFolder({ folder, schema: recordSchema, idOf: ({ id }) => id, watch, log }),
    );
    const changed = () => this.#changed.fire();
    this.#store.add(this.#records.onDidChange(changed));
    this.#store.add(
      watch(folder, (file) => {
        if (file === undefined || file.endsWith('.claim')) changed();
      }),
    );
  }

  async list(): Promise<readonly KeptQuestion[] | undefined> {
    const records = await this.#attempt('list', () => this.#records.list(), undefined);
    return records && Promise.all(records.map((record) => this.#readKept(record)));
  }

  async keep(question: PendingQuestion): Promise<boolean> {
    const kept = await this.#attempt(
      'keep',
      () => this.#records.update(question.id, (current) => current ?? toRecord(question)),
      undefined,
    );
    if (kept === undefined) this.#unkept.add(question.id);
    else this.#unkept.delete(question.id);
    return kept !== undefined;
  }

  async forget({ id }: PendingQuestion): Promise<void> {
    await this.#attempt('forget', () => this.#records.remove(id), false);
    await this.#attempt('forget the claim on', () => this.#removeClaims(id), undefined);
  }

  async showing({ id }: PendingQuestion): Promise<boolean> {
    const { window: shownIn } = this.#options;
    const told = await this.#attempt(
      'mark as shown',
      () => this.#records.update(id, (current) => current && { ...current, shownIn }),
      undefined,
    );
    return told !== undefined;
  }

  async claim({ id }: PendingQuestion): Promise<AnswerClaim | undefined> {
    // The service takes one answer only: where the disk fails, that has to do.
    if (this.#unkept.has(id)) return { release: () => Promise.resolve() };
    const owner = { window: this.#options.window, pid: process.pid, at: Date.now() };
    const result = await this.#attempt(
      'claim',
      async () => claimFile((await this.#lastClaim(id)).path, owner),
      undefined,
    );
    if (result?.kind === 'taken') return undefined;
    const release = async () => {
      await this.#attempt('release', async () => result?.claim.release(), undefined);
    };
    if (await this.#isKept(id)) return { release };
    await release();
    return undefined;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Read from the disk: another window may have closed the question a moment ago. */
  async #isKept(id: string): Promise<boolean> {
    const current = await this.#attempt(
      'read',
      () => this.#records.update(id, () => undefined),
      null,
    );
    return current !== undefined;
  }

  async #readKept({ shownIn, ...record }: QuestionRecord): Promise<KeptQuestion> {
    const last = await this.#attempt(
      'read the claim on',
      () => this.#lastClaim(record.id),
      undefined,
    );
    const question = {
      ...record,
      account: this.#options.account,
      question: readQuestion(record.call),
    };
    return { question, shownIn, claim: last?.held === true ? 'held' : 'free' };
  }

  async #attempt<T, F>(doing: string, work: () => Promise<T>, otherwise: F): Promise<T | F> {
    try {
      return await work();
    } catch (failure) {
      this.#options.log.warn(`Could not ${doing} pending questions`, failure);
      return otherwise;
    }
  }

  /** The claim that counts: the first whose window lives, else the one that is to be made next. */
  async #lastClaim(id: string): Promise<{ readonly path: string; readonly held: boolean }> {
    for (let before = 0; ; before += 1) {
      const path = this.#claimOf(id, before);
      const claim = await readClaim(path);
      if (claim === undefined || claim.alive) return { path, held: claim !== undefined };
    }
  }

  async #removeClaims(id: string): Promise<void> {
    for (let before = 0; await removeFile(this.#claimOf(id, before)); before += 1);
  }

  /** @param before how many windows died before that were answering */
  #claimOf(id: string, before: number): string {
    const number = before === 0 ? '' : `.${before}`;
    return join(this.#options.folder, `${toFileName(id)}${number}.claim`);
  }
}

/** What the call asks is read again from its text, and the folder tells the account. */
function toRecord(question: PendingQuestion): QuestionRecord {
  const { id, conversation, intern, internName, call, arrivedAt, deadline } = question;
  return {
    id,
    conversation,
    intern,
    internName,
    call: { ...call },
    arrivedAt,
    deadline,
    shownIn: null,
  };
}
