import * as vscode from 'vscode';
import { ApiError, checkIdempotencyHeader } from '../../api/index.ts';
import type { Account } from '../auth/account.ts';
import {
  inputStep,
  pickStep,
  runSteps,
  type DialogOptions,
  type Prompts,
  type Refusal,
  type Step,
} from '../dialogs/steps.ts';
import type { CreationRecord } from '../storage/records.ts';
import { headerNameSentence } from '../words/limits.ts';
import { creationRefusal } from './creationRefusal.ts';
import type { Creation, Creations } from './creations.ts';
import { toDraft, type CreateStep, type CreateValues } from './createValues.ts';
import { descriptionProblem, internNameProblem } from './fieldChecks.ts';
import type { WriteInstructions } from './instructionsEditor.ts';
import { instructionsStep } from './instructionsStep.ts';

/** What the dialog is built from. */
export interface CreateDialogPorts {
  readonly prompts: Prompts;
  readonly creations: Creations;
  readonly write: WriteInstructions;
  readonly idempotencyHeader: () => string;
  /** Keeps what was entered while an editor is open; undefined forgets it. */
  readonly keep: (values: CreateValues) => Thenable<void>;
  /** Tells what became of a create that went on after its dialog was left. */
  readonly late: (outcome: Creation | ApiError) => void;
}

/** How the dialog ended: with an intern, or left with values to go on from. */
export type CreateOutcome =
  | { readonly kind: 'created'; readonly creation: Creation }
  | { readonly kind: 'left'; readonly values: CreateValues };

/**
 * Create Intern…: name, description, instructions, provisioning. Whatever is refused is shown at the step that can mend
 * it, with every value kept; the last step asks the service and shows that it is busy.
 */
export async function askToCreate(
  account: Account,
  initial: CreateValues,
  ports: CreateDialogPorts,
  startAt?: CreateStep,
): Promise<CreateOutcome> {
  const { prompts } = ports;
  const title = vscode.l10n.t('Create Intern');
  let creation: Creation | undefined;
  const send = sender(account, ports, (made) => {
    creation = made;
  });
  const steps: Step<CreateValues>[] = [
    inputStep(prompts, {
      id: 'name',
      title,
      prompt: vscode.l10n.t('Its name: 2 to 17 lowercase letters, digits and single hyphens.'),
      validate: internNameProblem,
      read: ({ name }) => name,
      write: (values, name) => ({ ...values, name }),
    }),
    inputStep(prompts, {
      id: 'description',
      title,
      prompt: vscode.l10n.t('What it is for, in your own words. May stay empty.'),
      validate: descriptionProblem,
      read: ({ description }) => description,
      write: (values, description) => ({ ...values, description }),
    }),
    instructionsStep(title, ports),
    provisionStep(title, prompts, send),
  ];
  const options: DialogOptions = startAt === undefined ? {} : { startAt };
  const result = await runSteps(steps, initial, options);
  return creation === undefined
    ? { kind: 'left', values: result.values }
    : { kind: 'created', creation };
}

type Send = (values: CreateValues, signal: AbortSignal) => Promise<Refusal | undefined>;

function provisionStep(title: string, prompts: Prompts, submit: Send): Step<CreateValues> {
  return pickStep<CreateValues, boolean>(prompts, {
    id: 'provision',
    title,
    placeholder: vscode.l10n.t('When should it start?'),
    // Named here, since the dialog may open at this step: from a file, or back from an editor.
    rows: ({ name }) => [
      {
        label: vscode.l10n.t('Start provisioning now'),
        detail: vscode.l10n.t('{0} is set up at once and can be talked to when it runs.', name),
        icon: new vscode.ThemeIcon('play'),
        value: true,
      },
      {
        label: vscode.l10n.t('Provision later'),
        detail: vscode.l10n.t(
          'Provisioning of {0} must then be started elsewhere: the interface has no route for it.',
          name,
        ),
        icon: new vscode.ThemeIcon('clock'),
        value: false,
      },
    ],
    read: ({ provision }) => provision,
    write: (values, provision) => ({ ...values, provision }),
    submit,
  });
}

/** Sends what was entered. The create goes on when the dialog is left meanwhile: `late` tells of it then. */
function sender(
  account: Account,
  { creations, idempotencyHeader, late }: CreateDialogPorts,
  done: (creation: Creation) => void,
): Send {
  let record: CreationRecord | undefined;
  return async (values, signal) => {
    const header = idempotencyHeader();
    const problem = header === '' ? null : checkIdempotencyHeader(header);
    if (problem !== null) return { message: headerNameSentence(problem, header) };
    record = await creations.prepare(account, toDraft(values), record);
    try {
      const creation = await creations.send(account, record);
      if (signal.aborted) late(creation);
      else done(creation);
      return undefined;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      if (signal.aborted) late(failure);
      return creationRefusal(failure);
    }
  };
}
