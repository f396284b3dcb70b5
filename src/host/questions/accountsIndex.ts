import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { AnswerClaim, KeptQuestion, QuestionIndex } from '../../chat/questions/ports.ts';
import type { PendingQuestion } from '../../chat/questions/types.ts';

/** The accounts whose questions are followed. */
export interface QuestionAccounts {
  readonly all: readonly {
    readonly id: string;
    readonly store: { readonly questionsDir: string };
  }[];
  readonly onDidChange: Event<void>;
}

type Folder = QuestionIndex & Disposable;

/** The open questions of all accounts as one index, whichever account is active: a run goes on after a switch. */
export class AccountsIndex implements QuestionIndex, Disposable {
  readonly #accounts: QuestionAccounts;
  readonly #openFolder: (account: string, folder: string) => Folder;
  readonly #folders = new Map<string, Folder>();
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());

  readonly onDidChange = this.#changed.event;

  constructor(accounts: QuestionAccounts, openFolder: (account: string, folder: string) => Folder) {
    this.#accounts = accounts;
    this.#openFolder = openFolder;
    this.#store.add(accounts.onDidChange(() => this.#follow()));
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

  async claim(question: PendingQuestion): Promise<AnswerClaim | undefined> {
    const folder = this.#of(question);
    return folder === undefined ? { release: () => Promise.resolve() } : folder.claim(question);
  }

  dispose(): void {
    this.#store.dispose();
    for (const folder of this.#folders.values()) folder.dispose();
    this.#folders.clear();
  }

  #of({ account }: PendingQuestion): Folder | undefined {
    return this.#folders.get(account);
  }

  #follow(): void {
    const accounts = new Map(this.#accounts.all.map(({ id, store }) => [id, store.questionsDir]));
    for (const [id, folder] of this.#folders) {
      if (accounts.has(id)) continue;
      folder.dispose();
      this.#folders.delete(id);
    }
    for (const [id, path] of accounts)
      if (!this.#folders.has(id)) this.#folders.set(id, this.#watchedFolder(id, path));
    this.#changed.fire();
  }

  #watchedFolder(account: string, path: string): Folder {
    const folder = this.#openFolder(account, path);
    folder.onDidChange(() => this.#changed.fire());
    return folder;
  }
}
