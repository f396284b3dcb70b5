import * as vscode from 'vscode';
import type { Log } from '../log/log.ts';
import { reportFailure } from '../words/report.ts';
import { commands, type CommandArguments, type CommandHandler, type CommandId } from './ids.ts';

/** Handlers by the id of their command. */
export type CommandHandlers = { readonly [K in CommandId]?: CommandHandler<K> };

/**
 * The one place where commands are registered: arguments are read by the command's own schema, and whatever a handler
 * throws is logged and told to the user.
 */
export class CommandRegistrar {
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Registers one command until the answer is disposed. */
  register<K extends CommandId>(id: K, handler: CommandHandler<K>): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (...given: unknown[]) => {
      this.#log.debug(`Command ${id}`);
      try {
        await handler(...(commands[id](given) as CommandArguments<K>));
      } catch (failure) {
        reportFailure(this.#log, id, failure);
      }
    });
  }

  /** Registers several commands until the answer is disposed. */
  registerAll(handlers: CommandHandlers): vscode.Disposable {
    const ids = Object.keys(handlers) as CommandId[];
    return vscode.Disposable.from(...ids.map((id) => this.#registerFrom(handlers, id)));
  }

  #registerFrom<K extends CommandId>(handlers: Pick<CommandHandlers, K>, id: K): vscode.Disposable {
    const handler: CommandHandler<K> | undefined = handlers[id];
    return handler === undefined ? vscode.Disposable.from() : this.register(id, handler);
  }
}
