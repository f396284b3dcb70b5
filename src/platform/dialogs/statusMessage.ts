import { env, l10n, type Progress, ProgressLocation, window, workspace } from 'vscode';
import { measureText } from '../../api/index.ts';
import { plainText } from './plainText.ts';

const MESSAGE_MS = 5_000;

/** Shows a message for a moment in the status bar, which screen readers do not read; for their users as a notification. */
export function showStatusMessage(text: string): void {
  if (workspace.getConfiguration('editor').get('accessibilitySupport') !== 'on') {
    window.setStatusBarMessage(text, MESSAGE_MS);
    return;
  }
  const options = { location: ProgressLocation.Notification, title: text };
  void window.withProgress(
    options,
    () => new Promise((resolve) => setTimeout(resolve, MESSAGE_MS)),
  );
}

/** Shows a notification with progress while a task runs. Its Cancel button, if it has one, aborts the signal. */
export function withProgress<T>(
  title: string,
  task: (
    signal: AbortSignal,
    progress: Progress<{ readonly message?: string; readonly increment?: number }>,
  ) => Promise<T>,
  cancellable = true,
): Thenable<T> {
  const options = { location: ProgressLocation.Notification, title, cancellable };
  return window.withProgress(options, (progress, token) => {
    const canceled = new AbortController();
    token.onCancellationRequested(() => canceled.abort());
    return task(canceled.signal, progress);
  });
}

/** Shows a warning as inert text. */
export function warn(message: string): void {
  void window.showWarningMessage(plainText(message));
}

/** Warns of a text within a limit in code points but not in UTF-16 units, since the service may count either. */
export function warnIfTight(text: string, max: number): void {
  if (measureText(text, max).fit === 'tight')
    warn(l10n.t('The text may be too long for the service. Shorten it if it’s refused.'));
}

/** Copies a text to the clipboard, and shows a status message. */
export async function copyToClipboard(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  showStatusMessage(l10n.t('Copied'));
}
