import { hash } from 'node:crypto';
import { env, l10n, type OpenDialogOptions, type Uri, window, workspace } from 'vscode';
import { err, ok, type Result } from '../../base/result.ts';
import { plainText } from './plainText.ts';
import type { Dialogs } from './dialogs.ts';

/** Sources that keep line breaks, which an input box loses. */
export type TextSource = 'clipboard' | 'file';

interface TakeTextOptions {
  readonly source: TextSource;
  readonly title: string;
  readonly dialogs: Dialogs;
  /** Larger files are not read. */
  readonly maxBytes: number;
  readonly problem: (text: string) => string | undefined;
  /** Closes the question about the text. */
  readonly signal?: AbortSignal | undefined;
}

/** A text, one sentence why it cannot be used, or undefined if the user left. */
type TakenText = Result<string, string> | undefined;

/** Returns the label and codicon of a source, for a row or a button. */
export function sourceLabel(source: TextSource): { readonly label: string; readonly icon: string } {
  return source === 'clipboard'
    ? { label: l10n.t('From the clipboard'), icon: 'clippy' }
    : { label: l10n.t('From a file…'), icon: 'file' };
}

/** Takes a text from the clipboard or a file, with its line breaks. No editor holds the text. */
export async function takeText(options: TakeTextOptions): Promise<TakenText> {
  const taken = options.source === 'clipboard' ? await fromClipboard() : await fromFile(options);
  if (taken?.ok !== true) return taken;
  const problem = options.problem(taken.value);
  return problem === undefined ? taken : err(problem);
}

async function fromClipboard(): Promise<TakenText> {
  const text = await env.clipboard.readText();
  return text === '' ? err(l10n.t('The clipboard has no text.')) : ok(text);
}

/** Asks for a file. Asks also whether a final line break belongs to the value: it rarely does, except in PEM files. */
async function fromFile({ title, maxBytes, dialogs, signal }: TakeTextOptions): Promise<TakenText> {
  const openLabel = l10n.t('Use as Value');
  const file = await pickTextFile({ title, openLabel, maxBytes });
  if (file?.ok !== true) return file;
  const whole = file.value;
  const trimmed = whole.replace(/\r?\n$/, '');
  if (trimmed === whole) return file;
  const picked = await dialogs.pick({
    title,
    placeholder: l10n.t('The file ends with a line break. Is it part of the value?'),
    active: whole.includes('-----END') ? whole : trimmed,
    rows: [
      { label: l10n.t('Remove the line break'), value: trimmed },
      {
        label: l10n.t('Keep the line break'),
        detail: l10n.t('Best for most PEM files'),
        value: whole,
      },
    ],
    signal,
  });
  return picked.kind === 'value' ? ok(picked.value) : undefined;
}

/** Asks for a file and reads it as UTF-8, without its byte order mark. */
export async function pickTextFile({
  maxBytes,
  ...labels
}: OpenDialogOptions & Pick<TakeTextOptions, 'maxBytes'>): Promise<TakenText> {
  const picked = await window.showOpenDialog({ ...labels, canSelectMany: false });
  const uri = picked?.[0];
  return uri && readTextFile(uri, maxBytes);
}

/** Returns the text of a file from an open editor, saved or not, else from the file. */
export async function readCurrentText(uri: Uri, maxBytes: number): Promise<Result<string, string>> {
  const open = workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString(),
  );
  return open === undefined ? readTextFile(uri, maxBytes) : ok(open.getText());
}

async function readTextFile(uri: Uri, maxBytes: number): Promise<Result<string, string>> {
  try {
    const { size } = await workspace.fs.stat(uri);
    if (size > maxBytes) return err(l10n.t('The file is too large.'));
    const bytes = await workspace.fs.readFile(uri);
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (failure) {
    // A TypeError comes from the decoder.
    return err(
      failure instanceof TypeError
        ? l10n.t('The file isn’t UTF-8 text.')
        : l10n.t('The file couldn’t be read.'),
    );
  }
}

export function hashOf(text: string): string {
  return hash('sha256', text);
}

async function isOnClipboard(hash: string): Promise<boolean> {
  return hashOf(await env.clipboard.readText()) === hash;
}

/** Offers to clear the clipboard if it still holds the text. Returns whether it did. */
export async function offerToClearClipboard(message: string, hash: string): Promise<boolean> {
  if (!(await isOnClipboard(hash))) return false;
  const clear = l10n.t('Clear Clipboard');
  const chosen = await window.showInformationMessage(plainText(message), clear);
  if (chosen === clear && (await isOnClipboard(hash))) await env.clipboard.writeText('');
  return true;
}
