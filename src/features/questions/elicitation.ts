import { l10n } from 'vscode';
import {
  type Field,
  type FieldInput,
  type FieldValue,
  joinListItems,
  initialInputs,
  planFields,
  readContent,
  readInput,
} from '../../conversation/questions/fieldPlan.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { PickRow } from '../../platform/dialogs/dialogs.ts';
import { runSteps, type Step } from '../../platform/dialogs/steps.ts';
import {
  type DialogContext,
  dialogHint,
  earlierAnswerRows,
  elicitationButtons,
  type Inputs,
  type QuestionDrafts,
  type QuestionResult,
  lastStatementLabel,
} from './dialogContext.ts';
import { fieldId, fieldName, fieldStep, withoutBreaks } from './fieldSteps.ts';
import { shownInternName, questionLabel, spokenTimeLeft } from './questionText.ts';
import type { Question } from '../../api/index.ts';

const REVIEW_STEP_ID = 'review';

/** Shows all values before they are sent. Without fields it is the only step. */
function reviewStep(fields: readonly Field[], context: DialogContext): Step<Inputs> {
  const { question, timeLeftMs } = context;
  const name = shownInternName(question);
  const accepts =
    fields.length === 0
      ? l10n.t('Answers yes to {0}’s question.', name)
      : l10n.t('Sends these values to {0}.', name);
  const cancels = l10n.t('Tells the intern not to expect an answer.');
  const row = (value: string, label: string, detail: string) => ({ value, label, detail });
  return {
    id: REVIEW_STEP_ID,
    show: async (inputs, ask) => {
      const picked = await ask.pick<string, string>({
        title: () => `${questionLabel(question)} · ${spokenTimeLeft(timeLeftMs())}`,
        prompt: () =>
          [lastStatementLabel(context), dialogHint(context)].filter(Boolean).join(' · '),
        rows: [
          ...earlierAnswerRows(context),
          row('accept', l10n.t('Accept'), accepts),
          ...fields.map((field, index) => fieldRow(field, inputs[index], index)),
          row(
            'decline',
            l10n.t('Decline'),
            l10n.t('Declines {0}’s question. No values are sent.', name),
          ),
          row('cancel', l10n.t('Cancel the question'), cancels),
        ],
        buttons: elicitationButtons(context),
        guard: true,
        timeLeftMs,
        write: (choice) => choice,
      });
      if (picked.kind !== 'value') return { ...picked, draft: inputs };
      if (picked.value === 'decline' || picked.value === 'cancel')
        return { kind: 'left', button: picked.value };
      if (picked.value !== 'accept') return { kind: 'jump', step: picked.value };
      const content = readContent(fields, inputs);
      return content.ok
        ? { kind: 'value', value: inputs }
        : { kind: 'jump', step: fieldId(content.error) };
    },
  };
}

/** Returns the row that opens a field. The icon distinguishes a field named `Accept` from the row `Accept`. */
function fieldRow(field: Field, input: FieldInput | undefined, index: number): PickRow<string> {
  return {
    label: fieldName(field),
    description: valueText(field, input),
    icon: 'edit',
    value: fieldId(index),
  };
}

function valueText(field: Field, input: FieldInput | undefined): string {
  const read = readInput(field, input);
  if (!read.ok) return l10n.t('(missing)');
  if (read.value === null) return l10n.t('(left out)');
  return field.kind === 'text' && field.masked ? '••••••' : plainLine(textOf(read.value));
}

function textOf(value: FieldValue): string {
  return typeof value === 'object' ? joinListItems(value) : withoutBreaks(String(value));
}

type ElicitationQuestion = Extract<Question, { kind: 'elicitation' }>;

/** Asks field by field, then for all values in a review. */
export async function showElicitation(
  elicitation: ElicitationQuestion,
  context: DialogContext,
): Promise<QuestionResult> {
  const { drafts, dialogs, signal } = context;
  const fields = planFields(elicitation.fields);
  const { inputs = initialInputs(fields, elicitation.fields), step } = drafts.elicitation ?? {};
  const steps = [
    ...fields.map((field, index) => fieldStep(field, index, context)),
    reviewStep(fields, context),
  ];
  const result = await runSteps(dialogs, backToReview(steps, drafts), inputs, {
    startAt: step,
    signal,
  });
  drafts.elicitation = { inputs: result.values, step: result.step };
  const { button } = result;
  if (button === 'decline' || button === 'cancel')
    return { answer: { kind: 'elicitation', action: button } };
  const content = readContent(fields, result.values);
  if (result.kind === 'done' && content.ok)
    return { answer: { kind: 'elicitation', action: 'accept', content: content.value } };
  return button === 'conversation' ? button : 'hidden';
}

/** Changes the steps so that, once the review was shown, each field leads back to it. */
function backToReview(
  steps: readonly Step<Inputs>[],
  drafts: QuestionDrafts,
): readonly Step<Inputs>[] {
  return steps.map(({ id, show }) => ({
    id,
    show: async (inputs, ask) => {
      if (id === REVIEW_STEP_ID) drafts.wasReviewed = true;
      const result = await show(inputs, ask);
      return drafts.wasReviewed === true && id !== REVIEW_STEP_ID && result.kind === 'value'
        ? { kind: 'jump', step: REVIEW_STEP_ID, draft: result.value }
        : result;
    },
  }));
}
