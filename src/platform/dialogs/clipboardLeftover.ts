import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { plainText } from './plainText.ts';

/** Stands for a text that was taken from the clipboard, so that the text need not be kept. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns whether the clipboard still holds the text of a digest. */
export async function isOnClipboard(digest: string): Promise<boolean> {
  return digestOf(await vscode.env.clipboard.readText()) === digest;
}

/** Offers to clear the clipboard, and does so if it still holds the text of a digest by then. */
export async function offerToClear(message: string, digest: string): Promise<void> {
  const clear = vscode.l10n.t('Clear Clipboard');
  const chosen = await vscode.window.showInformationMessage(plainText(message), clear);
  if (chosen === clear && (await isOnClipboard(digest))) await vscode.env.clipboard.writeText('');
}
