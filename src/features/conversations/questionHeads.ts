import * as v from 'valibot';
import { readQuestion, type ReadableQuestion } from '../../api/index.ts';
import { DisposableBase, DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { deadlineOf } from '../../base/limits.ts';
import type {
  HeadQuestion,
  LastDialog,
  PendingQuestion,
  QuestionHeads,
} from '../../conversation/questions/types.ts';
import type { Log } from '../../platform/log/log.ts';
import { namesIn } from '../../platform/storage/files.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import { toFileName } from '../../platform/storage/layout.ts';
import { OwnerFile } from '../../platform/storage/ownerFile.ts';
import type { ReportUnreadable } from '../../platform/storage/unreadable.ts';
import type { WatchFolder } from '../../platform/storage/watch.ts';
import type { Account, Accounts } from '../accounts/account.ts';
import type { InternModel } from '../interns/internModel.ts';
import { headsDir, type ConversationHead, type ConversationHeads } from './heads.ts';

const DIALOG = '.dialog';
const RUN = '.run';

/** `heads/ID.dialog`, beside the head of a conversation: the dialog of a question in it that was open last. Any window writes it. */
const dialogSchema = v.object({
  conversation: v.string(),
  question: v.string(),
  /** The window that had it open. */
  window: v.string(),
  /** When it was open last, epoch ms; renewed while it is open. */
  openAt: v.number(),
});

interface QuestionHeadFilesOptions {
  readonly accounts: Accounts;
  readonly heads: Pick<ConversationHeads, 'of' | 'onDidChange'>;
  readonly interns: Pick<InternModel, 'list' | 'name'>;
  /** An id that no other window has. */
  readonly window: string;
  readonly watch: WatchFolder;
  readonly reportUnreadable: ReportUnreadable;
  readonly log: Pick<Log, 'warn'>;
}

/** What is followed of one account. */
interface Followed {
  readonly dialogs: JsonFolder<v.InferOutput<typeof dialogSchema>>;
  readonly watching: DisposableStore;
}

/** The pending questions of all accounts, whichever is active: a run goes on after a switch. Nothing is read before they are listed. */
export class QuestionHeadFiles extends DisposableBase implements QuestionHeads {
  readonly #options: QuestionHeadFilesOptions;
  readonly #changed = this.own(new Emitter<void>());
  readonly #followed = new Map<Account['store'], Followed>();

  readonly onDidChange = this.#changed.event;

  constructor(options: QuestionHeadFilesOptions) {
    super();
    this.#options = options;
    const changed = () => this.#changed.fire();
    this.own(options.heads.onDidChange(changed));
    this.own(options.accounts.onDidChange(changed));
    this.own({ dispose: () => this.#followed.forEach(({ watching }) => watching.dispose()) });
  }

  async list(): Promise<readonly HeadQuestion[] | undefined> {
    const { all } = this.#options.accounts;
    for (const [store, { watching }] of this.#followed) {
      if (all.some((account) => account.store === store)) continue;
      watching.dispose();
      this.#followed.delete(store);
    }
    const read = () => Promise.all(all.map((account) => this.#listOf(account)));
    return (await this.#attempt('list', read))?.flat();
  }

  async markDialog(
    { id: question, conversation, account }: PendingQuestion,
    openAt: number,
  ): Promise<void> {
    const { window } = this.#options;
    const dialogs = this.#dialogsOf(account);
    await this.#attempt('mark', async () =>
      dialogs?.put({ conversation, question, window, openAt }),
    );
  }

  async lastDialog(question: PendingQuestion): Promise<LastDialog | null | undefined> {
    const dialogs = this.#dialogsOf(question.account);
    return this.#attempt('read', async () => {
      // An update that changes nothing reads the file anew, and fails if the file cannot be read.
      const last = await dialogs?.update(question.conversation, () => undefined);
      return last?.question === question.id ? last : null;
    });
  }

  /** Completes a question with what its conversation does not know: its account, the name of its intern, its deadline. */
  describe(
    account: Account,
    { id: conversation, intern }: Pick<ConversationHead, 'id' | 'intern'>,
    asked: NonNullable<ConversationHead['question']> & { readonly question: ReadableQuestion },
  ): PendingQuestion {
    const { id, call, question, askedAt, context } = asked;
    const internName = this.#options.interns.name(intern, account);
    return {
      ...{ id, conversation, intern, internName, account: account.id, call, question, context },
      ...{ arrivedAt: askedAt, deadline: deadlineOf(asked) },
    };
  }

  /** Removes what is kept beside the head of a deleted conversation. */
  async forget(account: Account, conversation: string): Promise<void> {
    await this.#follow(account).dialogs.remove(conversation);
  }

  #dialogsOf(id: string): Followed['dialogs'] | undefined {
    const account = this.#options.accounts.get(id);
    return account && this.#follow(account).dialogs;
  }

  #follow({ store }: Account): Followed {
    const known = this.#followed.get(store);
    if (known !== undefined) return known;
    const { watch } = this.#options;
    const watching = new DisposableStore();
    const follow = (folder: string, extension: string) =>
      watching.add(
        watch(folder, (file) => {
          if (file === undefined || file.endsWith(extension)) this.#changed.fire();
        }),
      );
    const folder = headsDir(store);
    const dialogs = watching.add(
      new JsonFolder({
        ...this.#options,
        folder,
        schema: dialogSchema,
        idOf: ({ conversation }) => conversation,
        extension: DIALOG,
      }),
    );
    const followed = { dialogs, watching };
    this.#followed.set(store, followed);
    follow(store.conversationsDir, RUN);
    follow(folder, DIALOG);
    return followed;
  }

  async #listOf(account: Account): Promise<readonly HeadQuestion[]> {
    const { heads, interns } = this.#options;
    this.#follow(account);
    const waiting = (await heads.of(account).list()).filter(({ question }) => question);
    if (waiting.length === 0) return [];
    // Reads the names.
    await interns.list(account);
    const names = await namesIn(account.store.conversationsDir);
    const runs = names.filter((name) => name.endsWith(RUN));
    const read = await Promise.all(waiting.map((head) => this.#read(account, head, runs)));
    return read.filter((each) => each !== undefined);
  }

  /**
   * Undefined if this version cannot read what is asked.
   *
   * @param runs the names of the files that name owners
   */
  async #read(
    account: Account,
    head: ConversationHead,
    runs: readonly string[],
  ): Promise<HeadQuestion | undefined> {
    if (head.question === undefined) return undefined;
    const question = readQuestion(head.question.call);
    if (question.kind === 'unreadable') return undefined;
    const prefix = `${toFileName(head.id)}.`;
    const owner = new OwnerFile(account.store.conversationsDir, head.id, this.#options);
    return {
      question: this.describe(account, head, { ...head.question, question }),
      // Most have no owner: one look into the folder says so for all of them.
      isSending: runs.some((name) => name.startsWith(prefix)) && (await owner.isElsewhere()),
    };
  }

  async #attempt<T>(doing: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (failure) {
      this.#options.log.warn(`Could not ${doing} pending questions`, failure);
      return undefined;
    }
  }
}
