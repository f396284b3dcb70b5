import type * as vscode from 'vscode';
import { DraftFiles } from './host/interns/draftFiles.ts';
import { InternFileSchema } from './host/interns/internFileSchema.ts';
import { Deferred } from './host/startup/deferred.ts';
import { forwardCommands } from './host/startup/forwardedCommands.ts';
import { tellStartFailure } from './host/startup/tellFailure.ts';
import type { Main } from './main.ts';

let main: Deferred<Main> | undefined;

/**
 * Called by VS Code once, when the extension starts. Every window waits for this, so the entry is a bundle of its own
 * and registers only what VS Code looks for at the moment when activation is over: commands, the draft that stands in a
 * tab, and the schema of a file that does. All else is built by main.ts right afterwards. VS Code waits for that by
 * itself: two seconds for the views, five for the accounts, and for as long as it takes for chat tabs and links.
 */
export function activate(context: vscode.ExtensionContext): void {
  const drafts = new DraftFiles(context.workspaceState, Date.now);
  const deferred = new Deferred(
    async () => (await import('./main.ts')).start(context, drafts),
    tellStartFailure,
  );
  const commands = forwardCommands(context.extension.packageJSON, () => deferred.get());
  context.subscriptions.push(drafts, new InternFileSchema(), deferred, commands);
  main = deferred;
}

/**
 * Called by VS Code before the window goes away, which waits for it a few seconds: what was said is on disk then. The
 * writing begins at once, since VS Code disposes of all parts as soon as this function has returned its promise.
 */
export async function deactivate(): Promise<void> {
  await main?.loaded?.flush();
}
