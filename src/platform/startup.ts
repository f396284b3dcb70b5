import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';

/**
 * A part that takes long to load: its first user loads it, and at the latest the first quiet moment after it was
 * deferred, so that what it shows by itself comes without anyone asking.
 */
export class Deferred<T> implements Disposable {
  readonly #load: () => Promise<T>;
  readonly #quiet: NodeJS.Immediate;
  #loading: Promise<T> | undefined;
  #loaded: T | undefined;

  /** @param failed Called once where the part cannot be loaded, whoever asked for it first. */
  constructor(load: () => Promise<T>, failed: (failure: unknown) => void) {
    this.#load = load;
    this.#quiet = setImmediate(() => {
      this.get().catch(failed);
    });
  }

  /**
   * The part, as soon as it is there. It is loaded once, and not tried again where that fails.
   *
   * @throws Whatever loading it threw.
   */
  get(): Promise<T> {
    this.#loading ??= this.#load().then((part) => (this.#loaded = part));
    return this.#loading;
  }

  /** The part if it is there already. */
  get loaded(): T | undefined {
    return this.#loaded;
  }

  /** Gives up on loading a part that nobody has asked for yet. */
  dispose(): void {
    clearImmediate(this.#quiet);
  }
}

/** The part of package.json that names commands and tools. */
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly languageModelTools: readonly { readonly name: string }[];
  };
}

/** Runs a command with what VS Code called it with. */
export type RunCommand = (id: string, given: readonly unknown[]) => Promise<void>;

/**
 * The one place where commands are registered with VS Code: every one that the manifest names, each handing over to
 * the part that can run it. A command that is called before that part is there waits for it.
 *
 * @param manifest The extension's package.json.
 */
export function forwardCommands(
  manifest: unknown,
  runner: () => Promise<{ readonly runCommand: RunCommand }>,
): vscode.Disposable {
  const { commands } = (manifest as Manifest).contributes;
  return vscode.Disposable.from(
    ...commands.map(({ command }) =>
      vscode.commands.registerCommand(command, async (...given: unknown[]) => {
        const { runCommand } = await runner();
        await runCommand(command, given);
      }),
    ),
  );
}

/** What an agent of the editor can call, whole: it says what it is about to do, and does it. */
export type AgentTool = Required<vscode.LanguageModelTool<unknown>>;

/** The part of the editor's API that takes tools. */
interface Host {
  readonly lm?: { readonly registerTool?: typeof vscode.lm.registerTool };
}

/** Gives a tool by its name in the manifest. */
export type FindTool = (name: string) => AgentTool;

/**
 * Registers every tool that the manifest names for the editor's own agents, each handing over to the part that can do
 * it: VS Code looks for them as soon as activation is over.
 *
 * @param manifest The extension's package.json.
 * @param host The API of the editor; some editors have no agents, and get no tools.
 */
export function forwardTools(
  manifest: unknown,
  runner: () => Promise<{ readonly tool: FindTool }>,
  host: Host = vscode,
): vscode.Disposable {
  const { languageModelTools } = (manifest as Manifest).contributes;
  const registrations = languageModelTools.flatMap(({ name }) => {
    const tool = async (): Promise<AgentTool> => (await runner()).tool(name);
    const registration = host.lm?.registerTool?.(name, {
      prepareInvocation: async (options, token) => (await tool()).prepareInvocation(options, token),
      invoke: async (options, token) => (await tool()).invoke(options, token),
    });
    return registration ?? [];
  });
  return vscode.Disposable.from(...registrations);
}
