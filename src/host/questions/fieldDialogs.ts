import * as vscode from 'vscode';
import {
  readInput,
  type FieldInput,
  type FieldProblem,
  type FieldStep,
} from '../../chat/questions/fieldPlan.ts';
import { plainLine } from '../dialogs/plainText.ts';
import type { DialogContext } from './dialogContext.ts';
import { presentBox, type BoxButton, type BoxResult } from './questionBox.ts';
import { fieldName } from './reviewDialog.ts';
import { OPTION_LIMIT, questionLine, timeIsUp } from './words.ts';

/** What the user did with one field. `input` is what stood in the dialog, to be kept. */
export type FieldResult =
  | { readonly kind: 'next'; readonly input: FieldInput }
  | { readonly kind: BoxButton | 'hidden'; readonly input: FieldInput | undefined };

/** Where a field stands in its dialog; 1 is the first. The review counts as the last. */
export interface FieldPlace {
  readonly step: number;
  readonly totalSteps: number;
}

/** Asks for one field, starting from what was entered before. */
export function showFieldDialog(
  step: FieldStep,
  input: FieldInput | undefined,
  place: FieldPlace,
  context: DialogContext,
): Promise<FieldResult> {
  switch (step.kind) {
    case 'text':
      return showTextField(step, input, place, context);
    case 'choice':
      return showChoiceField(step, input, place, context);
    case 'choices':
      return showChoicesField(step, input, place, context);
  }
}

async function showTextField(
  step: Extract<FieldStep, { kind: 'text' }>,
  input: FieldInput | undefined,
  place: FieldPlace,
  context: DialogContext,
): Promise<FieldResult> {
  const box = vscode.window.createInputBox();
  Object.assign(box, place, { title: fieldName(step), password: step.masked });
  box.value = input?.kind === 'text' ? input.text : '';
  box.placeholder = textHint(step);
  const entered = (): FieldInput => ({ kind: 'text', text: box.value });
  const problem = () => {
    const read = readInput(step, entered());
    return read.ok ? '' : problemText(read.error);
  };
  box.onDidChangeValue(() => {
    box.validationMessage = box.value === '' ? '' : problem();
  });
  const result = await presentBox(box, {
    buttons: buttonsAt(place),
    signal: context.signal,
    timeLeft: context.timeLeft,
    clock: context.clock,
    showWhole: context.showWhole,
    refresh: () => {
      box.prompt = fieldPrompt(context);
    },
    accept: () => {
      box.validationMessage = problem();
      return box.validationMessage === '' ? entered() : undefined;
    },
  });
  return toFieldResult(result, box.value === '' ? undefined : entered());
}

type ChoiceRow = vscode.QuickPickItem & { readonly input: FieldInput };

async function showChoiceField(
  step: Extract<FieldStep, { kind: 'choice' }>,
  input: FieldInput | undefined,
  place: FieldPlace,
  context: DialogContext,
): Promise<FieldResult> {
  const box = vscode.window.createQuickPick<ChoiceRow>();
  Object.assign(box, place, { title: fieldName(step) });
  const rows: ChoiceRow[] = step.choices.map(({ label }, index) => ({
    label: choiceLabel(label),
    input: { kind: 'choice', index },
  }));
  if (!step.required)
    rows.push({
      label: vscode.l10n.t('Leave out'),
      iconPath: new vscode.ThemeIcon('circle-slash'),
      input: { kind: 'left-out' },
    });
  box.items = rows;
  const before = rows.find((row) => isSameChoice(row.input, input));
  if (before !== undefined) box.activeItems = [before];
  const hint = step.required
    ? vscode.l10n.t('Choose one.')
    : vscode.l10n.t('Choose one, or leave it out.');
  const result = await presentBox(box, {
    buttons: buttonsAt(place),
    signal: context.signal,
    timeLeft: context.timeLeft,
    clock: context.clock,
    showWhole: context.showWhole,
    refresh: () => showPrompt(box, fieldPrompt(context), hint),
    accept: () => box.activeItems[0]?.input,
  });
  return toFieldResult(result, input);
}

async function showChoicesField(
  step: Extract<FieldStep, { kind: 'choices' }>,
  input: FieldInput | undefined,
  place: FieldPlace,
  context: DialogContext,
): Promise<FieldResult> {
  const box = vscode.window.createQuickPick<ChoiceRow>();
  Object.assign(box, place, { title: fieldName(step), canSelectMany: true });
  const rows = step.choices.map(({ label }, index): ChoiceRow => ({
    label: choiceLabel(label),
    input: { kind: 'choice', index },
  }));
  box.items = rows;
  const chosen = input?.kind === 'choices' ? input.indexes : [];
  box.selectedItems = rows.filter((_, index) => chosen.includes(index));
  const entered = (): FieldInput => ({
    kind: 'choices',
    indexes: rows.flatMap((row, index) => (box.selectedItems.includes(row) ? [index] : [])),
  });
  const hint = step.required
    ? vscode.l10n.t('Choose at least one.')
    : vscode.l10n.t('Choosing none leaves it out.');
  const result = await presentBox(box, {
    buttons: buttonsAt(place),
    signal: context.signal,
    timeLeft: context.timeLeft,
    clock: context.clock,
    showWhole: context.showWhole,
    refresh: () => showPrompt(box, fieldPrompt(context), hint),
    accept: () => (readInput(step, entered()).ok ? entered() : undefined),
  });
  return toFieldResult(result, entered());
}

/**
 * Says what is asked where there is room for it: under the box. VS Code 1.100 knows such a place in input boxes alone; there
 * the box itself has to do, with what is asked before the hint, since it does not wrap.
 */
function showPrompt(box: vscode.QuickPick<ChoiceRow>, prompt: string, hint: string): void {
  if ('prompt' in box) {
    box.prompt = prompt;
    box.placeholder = hint;
  } else {
    box.placeholder = `${prompt} · ${hint}`;
  }
}

function buttonsAt({ step }: FieldPlace): readonly BoxButton[] {
  return step > 1
    ? ['back', 'conversation', 'decline', 'cancel']
    : ['conversation', 'decline', 'cancel'];
}

function toFieldResult(result: BoxResult<FieldInput>, input: FieldInput | undefined): FieldResult {
  switch (result.kind) {
    case 'accepted':
      return { kind: 'next', input: result.value };
    case 'button':
      return { kind: result.button, input };
    case 'hidden':
      return { kind: 'hidden', input };
  }
}

/**
 * What is asked, and the time left in minutes only: a screen reader may read the prompt again whenever it changes.
 */
function fieldPrompt({ question, timeLeft }: DialogContext): string {
  const minutes = Math.ceil(timeLeft() / 60_000);
  const time = minutes === 0 ? timeIsUp(question) : timeInWords(minutes);
  return `${questionLine(question)} · ${time}`;
}

function timeInWords(minutes: number): string {
  return minutes === 1
    ? vscode.l10n.t('less than a minute left')
    : vscode.l10n.t('less than {0} minutes left', minutes);
}

function textHint({ value, required }: Extract<FieldStep, { kind: 'text' }>): string {
  const kind = {
    string: vscode.l10n.t('Text'),
    number: vscode.l10n.t('A number, such as 3 or 2.5'),
    integer: vscode.l10n.t('A whole number'),
    list: vscode.l10n.t('Values, separated by commas'),
  }[value];
  return required
    ? vscode.l10n.t('{0} (required)', kind)
    : vscode.l10n.t('{0} (optional: empty leaves it out)', kind);
}

function problemText(problem: FieldProblem): string {
  switch (problem) {
    case 'required':
      return vscode.l10n.t('This value is required.');
    case 'not-a-number':
      return vscode.l10n.t('Enter a number, such as 3 or 2.5.');
    case 'not-an-integer':
      return vscode.l10n.t('Enter a whole number, such as 3.');
    case 'too-many-digits':
      return vscode.l10n.t('This number has more digits than can be sent exactly.');
    case 'line-breaks-lost':
      return vscode.l10n.t('This box loses the line breaks of a key. Send it another way.');
  }
}

function choiceLabel(label: string): string {
  return label.trim() === '' ? vscode.l10n.t('(empty)') : plainLine(label, OPTION_LIMIT);
}

function isSameChoice(a: FieldInput, b: FieldInput | undefined): boolean {
  if (a.kind === 'choice') return b?.kind === 'choice' && a.index === b.index;
  return a.kind === b?.kind;
}
