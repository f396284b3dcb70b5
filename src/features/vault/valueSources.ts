import * as vscode from 'vscode';
import { MAX_SECRET_VALUE_CHARACTERS } from '../../api/index.ts';
import { pickTextFile } from '../../platform/dialogs/textFiles.ts';
import type { Prompts } from '../../platform/dialogs/prompts.ts';
import { valueProblem } from './secretFieldChecks.ts';

/** Where the value of a secret comes from. */
export type ValueSource = 'type' | 'clipboard' | 'file';

/** What the dialog that stores a secret gathers. It lives as long as the dialog, and so does the value. */
export interface SecretValues {
  readonly name: string;
  /** As typed: separated by commas or white space. */
  readonly hosts: string;
  readonly source: ValueSource | undefined;
  readonly value: string;
}

/** A character of UTF-8 has at most this many bytes. */
const MAX_CHARACTER_BYTES = 4;

/** A value that was taken, why it cannot be, or nothing where the user left. */
type TakenValue =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'problem'; readonly message: string }
  | { readonly kind: 'left' };

/** Takes a value from the clipboard or from a file, with its line breaks as they are. */
export async function takeValue(
  source: Exclude<ValueSource, 'type'>,
  title: string,
  prompts: Prompts,
): Promise<TakenValue> {
  return source === 'clipboard' ? fromClipboard() : fromFile(title, prompts);
}

async function fromClipboard(): Promise<TakenValue> {
  const value = await vscode.env.clipboard.readText();
  if (value === '') return problem(vscode.l10n.t('There is no text on the clipboard.'));
  return checked(value);
}

async function fromFile(title: string, prompts: Prompts): Promise<TakenValue> {
  const file = await pickTextFile({
    title,
    openLabel: vscode.l10n.t('Use as Value'),
    maxBytes: MAX_SECRET_VALUE_CHARACTERS * MAX_CHARACTER_BYTES,
  });
  if (file === undefined) return { kind: 'left' };
  if (!file.ok) return problem(file.error);
  const trimmed = file.value.replace(/\r?\n$/, '');
  if (trimmed === file.value) return checked(file.value);
  return withOrWithout(file.value, trimmed, title, prompts);
}

/** Editors end files with a line break that is rarely a part of the secret, but of a PEM file it may well be. */
async function withOrWithout(
  whole: string,
  trimmed: string,
  title: string,
  prompts: Prompts,
): Promise<TakenValue> {
  const picked = await prompts.pick({
    title,
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
  });
  return picked.kind === 'value' ? checked(picked.value) : { kind: 'left' };
}

function checked(value: string): TakenValue {
  const message = valueProblem(value);
  return message === undefined ? { kind: 'value', value } : problem(message);
}

function problem(message: string): TakenValue {
  return { kind: 'problem', message };
}
