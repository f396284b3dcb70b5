import { l10n } from 'vscode';
import { MAX_BODY_BYTES } from '../../api/index.ts';
import { readInput, type FieldInput, type Field } from '../../conversation/questions/fieldPlan.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { BoxButton, PickRow, StepResult } from '../../platform/dialogs/dialogs.ts';
import type { Step, StepDialogs } from '../../platform/dialogs/steps.ts';
import { hashOf, sourceLabel, takeText, type TextSource } from '../../platform/dialogs/takeText.ts';
import { MAX_TEXT_CHARACTERS } from '../../platform/text/operations.ts';
import {
  elicitationButtons,
  lastStatementLabel,
  type DialogContext,
  type Inputs,
} from './dialogContext.ts';
import {
  MAX_OPTION_CHARACTERS,
  questionLabel,
  spokenTimeLeft,
  timeIsUpMessage,
} from './questionText.ts';

type TextField = Extract<Field, { kind: 'text' }>;

export function fieldId(index: number): string {
  return `field ${index}`;
}

export function fieldName({ name }: Field): string {
  return name.trim() === '' ? l10n.t('(unnamed)') : plainLine(name);
}

/** Asks for one field, starting from its earlier input. */
export function fieldStep(field: Field, index: number, context: DialogContext): Step<Inputs> {
  return {
    id: fieldId(index),
    show: (inputs, ask) => {
      if (field.kind === 'text') return askText(field, index, inputs, ask, context);
      const input = inputs[index];
      const selected = typeof input === 'object' ? input : [];
      const write = (indexes: readonly number[]) => inputs.with(index, indexes);
      const box = fieldBox(field, index, context);
      if (field.kind === 'choice')
        return ask.pick({
          ...box,
          placeholder: field.required
            ? l10n.t('Select one.')
            : l10n.t('Optional. Select one, or leave it out.'),
          rows: [...optionRows(field), ...(field.required ? [] : [leaveOutRow()])],
          active: selected[0],
          write: (at) => write([at]),
        });
      return ask.pickMany({
        ...box,
        placeholder: field.required
          ? l10n.t('Select at least one.')
          : l10n.t('Optional. Select none to skip.'),
        rows: optionRows(field),
        selected,
        validate: (indexes) => problemOf(field, indexes),
        write,
      });
    },
  };
}

/** The options that the boxes of all fields share. */
function fieldBox(field: Field, index: number, context: DialogContext) {
  return {
    title: fieldName(field),
    prompt: () => fieldPrompt(field, index, context),
    buttons: [
      ...elicitationButtons(context),
      { id: 'decline', icon: 'circle-slash', label: l10n.t('Decline') },
      { id: 'cancel', icon: 'discard', label: l10n.t('Cancel the question') },
    ],
    timeLeftMs: context.timeLeftMs,
  };
}

function optionRows({ choices }: Exclude<Field, TextField>): PickRow<number>[] {
  return choices.map(({ label }, index) => ({
    label: label.trim() === '' ? l10n.t('(empty)') : plainLine(label, MAX_OPTION_CHARACTERS),
    value: index,
  }));
}

/** The row `Leave out`. Its value is not the index of an option. */
function leaveOutRow(): PickRow<number> {
  return { label: l10n.t('Leave out'), icon: 'circle-slash', value: -1 };
}

function textIn(inputs: Inputs, index: number): string {
  const input = inputs[index];
  return typeof input === 'string' ? input : '';
}

/** Asks for a text in a box of one line, whose buttons take a text with line breaks from elsewhere. */
async function askText(
  field: TextField,
  index: number,
  inputs: Inputs,
  ask: StepDialogs,
  context: DialogContext,
): Promise<StepResult<Inputs>> {
  const before = textIn(inputs, index);
  const line = withoutBreaks(before);
  const box = fieldBox(field, index, context);
  let { length } = line;
  const result = await ask.input({
    ...box,
    buttons: [...box.buttons, ...linesButtons(field)],
    placeholder: textHint(field),
    value: line,
    password: field.masked,
    validate: (text) => problemOf(field, fromLine(text, before)),
    remark: (text) => {
      const isPasted = text.length > length + 1 && text.includes(' ');
      ({ length } = text);
      return isPasted && field.value === 'string' ? lostBreaks(field) : undefined;
    },
    write: (text) => inputs.with(index, text === '' ? undefined : fromLine(text, before)),
  });
  if (result.kind !== 'left') return result;
  const { button, draft = inputs } = result;
  if (button === 'write') return takeEditorText(field, index, draft, context);
  if (button !== 'clipboard' && button !== 'file') return result;
  return takeFieldText(field, index, draft, button, context);
}

async function takeEditorText(
  field: TextField,
  index: number,
  inputs: Inputs,
  { editText, signal }: DialogContext,
): Promise<StepResult<Inputs>> {
  const begun = { name: `${fieldName(field)}.txt`, text: textIn(inputs, index) };
  // Without the tab, the dialog would still count as open, and nothing would remind of the question.
  const { kind, text } = await editText({ ...begun, signal, endsWithTab: true });
  const written = inputs.with(index, text);
  if (kind === 'closed') return { kind: 'left', draft: written };
  return kind === 'used' && readInput(field, text).ok
    ? { kind: 'value', value: written }
    : { kind: 'jump', step: fieldId(index), draft: written };
}

/** Takes a text from the clipboard or from a file. It is never in an editor, which VS Code would back up to the disk. */
async function takeFieldText(
  field: TextField,
  index: number,
  inputs: Inputs,
  source: TextSource,
  { dialogs, signal, drafts }: DialogContext,
): Promise<StepResult<Inputs>> {
  const taken = await takeText({
    source,
    title: fieldName(field),
    dialogs,
    signal,
    maxBytes: MAX_BODY_BYTES,
    problem: (text) => problemOf(field, text),
  });
  if (signal.aborted) return { kind: 'left', draft: inputs };
  if (taken?.ok === true) {
    if (source === 'clipboard') drafts.clipboardHash = hashOf(taken.value);
    return { kind: 'value', value: inputs.with(index, taken.value) };
  }
  const refusal = taken && { message: taken.error };
  return { kind: 'jump', step: fieldId(index), draft: inputs, refusal };
}

/** The buttons that take a text with its line breaks. A secret is never shown in an editor. */
function linesButtons({ value, masked }: TextField): readonly BoxButton[] {
  if (masked)
    return (['clipboard', 'file'] as const).map((source) => ({
      id: source,
      ...sourceLabel(source),
    }));
  return value === 'string' || value === 'list'
    ? [{ id: 'write', icon: 'edit', label: l10n.t('Write in an Editor') }]
    : [];
}

/** Warns of a paste: an input box silently turns its line breaks into spaces. */
function lostBreaks({ masked }: TextField): string {
  return masked
    ? l10n.t('Pasted line breaks become spaces here. Use “From the clipboard” to keep them.')
    : l10n.t('Pasted line breaks become spaces here. Use “Write in an Editor” to keep them.');
}

/** Shown in place of a line break in a box of one line. */
const LINE_BREAK_SYMBOL = '⏎';

export function withoutBreaks(text: string): string {
  return text.replaceAll(/\r\n|\r|\n/g, LINE_BREAK_SYMBOL);
}

/** Returns the text of an edited line. An unedited line keeps its kinds of line breaks. */
function fromLine(edited: string, before: string): string {
  const line = withoutBreaks(before);
  if (edited === line) return before;
  return line === before ? edited : edited.replaceAll(LINE_BREAK_SYMBOL, '\n');
}

/** The field's description, the question, the time left and, for the first field, the intern's last words. */
function fieldPrompt({ description }: Field, index: number, context: DialogContext): string {
  const { question, timeLeftMs } = context;
  const left = timeLeftMs();
  return [
    plainLine(description, MAX_TEXT_CHARACTERS),
    questionLabel(question),
    left === 0 ? timeIsUpMessage(question) : spokenTimeLeft(left),
    index === 0 ? lastStatementLabel(context) : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function textHint({ value, required }: TextField): string {
  const kind = {
    string: l10n.t('Text'),
    number: l10n.t('A number, such as 3 or 2.5'),
    integer: l10n.t('A whole number'),
    list: l10n.t(
      'Separate values with commas. Put a value that contains a comma in quotation marks.',
    ),
  }[value];
  return required ? l10n.t('{0} (required)', kind) : l10n.t('{0} (optional)', kind);
}

/** Returns why an input is invalid; undefined if it is valid. */
function problemOf(field: Field, input: FieldInput): string | undefined {
  const read = readInput(field, input);
  if (read.ok) return undefined;
  switch (read.error) {
    case 'required':
      return l10n.t('This value is required.');
    case 'not-a-number':
      return l10n.t('Enter a number, such as 3 or 2.5.');
    case 'not-an-integer':
      return l10n.t('Enter a whole number, such as 3.');
    case 'too-many-digits':
      return l10n.t('This number has too many digits to be sent exactly.');
    case 'line-breaks-lost':
      return field.kind === 'text' && field.masked
        ? l10n.t(
            'This key lost its line breaks. Use “From the clipboard” or “From a file…” to keep them.',
          )
        : l10n.t('This key lost its line breaks. Use “Write in an Editor” to keep them.');
  }
}
