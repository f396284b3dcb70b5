import { l10n, ThemeIcon } from 'vscode';
import {
  readInput,
  type FieldInput,
  type FieldStep,
  type FieldValue,
} from '../../chat/questions/fieldPlan.ts';
import { plainLine } from '../dialogs/plainText.ts';
import type { DialogContext } from './dialogContext.ts';
import { showGuardedPick, type GuardedRow } from './guardedPick.ts';
import { refusalRows } from './refusalRow.ts';
import { dialogHint, internName, questionLine, timeText } from './words.ts';

/** What the user chose in the review. */
export type ReviewResult =
  | { readonly kind: 'accept' }
  | { readonly kind: 'edit'; readonly index: number }
  | { readonly kind: 'back' }
  | { readonly kind: 'decline' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'conversation' }
  | { readonly kind: 'hidden' };

/** Shows all values before they are sent. With no fields it is the whole dialog. */
export async function showReviewDialog(
  steps: readonly FieldStep[],
  inputs: readonly (FieldInput | undefined)[],
  { question, error, timeLeft, showWhole, signal, clock }: DialogContext,
): Promise<ReviewResult> {
  const total = steps.length + 1;
  const name = internName(question);
  const result = await showGuardedPick<ReviewResult>({
    title: () => `${questionLine(question)} · ${timeText(timeLeft())}`,
    placeholder: () => dialogHint(question, timeLeft()),
    rows: [
      ...refusalRows(error),
      {
        label: l10n.t('Accept'),
        detail:
          steps.length === 0
            ? l10n.t('Tells {0} yes.', name)
            : l10n.t('Sends these values to {0}.', name),
        value: { kind: 'accept' },
      },
      ...steps.map((step, index) => fieldRow(step, inputs[index], index)),
      {
        label: l10n.t('Decline'),
        detail: l10n.t('Tells {0} no. No value is sent.', name),
        value: { kind: 'decline' },
      },
      {
        label: l10n.t('Cancel the question'),
        detail: l10n.t('Tells the intern that there will be no answer.'),
        value: { kind: 'cancel' },
      },
    ],
    buttons: steps.length === 0 ? ['conversation'] : ['back', 'conversation'],
    ...(steps.length > 0 && { step: { step: total, totalSteps: total } }),
    timeLeft,
    showWhole,
    signal,
    clock,
  });
  switch (result.kind) {
    case 'accepted':
      return result.value;
    case 'button':
      return { kind: result.button };
    case 'hidden':
      return { kind: 'hidden' };
  }
}

/** The icon tells a field of that name from the row `Accept` or `Decline`. */
function fieldRow(
  step: FieldStep,
  input: FieldInput | undefined,
  index: number,
): GuardedRow<ReviewResult> {
  return {
    label: fieldName(step),
    description: valueText(step, input),
    icon: new ThemeIcon('edit'),
    value: { kind: 'edit', index },
  };
}

/** The field's name as a title or a label. */
export function fieldName({ name }: FieldStep): string {
  return name.trim() === '' ? l10n.t('(unnamed)') : plainLine(name);
}

function valueText(step: FieldStep, input: FieldInput | undefined): string {
  const read = readInput(step, input);
  if (!read.ok) return l10n.t('(missing)');
  if (read.value === null) return l10n.t('(left out)');
  return step.kind === 'text' && step.masked ? '••••••' : plainLine(textOf(read.value));
}

function textOf(value: FieldValue): string {
  return typeof value === 'object' ? value.join(', ') : String(value);
}
