import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { err, ok, type Result } from '../../base/result.ts';
import { plainText } from './plainText.ts';
import type { Dialogs } from './dialogs.ts';

/** The places that a text can be taken from with its line breaks, which an input box would lose. */
export type TextSource = 'clipboard' | 'file';

/** How a source is shown, as a row or as a button. */
interface SourceFace {
  readonly label: string;
  /** Name of a codicon. */
  readonly icon: string;
}

interface TakeTextOptions {
  readonly source: TextSource;
  readonly title: string;
  readonly dialogs: Dialogs;
  /** Files above this many bytes are not read. */
  readonly maxBytes: number;
  /** Returns one sentence for a text that cannot be used, and nothing for one that can. */
  readonly problem: (text: string) => string | undefined;
  /** Closes what is asked about the text. */
  readonly signal?: AbortSignal | undefined;
}

/** A text that was taken, why it cannot be used, or nothing if the user left. */
type TakenText =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'problem'; readonly message: string }
  | { readonly kind: 'left' };

export function sourceLabel(source: TextSource): SourceFace {
  return source === 'clipboard'
    ? { label: vscode.l10n.t('From the clipboard'), icon: 'clippy' }
    : { label: vscode.l10n.t('From a file…'), icon: 'file' };
}

/** Takes a text from the clipboard or from a file, with its line breaks as they are. No editor ever holds it. */
export async function takeText(options: TakeTextOptions): Promise<TakenText> {
  return options.source === 'clipboard' ? fromClipboard(options) : fromFile(options);
}

async function fromClipboard(options: TakeTextOptions): Promise<TakenText> {
  const text = await vscode.env.clipboard.readText();
  if (text === '') return problem(vscode.l10n.t('There is no text on the clipboard.'));
  return checked(text, options);
}

async function fromFile(options: TakeTextOptions): Promise<TakenText> {
  const { title, maxBytes } = options;
  const openLabel = vscode.l10n.t('Use as Value');
  const file = await pickTextFile({ title, openLabel, maxBytes });
  if (file === undefined) return { kind: 'left' };
  if (!file.ok) return problem(file.error);
  const trimmed = file.value.replace(/\r?\n$/, '');
  if (trimmed === file.value) return checked(file.value, options);
  return withOrWithout(file.value, trimmed, options);
}

/** Editors end files with a line break that is rarely a part of the value, but of a PEM file it may well be. */
async function withOrWithout(
  whole: string,
  trimmed: string,
  options: TakeTextOptions,
): Promise<TakenText> {
  const picked = await options.dialogs.pick({
    title: options.title,
    placeholder: vscode.l10n.t('The file ends with a line break. Is it a part of the value?'),
    active: whole.includes('-----END') ? whole : trimmed,
    rows: [
      { label: vscode.l10n.t('Leave the line break out'), value: trimmed },
      {
        label: vscode.l10n.t('Keep it'),
        detail: vscode.l10n.t('Right for most PEM files'),
        value: whole,
      },
    ],
    signal: options.signal,
  });
  return picked.kind === 'value' ? checked(picked.value, options) : { kind: 'left' };
}

function checked(value: string, options: TakeTextOptions): TakenText {
  const message = options.problem(value);
  return message === undefined ? { kind: 'value', value } : problem(message);
}

function problem(message: string): TakenText {
  return { kind: 'problem', message };
}

/** Which file to ask for. */
interface TextFileRequest {
  readonly title: string;
  readonly openLabel: string;
  /** Files above this many bytes are not read. */
  readonly maxBytes: number;
}

/**
 * Asks for a file and reads it as UTF-8, wherever it lies; a byte order mark is dropped, all else is kept as it is.
 * Undefined where the user left; a sentence for a file that cannot be taken.
 */
export async function pickTextFile({
  title,
  openLabel,
  maxBytes,
}: TextFileRequest): Promise<Result<string, string> | undefined> {
  const picked = await vscode.window.showOpenDialog({ title, openLabel, canSelectMany: false });
  const uri = picked?.[0];
  return uri === undefined ? undefined : readTextFile(uri, maxBytes);
}

/** The text of a file as an editor has it, saved or not; else as {@link readTextFile} reads it. */
export async function currentText(
  uri: vscode.Uri,
  maxBytes: number,
): Promise<Result<string, string>> {
  const open = vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString(),
  );
  return open === undefined ? readTextFile(uri, maxBytes) : ok(open.getText());
}

/** Reads a file as {@link pickTextFile} does. */
async function readTextFile(uri: vscode.Uri, maxBytes: number): Promise<Result<string, string>> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxBytes) return err(vscode.l10n.t('The file is too large.'));
    const bytes = await vscode.workspace.fs.readFile(uri);
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (failure) {
    // A decoder's TypeError, or the file system's own error: neither says more than this to a user.
    return err(
      failure instanceof TypeError
        ? vscode.l10n.t('The file is not UTF-8 text.')
        : vscode.l10n.t('The file could not be read.'),
    );
  }
}

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
