import { DisposableStore, toDisposable, type Disposable } from '../../base/disposable.ts';
import type { Log } from '../log/log.ts';
import { reportFailure } from '../words/report.ts';
import { commands, type CommandArguments, type CommandHandler, type CommandId } from './ids.ts';

/** Handlers by the id of their command. */
type CommandHandlers = { readonly [K in CommandId]?: CommandHandler<K> };

/** The accounts, as far as running a command needs them. */
export interface CommandAccounts {
  readonly active: { readonly id: string } | undefined;
  readonly whenLoaded: Promise<void>;
}

/** Works whatever becomes of the accounts: it is how one learns what became of them. */
const NEEDS_NO_ACCOUNTS: CommandId = 'interns.showLog';

/**
 * The handlers of all commands: arguments are read by the command's own schema, and whatever a handler throws is logged
 * and told to the user. VS Code's calls come through `startup.ts`.
 */
export class CommandRegistrar {
  readonly #log: Log;
  readonly #accounts: CommandAccounts;
  readonly #runs = new Map<string, (given: readonly unknown[]) => unknown>();

  constructor(log: Log, accounts: CommandAccounts) {
    this.#log = log;
    this.#accounts = accounts;
  }

  /** Takes a command's handler until the answer is disposed. */
  register<K extends CommandId>(id: K, handler: CommandHandler<K>): Disposable {
    this.#runs.set(id, (given) => handler(...(commands[id](given) as CommandArguments<K>)));
    return toDisposable(() => this.#runs.delete(id));
  }

  /** Takes the handlers of several commands until the answer is disposed. */
  registerAll(handlers: CommandHandlers): Disposable {
    const store = new DisposableStore();
    for (const id of Object.keys(handlers) as CommandId[])
      store.add(this.#registerFrom(handlers, id));
    return store;
  }

  /**
   * Makes sure that every command has a handler. Called once all parts have handed in theirs, so that one left out
   * fails at every start and in every test.
   *
   * @throws Error with the ids of the commands that have none.
   */
  checkComplete(): void {
    const missing = Object.keys(commands).filter((id) => !this.#runs.has(id));
    if (missing.length > 0) throw new Error(`Commands without a handler: ${missing.join(', ')}`);
  }

  /**
   * Runs a command as VS Code called it, once the accounts are read: one that started the extension would find nobody
   * signed in. Never rejects: what goes wrong is logged and told.
   */
  async run(id: string, given: readonly unknown[]): Promise<void> {
    this.#log.debug(`Command ${id}`);
    if (id !== NEEDS_NO_ACCOUNTS) await this.#accounts.whenLoaded;
    try {
      const run = this.#runs.get(id);
      if (run === undefined) throw new Error(`The command ${id} has no handler`);
      await run(given);
    } catch (failure) {
      reportFailure(this.#log, id, failure, this.#accounts.active?.id);
    }
  }

  #registerFrom<K extends CommandId>(handlers: Pick<CommandHandlers, K>, id: K): Disposable {
    const handler: CommandHandler<K> | undefined = handlers[id];
    return handler === undefined ? new DisposableStore() : this.register(id, handler);
  }
}
