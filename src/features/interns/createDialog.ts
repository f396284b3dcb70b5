import * as vscode from 'vscode';
import { ApiError, checkIdempotencyHeader } from '../../api/index.ts';
import type { Account } from '../accounts/account.ts';
import type { Prompts, Refusal } from '../../platform/dialogs/prompts.ts';
import { type Step, runSteps } from '../../platform/dialogs/steps.ts';
import type { CreationRecord } from '../accounts/records.ts';
import { headerNameSentence } from '../../platform/words/limits.ts';
import { creationRefusal } from './creationRefusal.ts';
import type { Creation, Creations } from './creations.ts';
import { toDraft, type CreateStep, type CreateValues } from './createValues.ts';
import { descriptionProblem, internNameProblem } from './internFieldChecks.ts';
import type { WriteInstructions } from './instructionsDraft.ts';
import { instructionsStep } from './instructionsStep.ts';
import { provisionStep } from './provisionStep.ts';

/** What the dialog is built from. */
export interface CreateDialogPorts {
  readonly prompts: Prompts;
  readonly creations: Creations;
  readonly write: WriteInstructions;
  /** Shows a whole description. Only for values of a file, which the user did not write. */
  readonly showDescription?: ((description: string) => Promise<void>) | undefined;
  readonly idempotencyHeader: () => string;
  /** Keeps what was entered while an editor is open; undefined forgets it. */
  readonly keep: (values: CreateValues) => Thenable<void>;
  /** Tells what became of a create that went on after its dialog was left; a failed one may be resumed or not. */
  readonly late: (outcome: Creation | ApiError, mayBeResumed: boolean) => void;
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
  const title = vscode.l10n.t('Create Intern');
  let creation: Creation | undefined;
  const attempts = new Attempts(account, ports, (made) => {
    creation = made;
  });
  const steps: Step<CreateValues>[] = [
    {
      id: 'name',
      show: (values, ask) =>
        ask.input({
          title,
          prompt: vscode.l10n.t('Its name: 2 to 17 lowercase letters, digits and single hyphens.'),
          value: values.name,
          validate: internNameProblem,
          write: (name) => ({ ...values, name }),
        }),
    },
    {
      id: 'description',
      show: (values, ask) =>
        ask.input({
          title,
          prompt: vscode.l10n.t('What it is for, in your own words. May stay empty.'),
          value: values.description,
          validate: descriptionProblem,
          write: (description) => ({ ...values, description }),
        }),
    },
    instructionsStep(title, ports),
    provisionStep(title, {
      ...ports,
      wouldResume: (values) => attempts.wouldResume(values),
      send: (values, signal) => attempts.send(values, signal),
    }),
  ];
  const result = await runSteps(ports.prompts, steps, initial, { startAt });
  return creation === undefined
    ? { kind: 'left', values: result.values }
    : { kind: 'created', creation };
}

/** The creates that one dialog sends. One goes on when the dialog is left meanwhile: `late` tells of it then. */
class Attempts {
  readonly #account: Account;
  readonly #ports: CreateDialogPorts;
  readonly #done: (creation: Creation) => void;
  /** The latest, and what was asked for with it. */
  #last: { readonly record: CreationRecord; readonly asked: string } | undefined;
  #mayBeResumed = false;

  constructor(account: Account, ports: CreateDialogPorts, done: (creation: Creation) => void) {
    this.#account = account;
    this.#ports = ports;
    this.#done = done;
  }

  /** Whether sending these values would resume a create whose end is not known. */
  wouldResume(values: CreateValues): boolean {
    return this.#mayBeResumed && this.#last?.asked === JSON.stringify(toDraft(values));
  }

  async send(values: CreateValues, signal: AbortSignal): Promise<Refusal | undefined> {
    const { creations, idempotencyHeader, late } = this.#ports;
    const header = idempotencyHeader();
    const problem = header === '' ? null : checkIdempotencyHeader(header);
    if (problem !== null) return { message: headerNameSentence(problem, header) };
    const draft = toDraft(values);
    const record = await creations.prepare(this.#account, draft, this.#last?.record);
    this.#last = { record, asked: JSON.stringify(draft) };
    try {
      const creation = await creations.send(this.#account, record);
      if (signal.aborted) late(creation, false);
      else this.#done(creation);
      return undefined;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      this.#mayBeResumed = await creations.mayBeResumed(this.#account, record);
      if (signal.aborted) late(failure, this.#mayBeResumed);
      return creationRefusal(failure, this.#mayBeResumed);
    }
  }
}
