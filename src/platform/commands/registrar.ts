import type { Log } from '../log/log.ts';
import { reportFailure } from '../text/reportFailure.ts';
import { commands, type CommandArguments, type CommandId } from './ids.ts';

/** Handlers of commands, which get `Ports` before the arguments of the command. */
export type CommandHandlers<Ports extends readonly unknown[]> = {
  readonly [K in CommandId]?: (...given: [...Ports, ...CommandArguments<K>]) => unknown;
};

export interface CommandAccounts {
  readonly active: { readonly id: string } | undefined;
  readonly whenLoaded: Promise<void>;
}

/** Runs before the accounts are loaded, since the log may say why they aren't. */
const NEEDS_NO_ACCOUNTS: CommandId = 'interns.showLog';

/** Runs commands: reads their arguments by schema, and logs and reports errors. `startup.ts` forwards VS Code's calls. */
export class CommandRegistrar {
  readonly #log: Log;
  readonly #accounts: CommandAccounts;
  readonly #runs = new Map<string, (given: readonly unknown[]) => unknown>();

  constructor(log: Log, accounts: CommandAccounts) {
    this.#log = log;
    this.#accounts = accounts;
  }

  /** Adds handlers. They get `ports` before the arguments of their command. */
  register<Ports extends readonly unknown[]>(
    handlers: CommandHandlers<Ports>,
    ...ports: Ports
  ): void {
    const entries = Object.entries(handlers) as [CommandId, (...given: unknown[]) => unknown][];
    for (const [id, handler] of entries)
      this.#runs.set(id, (given) => handler(...ports, ...commands[id](given)));
  }

  /** Checks that every command has a handler. @throws Error with the IDs of those that have none */
  checkComplete(): void {
    const missing = Object.keys(commands).filter((id) => !this.#runs.has(id));
    if (missing.length > 0) throw new Error(`Commands without a handler: ${missing.join(', ')}`);
  }

  /** Runs a command once the accounts are loaded, since it may have started the extension. Never rejects. */
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
}
