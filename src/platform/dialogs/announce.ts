import { env, l10n, window } from 'vscode';

/** The time for which the status bar shows a text, in ms. */
const SAID_MS = 5_000;

/** Says in the status bar what needs no answer. */
export function announce(text: string): void {
  window.setStatusBarMessage(text, SAID_MS);
}

/** Puts a text on the clipboard, and says so. */
export async function copyText(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  announce(l10n.t('Copied'));
}
