import { env, l10n, window } from 'vscode';

const STATUS_BAR_MESSAGE_MS = 5_000;

/** Shows a message in the status bar for a moment. */
export function showStatusMessage(text: string): void {
  window.setStatusBarMessage(text, STATUS_BAR_MESSAGE_MS);
}

/** Copies a text to the clipboard, and shows a status message. */
export async function copyToClipboard(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  showStatusMessage(l10n.t('Copied'));
}
