import type { Question } from '../../api/index.ts';
import {
  planFields,
  readContent,
  type FieldInput,
  type FieldStep,
} from '../../chat/questions/fieldPlan.ts';
import type { DialogContext, DialogResult } from './dialogContext.ts';
import { showFieldDialog } from './fieldDialogs.ts';
import { showReviewDialog } from './reviewDialog.ts';

type Elicitation = Extract<Question, { kind: 'elicitation' }>;

/** What was entered so far, so that a dialog that was left goes on where it was. */
export interface ElicitationDraft {
  readonly inputs: readonly (FieldInput | undefined)[];
  /** Index of the step that was shown; the number of fields is the review. */
  readonly at: number;
}

/** Where drafts live while their question is open. In memory only: an answer's values go nowhere but to the service. */
export interface DraftKeeper {
  read(): ElicitationDraft | undefined;
  write(draft: ElicitationDraft): void;
}

/**
 * Asks field by field, then for all at once in a review (contract: Dialogs, Elicitation).
 *
 * Nothing is sent but by `Accept`, `Decline` or `Cancel the question`.
 */
export async function showElicitation(
  elicitation: Elicitation,
  context: DialogContext,
  drafts: DraftKeeper,
): Promise<DialogResult> {
  const steps = planFields(elicitation.fields);
  const inputs = [...(drafts.read()?.inputs ?? [])];
  let at = drafts.read()?.at ?? 0;
  let reviewed = false;
  for (;;) {
    drafts.write({ inputs: [...inputs], at });
    const step = steps[at];
    if (step === undefined) {
      const review = await reviewOnce(steps, inputs, context);
      if (typeof review !== 'number') return review;
      reviewed = true;
      at = review;
      continue;
    }
    const place = { step: at + 1, totalSteps: steps.length + 1 };
    const result = await showFieldDialog(step, inputs[at], place, context);
    inputs[at] = result.input;
    drafts.write({ inputs: [...inputs], at });
    switch (result.kind) {
      case 'next':
        at = reviewed ? steps.length : at + 1;
        break;
      case 'back':
        at -= 1;
        break;
      case 'hidden':
      case 'conversation':
        return { kind: result.kind };
      case 'decline':
      case 'cancel':
        return { kind: 'answer', answer: { kind: 'elicitation', action: result.kind } };
    }
  }
}

/** The user's decision, or the index of the field to go to. */
async function reviewOnce(
  steps: readonly FieldStep[],
  inputs: readonly (FieldInput | undefined)[],
  context: DialogContext,
): Promise<DialogResult | number> {
  const review = await showReviewDialog(steps, inputs, context);
  switch (review.kind) {
    case 'accept': {
      const content = readContent(steps, inputs);
      if (!content.ok) return content.error;
      const answer = { kind: 'elicitation', action: 'accept', content: content.value } as const;
      return { kind: 'answer', answer };
    }
    case 'edit':
      return review.index;
    case 'back':
      return steps.length - 1;
    case 'decline':
    case 'cancel':
      return { kind: 'answer', answer: { kind: 'elicitation', action: review.kind } };
    case 'conversation':
    case 'hidden':
      return { kind: review.kind };
  }
}
