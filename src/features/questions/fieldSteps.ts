import { l10n, ThemeIcon } from 'vscode';
import {
  readInput,
  type FieldInput,
  type FieldProblem,
  type Field,
} from '../../conversation/questions/fieldPlan.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { BoxButton, PickRow, StepResult } from '../../platform/dialogs/prompts.ts';
import type { Step, StepPrompts } from '../../platform/dialogs/steps.ts';
import { TEXT_LIMIT } from '../../platform/words/operations.ts';
import { elicitationButtons, saidText, type DialogContext } from './dialogContext.ts';
import { OPTION_LIMIT, questionLine, timeInWords, timeIsUp } from './words.ts';

type TextField = Extract<Field, { kind: 'text' }>;

/** What was entered for the fields so far, in their order; a hole is a field that was never reached. */
export type Inputs = readonly (FieldInput | undefined)[];

/** Id of a field's step. */
export function fieldId(index: number): string {
  return `field ${index}`;
}

/** The field's name as a title or a label. */
export function fieldName({ name }: Field): string {
  return name.trim() === '' ? l10n.t('(unnamed)') : plainLine(name);
}

/** Asks for one field, starting from what was entered before. */
export function fieldStep(field: Field, index: number, context: DialogContext): Step<Inputs> {
  return {
    id: fieldId(index),
    show: (inputs, ask) => {
      const input = inputs[index];
      switch (field.kind) {
        case 'text':
          return askText(field, index, inputs, ask, context);
        case 'choice':
          return ask.pick({
            ...fieldBox(field, index, context),
            placeholder: field.required
              ? l10n.t('Choose one.')
              : l10n.t('Choose one, or leave it out.'),
            rows: [...optionRows(field), ...(field.required ? [] : [leaveOutRow()])],
            active: indexOf(input),
            write: (at): Inputs =>
              inputs.with(
                index,
                at === LEFT_OUT ? { kind: 'left-out' } : { kind: 'choice', index: at },
              ),
          });
        case 'choices':
          return ask.pickMany({
            ...fieldBox(field, index, context),
            placeholder: field.required
              ? l10n.t('Choose at least one.')
              : l10n.t('Choosing none leaves it out.'),
            rows: optionRows(field),
            selected: input?.kind === 'choices' ? input.indexes : [],
            validate: (indexes) => problemOf(field, { kind: 'choices', indexes }),
            write: (indexes): Inputs => inputs.with(index, { kind: 'choices', indexes }),
          });
      }
    },
  };
}

/** What the boxes of all fields have. */
function fieldBox(field: Field, index: number, context: DialogContext) {
  return {
    title: fieldName(field),
    prompt: () => fieldPrompt(field, index, context),
    buttons: [
      ...elicitationButtons(context),
      { id: 'decline', icon: 'circle-slash', label: l10n.t('Decline') },
      { id: 'cancel', icon: 'discard', label: l10n.t('Cancel the question') },
    ],
    timeLeft: context.timeLeft,
  };
}

function optionRows({ choices }: Exclude<Field, TextField>): PickRow<number>[] {
  return choices.map(({ label }, index) => ({
    label: label.trim() === '' ? l10n.t('(empty)') : plainLine(label, OPTION_LIMIT),
    value: index,
  }));
}

/** Among the indexes of options: none of them. */
const LEFT_OUT = -1;

function leaveOutRow(): PickRow<number> {
  return { label: l10n.t('Leave out'), icon: new ThemeIcon('circle-slash'), value: LEFT_OUT };
}

function indexOf(input: FieldInput | undefined): number | undefined {
  if (input?.kind === 'left-out') return LEFT_OUT;
  return input?.kind === 'choice' ? input.index : undefined;
}
/** Asks for a text: in a box of one line, or in an editor where the box's button says so. */
async function askText(
  field: TextField,
  index: number,
  inputs: Inputs,
  ask: StepPrompts,
  context: DialogContext,
): Promise<StepResult<Inputs>> {
  const input = inputs[index];
  const before = input?.kind === 'text' ? input.text : '';
  const line = withoutBreaks(before);
  const toInput = (text: string): FieldInput => ({
    kind: 'text',
    text: line === before ? text : withBreaks(text),
  });
  const write = (text: string) => inputs.with(index, text === '' ? undefined : toInput(text));
  const takesLines = field.value === 'string' && !field.masked;
  const box = fieldBox(field, index, context);
  let { length } = line;
  const result = await ask.input({
    ...box,
    buttons: takesLines ? [...box.buttons, writeButton()] : box.buttons,
    placeholder: textHint(field),
    value: line,
    password: field.masked,
    validate: (text) => problemOf(field, toInput(text)),
    remark: (text) => {
      const isPasted = text.length > length + 1 && text.includes(' ');
      ({ length } = text);
      return isPasted && takesLines ? lostBreaks() : undefined;
    },
    write,
  });
  if (result.kind !== 'left' || result.button !== 'write') return result;
  const begun = result.draft?.[index];
  const { kind, text } = await context.write(
    fieldName(field),
    begun?.kind === 'text' ? begun.text : '',
    context.signal,
  );
  const written = inputs.with(index, { kind: 'text', text });
  if (context.signal.aborted) return { kind: 'left', draft: written };
  return kind === 'used' && readInput(field, written[index]).ok
    ? { kind: 'value', value: written }
    : { kind: 'jump', step: fieldId(index), draft: written };
}

function writeButton(): BoxButton {
  return { id: 'write', icon: 'edit', label: l10n.t('Write in an Editor') };
}

/** An input box turns the line breaks of what is pasted into blanks, and nobody can see that it did. */
function lostBreaks(): string {
  return l10n.t(
    'Line breaks that are pasted here become spaces. “Write in an Editor”, above, keeps them.',
  );
}

/** What stands for a line break where there is one line only. */
const LINE_BREAK = '⏎';

/** A text of several lines on one, to be read or edited there. */
export function withoutBreaks(text: string): string {
  return text.replaceAll(/\r\n|\r|\n/g, LINE_BREAK);
}

/** Undoes {@link withoutBreaks}. */
function withBreaks(line: string): string {
  return line.replaceAll(LINE_BREAK, '\n');
}

/** What the field is for, what is asked, the time that is left for it, and at first what was said before it was asked. */
function fieldPrompt({ description }: Field, index: number, context: DialogContext): string {
  const { question, timeLeft } = context;
  const left = timeLeft();
  return [
    plainLine(description, TEXT_LIMIT),
    questionLine(question),
    left === 0 ? timeIsUp(question) : timeInWords(left),
    index === 0 ? saidText(context) : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function textHint({ value, required }: TextField): string {
  const kind = {
    string: l10n.t('Text'),
    number: l10n.t('A number, such as 3 or 2.5'),
    integer: l10n.t('A whole number'),
    list: l10n.t('Values, separated by commas; one that holds a comma, in "…"'),
  }[value];
  return required
    ? l10n.t('{0} (required)', kind)
    : l10n.t('{0} (optional: empty leaves it out)', kind);
}

/** Why an input is not a value of its field. */
function problemOf(field: Field, input: FieldInput): string | undefined {
  const read = readInput(field, input);
  return read.ok ? undefined : problemText(read.error);
}

function problemText(problem: FieldProblem): string {
  switch (problem) {
    case 'required':
      return l10n.t('This value is required.');
    case 'not-a-number':
      return l10n.t('Enter a number, such as 3 or 2.5.');
    case 'not-an-integer':
      return l10n.t('Enter a whole number, such as 3.');
    case 'too-many-digits':
      return l10n.t('This number has more digits than can be sent exactly.');
    case 'line-breaks-lost':
      return l10n.t('This box loses the line breaks of a key. Send it another way.');
  }
}
