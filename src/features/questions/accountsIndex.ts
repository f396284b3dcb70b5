import { DisposableBase, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { KeptQuestion, QuestionIndex } from '../../conversation/questions/ports.ts';
import type { PendingQuestion } from '../../conversation/questions/types.ts';

/** Where an account's questions and their conversations are kept: absolute paths, which may not exist yet. */
export interface QuestionFolders {
  readonly questionsDir: string;
  readonly conversationsDir: string;
}

/** The accounts whose questions are followed. */
export interface QuestionAccounts {
  readonly all: readonly {
    readonly id: string;
    readonly store: QuestionFolders;
  }[];
  readonly onDidChange: Event<void>;
}

type Folder = QuestionIndex & Disposable;
type OpenFolder = (account: string, folders: QuestionFolders) => Folder;

/** The open questions of all accounts as one index, whichever account is active: a run goes on after a switch. */
export class AccountsIndex extends DisposableBase implements QuestionIndex {
  readonly #accounts: QuestionAccounts;
  readonly #openFolder: OpenFolder;
  readonly #folders = new Map<string, Folder>();
  readonly #changed = this.own(new Emitter<void>());

  readonly onDidChange = this.#changed.event;

  constructor(accounts: QuestionAccounts, openFolder: OpenFolder) {
    super();
    this.#accounts = accounts;
    this.#openFolder = openFolder;
    this.own(accounts.onDidChange(() => this.#follow()));
    this.#follow();
  }

  async list(): Promise<readonly KeptQuestion[] | undefined> {
    const lists = await Promise.all([...this.#folders.values()].map((folder) => folder.list()));
    const read = lists.filter((list) => list !== undefined);
    return read.length === lists.length ? read.flat() : undefined;
  }

  async keep(question: PendingQuestion): Promise<boolean> {
    return (await this.#of(question)?.keep(question)) ?? false;
  }

  async forget(question: PendingQuestion): Promise<void> {
    await this.#of(question)?.forget(question);
  }

  async showing(question: PendingQuestion): Promise<boolean> {
    return (await this.#of(question)?.showing(question)) ?? false;
  }

  async hidden(question: PendingQuestion): Promise<void> {
    await this.#of(question)?.hidden(question);
  }

  async isShownElsewhere(question: PendingQuestion): Promise<boolean> {
    return (await this.#of(question)?.isShownElsewhere(question)) ?? true;
  }

  override dispose(): void {
    super.dispose();
    for (const folder of this.#folders.values()) folder.dispose();
    this.#folders.clear();
  }

  #of({ account }: PendingQuestion): Folder | undefined {
    return this.#folders.get(account);
  }

  #follow(): void {
    const accounts = new Map(this.#accounts.all.map(({ id, store }) => [id, store]));
    for (const [id, folder] of this.#folders) {
      if (accounts.has(id)) continue;
      folder.dispose();
      this.#folders.delete(id);
    }
    for (const [id, store] of accounts)
      if (!this.#folders.has(id)) this.#folders.set(id, this.#watchedFolder(id, store));
    this.#changed.fire();
  }

  #watchedFolder(account: string, folders: QuestionFolders): Folder {
    const folder = this.#openFolder(account, folders);
    folder.onDidChange(() => this.#changed.fire());
    return folder;
  }
}
