import { l10n } from 'vscode';
import { beginningForLine, plainLine, visibleText } from '../dialogs/plainText.ts';

/** Longest text of the service in a title or a prompt, in characters. */
export const MAX_TEXT_CHARACTERS = 300;

/** Returns the name of an operation with invisible characters spelled out. */
export function operationName(operation: string | null): string {
  return visibleOperation(operation) || l10n.t('an unnamed tool');
}

/** Returns the name of an operation in quotation marks, so that its words cannot pass for ours. */
export function quotedOperation(operation: string | null, limit = MAX_TEXT_CHARACTERS): string {
  const shown = visibleOperation(operation, limit);
  return shown === '' ? operationName(operation) : inQuotes(shown);
}

/** Puts text in quotation marks that it cannot close. */
export function inQuotes(text: string): string {
  return l10n.t('“{0}”', text.replaceAll(/[“”„‟«»「」『』]/gu, '"'));
}

function visibleOperation(operation: string | null, limit = MAX_TEXT_CHARACTERS): string {
  return plainLine(visibleText(beginningForLine(operation ?? '')), limit);
}
