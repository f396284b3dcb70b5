import * as vscode from 'vscode';
import type { Prompts } from './prompts.ts';
import { pickTextFile } from './textFiles.ts';

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
  readonly prompts: Prompts;
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

export function sourceFace(source: TextSource): SourceFace {
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
  const picked = await options.prompts.pick({
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
