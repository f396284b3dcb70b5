import { l10n } from 'vscode';
import type { Question } from '../../api/index.ts';
import { CANCEL, permissionChoices } from '../../chat/questions/permission.ts';
import type { DialogContext, DialogResult } from './dialogContext.ts';
import { showGuardedPick, type GuardedRow } from './guardedPick.ts';
import { refusalRows } from './refusalRow.ts';
import { choiceLabel, dialogHint, questionLine, timeText } from './words.ts';

type Permission = Extract<Question, { kind: 'permission' }>;

/** Asks for a permission: the offered options, or to cancel (interface: Tool reply contents). */
export async function showPermissionDialog(
  permission: Permission,
  { question, error, timeLeft, showWhole, signal, clock }: DialogContext,
): Promise<DialogResult> {
  const result = await showGuardedPick<string>({
    title: () => `${questionLine(question)} · ${timeText(timeLeft())}`,
    placeholder: () => dialogHint(question, timeLeft()),
    rows: [...refusalRows(error), ...permissionChoices(permission).map(choiceRow)],
    buttons: ['conversation'],
    timeLeft,
    showWhole,
    signal,
    clock,
  });
  if (result.kind === 'accepted')
    return { kind: 'answer', answer: { kind: 'permission', choice: result.value } };
  return { kind: result.kind === 'button' ? 'conversation' : 'hidden' };
}

/** A row and what it means. The interface does not say how long `always` lasts, so no row promises anything. */
function choiceRow(choice: string): GuardedRow<string> {
  return { label: choiceLabel(choice), detail: choiceDetail(choice), value: choice };
}

function choiceDetail(choice: string): string {
  switch (choice) {
    case 'allow_once':
      return l10n.t('It may run this time.');
    case 'allow_always':
      return l10n.t('It may run from now on. For how long, the service does not say.');
    case 'reject_once':
      return l10n.t('It may not run this time. The intern goes on without it.');
    case 'reject_always':
      return l10n.t('It may not run from now on. For how long, the service does not say.');
    case CANCEL:
      return l10n.t('Tells the intern that there will be no answer.');
    default:
      return l10n.t('An option that this extension does not know. It may allow the operation.');
  }
}
