import * as vscode from 'vscode';

/** What an agent of the editor can call, whole: it says what it is about to do, and does it. */
export type AgentTool = Required<vscode.LanguageModelTool<unknown>>;

/** The part of the editor's API that takes tools. */
interface Host {
  readonly lm?: { readonly registerTool?: typeof vscode.lm.registerTool };
}

/** Gives a tool by its name in the manifest. */
export type FindTool = (name: string) => AgentTool;

/** The part of package.json that names the tools. */
interface Manifest {
  readonly contributes: { readonly languageModelTools: readonly { readonly name: string }[] };
}

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
