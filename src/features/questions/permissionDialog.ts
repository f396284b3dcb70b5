import { l10n } from 'vscode';
import { checkPrompt, type Answer, type Question } from '../../api/index.ts';
import {
  CANCEL_CHOICE,
  mayAllow,
  permissionChoices,
  REJECT_ONCE_CHOICE,
} from '../../conversation/questions/permission.ts';
import type { PickRow } from '../../platform/dialogs/dialogs.ts';
import { inputStep, pickStep, runSteps, type Step } from '../../platform/dialogs/steps.ts';
import {
  conversationButton,
  contextRows,
  dialogHint,
  earlierAnswerRows,
  type DialogContext,
  type QuestionResult,
} from './dialogContext.ts';
import { lengthMessage } from '../../platform/text/limitMessages.ts';
import { quotedOperation } from '../../platform/text/operations.ts';
import { choiceLabel, questionLabel, spokenTimeLeft, timeIsUpMessage } from './questionText.ts';

type PermissionQuestion = Extract<Question, { kind: 'permission' }>;

type Picked = Answer | 'conversation' | 'say-why';

interface Values {
  readonly picked?: Picked;
  readonly reason?: string;
}

/**
 * Asks for a permission with the offered options and `cancel` (interface: Tool reply contents). An operation that is cut
 * can be allowed only after all of it was shown.
 */
export async function showPermissionDialog(
  permission: PermissionQuestion,
  context: DialogContext,
): Promise<QuestionResult> {
  const { dialogs, drafts, signal } = context;
  const steps = [choiceStep(permission, context), reasonStep(permission, context)];
  const { kind, values, button } = await runSteps<Values>(dialogs, steps, {}, { signal });
  const { picked, reason } = values;
  if (reason !== undefined) drafts.reason = reason;
  if (kind === 'left' || picked === undefined)
    return button === undefined ? 'hidden' : 'conversation';
  if (picked === 'conversation') return picked;
  return picked === 'say-why'
    ? { answer: { kind: 'permission', choice: REJECT_ONCE_CHOICE }, reason }
    : { answer: picked };
}

function choiceStep(permission: PermissionQuestion, context: DialogContext): Step<Values> {
  const { question, timeLeftMs } = context;
  return pickStep('picked', () => ({
    title: () => `${questionLabel(question)} · ${spokenTimeLeft(timeLeftMs())}`,
    prompt: () => dialogHint(context),
    rows: () => [
      ...contextRows(context),
      ...wholeRows(context),
      ...earlierAnswerRows(context),
      ...permissionChoices(permission).flatMap((choice) => choiceRows(choice, context)),
    ],
    buttons: [conversationButton()],
    guard: true,
    timeLeftMs,
  }));
}

/** Asks why the user rejects the operation. Enter rejects it, and the reason becomes the next prompt. */
function reasonStep(
  { operation }: PermissionQuestion,
  { question, timeLeftMs, drafts }: DialogContext,
): Step<Values> {
  const title = l10n.t('Reject {0} and say why', quotedOperation(operation));
  return inputStep(
    'reason',
    ({ reason }) => ({
      title: () => `${title} · ${spokenTimeLeft(timeLeftMs())}`,
      prompt: () =>
        timeLeftMs() === 0
          ? timeIsUpMessage(question)
          : l10n.t(
              'Press Enter to reject. Your reason is sent as the next prompt when the run ends.',
            ),
      placeholder: l10n.t('Reason'),
      // This is read when the step is shown: a refused reason may be restored after the dialog opened.
      value: reason ?? drafts.reason,
      validate: reasonProblem,
      buttons: [conversationButton()],
      timeLeftMs,
    }),
    ({ picked }) => picked === 'say-why',
  );
}

function reasonProblem(reason: string): string | undefined {
  const problem = checkPrompt(reason);
  if (problem === null) return undefined;
  return problem.kind === 'empty'
    ? l10n.t('Enter a reason, or go back to reject without one.')
    : lengthMessage(problem);
}

function wholeRows({ showWhole }: DialogContext): readonly PickRow<never>[] {
  if (showWhole === undefined) return [];
  const label = l10n.t('Show all of it');
  const detail = l10n.t(
    'The operation is too long for this dialog. The full text opens beside it.',
  );
  return [{ label, detail, icon: 'go-to-file', run: showWhole }];
}

/** The row of an option. `Reject once` is followed by the row that asks for a reason first. */
function choiceRows(choice: string, context: DialogContext): readonly PickRow<Picked>[] {
  const row = choiceRow(choice, context);
  if (choice !== REJECT_ONCE_CHOICE) return [row];
  const label = l10n.t('Reject and say why…');
  const detail = l10n.t('Rejects it this time. Your reason is sent as the next prompt.');
  return [row, { label, detail, value: 'say-why' }];
}

function choiceRow(choice: string, { showWhole, drafts }: DialogContext): PickRow<Answer> {
  const label = choiceLabel(choice);
  if (showWhole === undefined || drafts.wasWholeTextShown === true || !mayAllow(choice))
    return { label, detail: choiceDetail(choice), value: { kind: 'permission', choice } };
  const detail = l10n.t('Opens the full text first; you’ve seen only part of it.');
  return { label, detail, run: showWhole };
}

function choiceDetail(choice: string): string {
  const always = l10n.t('Allows it from now on. The service doesn’t say when this expires.');
  const never = l10n.t('Rejects it from now on. The service doesn’t say when this expires.');
  const details = new Map([
    ['allow_once', l10n.t('Allows it this time.')],
    ['allow_always', always],
    [REJECT_ONCE_CHOICE, l10n.t('Rejects it this time. The intern continues without it.')],
    ['reject_always', never],
    [CANCEL_CHOICE, l10n.t('Tells the intern not to expect an answer.')],
  ]);
  const unknown = l10n.t('Unknown option. It may allow the operation.');
  return details.get(choice) ?? unknown;
}
