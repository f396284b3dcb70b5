import { l10n } from 'vscode';
import { plainLine, visibleText } from '../dialogs/plainText.ts';

/** Longest piece of service text in a title or a prompt, in characters. */
export const TEXT_LIMIT = 300;

/** The operation that a permission is for, with nothing in it unseen. */
export function operationName(operation: string | null): string {
  return shownOperation(operation) || l10n.t('an unnamed tool');
}

/** The same in quotation marks, which it cannot close, so that none of its words can pass for ours. */
export function quotedOperation(operation: string | null, limit = TEXT_LIMIT): string {
  const shown = shownOperation(operation, limit);
  return shown === '' ? operationName(operation) : inQuotes(shown);
}

/** Words of others in quotation marks, which they cannot close. */
export function inQuotes(text: string): string {
  return l10n.t('“{0}”', text.replaceAll(/[“”„‟«»「」『』]/gu, '"'));
}

function shownOperation(operation: string | null, limit = TEXT_LIMIT): string {
  return plainLine(visibleText(operation ?? ''), limit);
}
