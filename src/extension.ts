import * as vscode from 'vscode';
import { DraftFiles } from './platform/dialogs/draftFiles.ts';
import { DeferredPart, forwardCommands, forwardTools } from './platform/startup.ts';
import { workspaceId } from './platform/storage/layout.ts';
import type { Main } from './main.ts';

let main: DeferredPart<Main> | undefined;

/**
 * Registers what VS Code needs right after activation: commands, tools of agents, and drafts in tabs. Every window waits
 * for this, so it is a bundle of its own, and main.ts creates the rest afterwards. VS Code waits two seconds for views,
 * five for accounts, and without a limit for chat tabs and links.
 */
export function activate(context: vscode.ExtensionContext): void {
  const { globalStorageUri, workspaceState } = context;
  const drafts = new DraftFiles(globalStorageUri.fsPath, workspaceId(workspaceState));
  const deferred = new DeferredPart(
    async () => (await import('./main.ts')).start(context, drafts),
    showStartFailure,
  );
  const manifest: unknown = context.extension.packageJSON;
  const commands = forwardCommands(manifest, () => deferred.get());
  const tools = forwardTools(manifest, () => deferred.get());
  context.subscriptions.push(drafts, deferred, commands, tools);
  main = deferred;
}

/**
 * Writes everything to disk before the window closes, for which VS Code waits a few seconds. Writing must start
 * synchronously, because VS Code disposes of all parts as soon as this function returns its promise.
 */
export async function deactivate(): Promise<void> {
  await main?.loaded?.flush();
}

/** Shows a message, because the log does not work if the extension could not start. */
function showStartFailure(failure: unknown): void {
  const reason = failure instanceof Error ? failure.message : String(failure);
  void vscode.window.showErrorMessage(
    vscode.l10n.t(
      'Couldn’t start Interns. Reload the window or reinstall the extension. {0}',
      reason,
    ),
  );
}
