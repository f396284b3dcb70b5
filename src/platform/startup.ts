import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';

/** A part of the extension that takes long to load. It loads on first use, or in the next turn of the event loop. */
export class DeferredPart<T> implements Disposable {
  readonly #load: () => Promise<T>;
  readonly #idle: NodeJS.Immediate;
  #loading: Promise<T> | undefined;
  #loaded: T | undefined;

  /** @param onFailure called once if loading fails, even if a caller of {@link get} gets the error too */
  constructor(load: () => Promise<T>, onFailure: (failure: unknown) => void) {
    this.#load = load;
    this.#idle = setImmediate(() => {
      this.get().catch(onFailure);
    });
  }

  /** Returns the part. It is loaded once; if that fails, every call rejects with the same error. */
  get(): Promise<T> {
    this.#loading ??= this.#load().then((part) => (this.#loaded = part));
    return this.#loading;
  }

  get loaded(): T | undefined {
    return this.#loaded;
  }

  dispose(): void {
    clearImmediate(this.#idle);
  }
}

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly languageModelTools: readonly { readonly name: string }[];
  };
}

export type RunCommand = (id: string, given: readonly unknown[]) => Promise<void>;

/** Registers every command of the manifest, the package.json. A command waits for the part that runs it. */
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

export type AgentTool = Required<vscode.LanguageModelTool<unknown>>;

interface ToolHost {
  readonly lm?: { readonly registerTool?: typeof vscode.lm.registerTool };
}

export type FindTool = (name: string) => AgentTool;

/**
 * Registers every language-model tool of the manifest. VS Code looks for them right after activation.
 *
 * @param host the editor's API, which has no `lm` in editors without agents
 */
export function forwardTools(
  manifest: unknown,
  runner: () => Promise<{ readonly tool: FindTool }>,
  host: ToolHost = vscode,
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
