import * as vscode from 'vscode';

/** Runs a command with what VS Code called it with. */
export type RunCommand = (id: string, given: readonly unknown[]) => Promise<void>;

/** The part of package.json that names the commands. */
interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

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
