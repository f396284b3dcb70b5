import * as vscode from 'vscode';
import { DraftFiles } from './platform/dialogs/draftFiles.ts';
import { Deferred, forwardCommands, forwardTools } from './platform/startup.ts';
import { workspaceId } from './platform/storage/workspaceId.ts';
import type { Main } from './main.ts';

let main: Deferred<Main> | undefined;

/**
 * Called by VS Code once, when the extension starts. Every window waits for this, so the entry is a bundle of its own
 * and registers only what VS Code looks for as soon as activation is over: commands, tools of agents, and the drafts in
 * tabs. main.ts builds all else right afterwards. VS Code waits for that by itself: two seconds for the views, five for
 * the accounts, and as long as it takes for chat tabs and links.
 */
export function activate(context: vscode.ExtensionContext): void {
  const { globalStorageUri, workspaceState } = context;
  const drafts = new DraftFiles(globalStorageUri.fsPath, workspaceId(workspaceState));
  const deferred = new Deferred(
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
 * Called by VS Code before the window goes away, which waits for it a few seconds: what was said is on disk then. The
 * writing begins at once, since VS Code disposes of all parts as soon as this function has returned its promise.
 */
export async function deactivate(): Promise<void> {
  await main?.loaded?.flush();
}

/** Says that the extension could not start: nothing of it works then, not even its log. */
function showStartFailure(failure: unknown): void {
  const reason = failure instanceof Error ? failure.message : String(failure);
  void vscode.window.showErrorMessage(
    vscode.l10n.t('Interns could not start. Reload the window, or install it again. {0}', reason),
  );
}
