import * as v from 'valibot';
import { readQuestion, type ReadableQuestion } from '../../api/index.ts';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import { questionDeadline } from '../../base/limits.ts';
import type {
  HeadQuestion,
  LastDialog,
  PendingQuestion,
  QuestionHeads,
} from '../../conversation/questions/types.ts';
import { JsonFolder } from '../../platform/storage/jsonFolder.ts';
import { ownedElsewhere } from '../../platform/storage/ownerFile.ts';
import type { Account, AccountServices } from '../accounts/account.ts';
import type { InternModel } from '../interns/internModel.ts';
import { DIALOG_EXTENSION, type ConversationHead, type ConversationHeads } from './heads.ts';

const RUN_EXTENSION = '.run';

/** `heads/ID.dialog`, beside the head of a conversation: the last open dialog of its question. Any window writes it. */
const dialogSchema = v.object({
  conversation: v.string(),
  question: v.string(),
  /** The window that had it open. */
  window: v.string(),
  /** When it was open last, epoch ms; renewed while it is open. */
  openAt: v.number(),
});

interface QuestionHeadFilesOptions extends Pick<
  AccountServices,
  'accounts' | 'log' | 'reportUnreadable' | 'watch' | 'window'
> {
  readonly heads: Pick<ConversationHeads, 'list' | 'onDidChange' | 'onDidChangeDialogs'>;
  readonly interns: Pick<InternModel, 'list' | 'name'>;
}

type DialogFiles = JsonFolder<v.InferOutput<typeof dialogSchema>>;

/** The pending questions of all accounts, active or not. Reads nothing before they are listed. */
export class QuestionHeadFiles extends DisposableBase implements QuestionHeads {
  readonly #options: QuestionHeadFilesOptions;
  readonly #changed = this.own(new Emitter<void>());

  readonly onDidChange = this.#changed.event;

  constructor(options: QuestionHeadFilesOptions) {
    super();
    this.#options = options;
    const changed = () => this.#changed.fire();
    this.own(options.heads.onDidChange(changed));
    this.own(options.heads.onDidChangeDialogs(changed));
    this.own(options.accounts.onDidChange(changed));
  }

  async list(): Promise<readonly HeadQuestion[] | undefined> {
    const { all } = this.#options.accounts;
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
      // Unlike `get`, `update` fails if the file cannot be read.
      const last = await dialogs?.update(question.conversation, () => undefined);
      return last?.question === question.id ? last : null;
    });
  }

  /** Adds the account, the intern's name and the deadline to a question. */
  describe(
    account: Account,
    { id: conversation, intern }: Pick<ConversationHead, 'id' | 'intern'>,
    asked: NonNullable<ConversationHead['question']> & { readonly question: ReadableQuestion },
  ): PendingQuestion {
    const { id, question, context } = asked;
    const asker = { intern, internName: this.#options.interns.name(intern, account) };
    const deadline = questionDeadline(asked);
    return { id, conversation, ...asker, account: account.id, question, context, deadline };
  }

  /** Removes the dialog file of a deleted conversation. */
  async forget(account: Account, conversation: string): Promise<void> {
    await this.#dialogsIn(account).remove(conversation);
  }

  #dialogsOf(id: string): DialogFiles | undefined {
    const account = this.#options.accounts.get(id);
    return account && this.#dialogsIn(account);
  }

  /** Returns an account's dialog files. The first call starts to watch which windows own its conversations. */
  #dialogsIn({ store }: Account): DialogFiles {
    return this.ownOnce(store, () => {
      const watcher = this.#options.watch(store.paths.conversations, (file) => {
        if (file === undefined || file.endsWith(RUN_EXTENSION)) this.#changed.fire();
      });
      this.own(watcher);
      return new JsonFolder({
        ...this.#options,
        folder: store.paths.heads,
        schema: dialogSchema,
        idOf: ({ conversation }) => conversation,
        extension: DIALOG_EXTENSION,
        canBeRemade: true,
      });
    });
  }

  async #listOf(account: Account): Promise<readonly HeadQuestion[]> {
    const { heads, interns } = this.#options;
    this.#dialogsIn(account);
    const waiting = (await heads.list(account)).filter(({ question }) => question);
    if (waiting.length === 0) return [];
    // `describe` needs the names.
    await interns.list(account);
    const ids = waiting.map(({ id }) => id);
    const owned = await ownedElsewhere(account.store.paths.conversations, ids, this.#options);
    return waiting.flatMap((head) => {
      if (head.question === undefined) return [];
      const question = readQuestion(head.question.call);
      // This version cannot read it.
      if (question.kind === 'unreadable') return [];
      const described = this.describe(account, head, { ...head.question, question });
      return [{ question: described, isSending: owned.has(head.id) }];
    });
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
