import { env, l10n, window } from 'vscode';

const STATUS_BAR_MESSAGE_MS = 5_000;

/** Shows a message in the status bar for a moment. */
export function announce(text: string): void {
  window.setStatusBarMessage(text, STATUS_BAR_MESSAGE_MS);
}

/** Copies a text to the clipboard, and says so. */
export async function copyText(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  announce(l10n.t('Copied'));
}
