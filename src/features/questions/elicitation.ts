import type { Question } from '../../api/index.ts';
import { initialInputs, planFields, readContent } from '../../conversation/questions/fieldPlan.ts';
import { type Step, runSteps } from '../../platform/dialogs/steps.ts';
import type { DialogContext, DraftKeeper, QuestionResult } from './dialogContext.ts';
import { fieldStep, type Inputs } from './fieldSteps.ts';
import { REVIEW, reviewStep } from './reviewStep.ts';

type Elicitation = Extract<Question, { kind: 'elicitation' }>;

/** What was entered so far, so that a dialog that was left goes on where it was. */
export interface ElicitationDraft {
  readonly inputs: Inputs;
  /** Id of the step that was shown. */
  readonly step: string;
}

/**
 * Asks field by field, then for all at once in a review (contract: Dialogs, Elicitation).
 *
 * Nothing is sent but by `Accept`, `Decline` or `Cancel the question`.
 */
export async function showElicitation(
  elicitation: Elicitation,
  context: DialogContext,
  drafts: DraftKeeper<ElicitationDraft>,
): Promise<QuestionResult> {
  const fields = planFields(elicitation.fields);
  const draft = drafts.read();
  const steps = [
    ...fields.map((field, index) => fieldStep(field, index, context)),
    reviewStep(fields, context),
  ];
  const result = await runSteps(
    context.prompts,
    backToReview(steps),
    draft?.inputs ?? initialInputs(fields, elicitation.fields),
    { startAt: draft?.step, signal: context.signal },
  );
  drafts.write({ inputs: result.values, step: result.step });
  if (result.kind === 'done') {
    const content = readContent(fields, result.values);
    if (content.ok) return { kind: 'elicitation', action: 'accept', content: content.value };
  }
  switch (result.button) {
    case 'decline':
    case 'cancel':
      return { kind: 'elicitation', action: result.button };
    case 'conversation':
      return 'conversation';
    default:
      return 'hidden';
  }
}

/** The same steps; once the review was shown, a field leads to it and not to the next field. */
function backToReview(steps: readonly Step<Inputs>[]): readonly Step<Inputs>[] {
  let wasReviewed = false;
  return steps.map(({ id, show }) => ({
    id,
    show: async (inputs, ask) => {
      if (id === REVIEW) wasReviewed = true;
      const result = await show(inputs, ask);
      return wasReviewed && id !== REVIEW && result.kind === 'value'
        ? { kind: 'jump', step: REVIEW, draft: result.value }
        : result;
    },
  }));
}
