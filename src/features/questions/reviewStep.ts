import { l10n, ThemeIcon } from 'vscode';
import {
  formatList,
  readContent,
  readInput,
  type FieldInput,
  type Field,
  type FieldValue,
} from '../../conversation/questions/fieldPlan.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { PickRow } from '../../platform/dialogs/prompts.ts';
import type { Step } from '../../platform/dialogs/steps.ts';
import {
  elicitationButtons,
  earlierAnswerRows,
  saidText,
  type DialogContext,
} from './dialogContext.ts';
import { fieldId, fieldName, withoutBreaks, type Inputs } from './fieldSteps.ts';
import { dialogHint, internName, questionLine, timeInWords } from './words.ts';

/** Id of the step that shows all values. */
export const REVIEW = 'review';

/** Shows all values before they are sent. With no fields it is the whole dialog. */
export function reviewStep(fields: readonly Field[], context: DialogContext): Step<Inputs> {
  const { question, timeLeft } = context;
  const name = internName(question);
  return {
    id: REVIEW,
    show: async (inputs, ask) => {
      const picked = await ask.pick<string, string>({
        title: () => `${questionLine(question)} · ${timeInWords(timeLeft())}`,
        prompt: saidText(context),
        placeholder: () => dialogHint(context),
        rows: [
          ...earlierAnswerRows(context),
          {
            label: l10n.t('Accept'),
            detail:
              fields.length === 0
                ? l10n.t('Tells {0} yes.', name)
                : l10n.t('Sends these values to {0}.', name),
            value: 'accept',
          },
          ...fields.map((field, index) => fieldRow(field, inputs[index], index)),
          {
            label: l10n.t('Decline'),
            detail: l10n.t('Tells {0} no. No value is sent.', name),
            value: 'decline',
          },
          {
            label: l10n.t('Cancel the question'),
            detail: l10n.t('Tells the intern that there will be no answer.'),
            value: 'cancel',
          },
        ],
        buttons: elicitationButtons(context),
        guard: true,
        timeLeft,
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

/** Leads to the field. The icon tells a field of that name from the row `Accept` or `Decline`. */
function fieldRow(field: Field, input: FieldInput | undefined, index: number): PickRow<string> {
  return {
    label: fieldName(field),
    description: valueText(field, input),
    icon: new ThemeIcon('edit'),
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
  return typeof value === 'object' ? formatList(value) : withoutBreaks(String(value));
}
