import * as vscode from 'vscode';
import { ApiError } from '../../api/index.ts';
import type { Account } from '../auth/account.ts';
import {
  inputStep,
  pickStep,
  plainLine,
  runSteps,
  type Prompts,
  type Step,
  type Submit,
} from '../dialogs/steps.ts';
import type { SecretRecord } from '../storage/records.ts';
import { hostsProblem, hostsRemark, secretNameProblem, typedValueProblem } from './fieldChecks.ts';
import { hostChanges, readHosts } from './hostList.ts';
import type { SecretModel, StoredSecret } from './secretModel.ts';
import { hostChangesWords, secretRefusal } from './secretWords.ts';
import type { SecretValues } from './secretValues.ts';
import { sourceStep } from './sourceStep.ts';

/** What the dialog is for. */
export interface SecretTask {
  readonly title: string;
  readonly initial: SecretValues;
  /** `hosts` where the name is settled; the name may be changed by going back, unless it is `fixed`. */
  readonly startAt?: 'name' | 'hosts';
  readonly isNameFixed?: boolean;
  /** Whether the value is there already, and where it comes from is not asked. */
  readonly hasValue?: boolean;
  /** Said where the hosts are asked for. */
  readonly hostsNote?: string;
}

/** What the dialog is built from. */
export interface SecretDialogPorts {
  readonly prompts: Prompts;
  readonly secrets: SecretModel;
  /** Tells what became of a secret that was on its way when the dialog was left. */
  readonly late: (outcome: StoredSecret | ApiError, values: SecretValues) => void;
}

/** How the dialog ended. What is left holds no value. */
export type SecretOutcome =
  | { readonly kind: 'stored'; readonly stored: StoredSecret; readonly values: SecretValues }
  | { readonly kind: 'left'; readonly values: SecretValues };

/**
 * Set Vault Secret…: name, hosts, where the value comes from, and the value; a secret that is known is replaced only
 * after a question that says what changes. The last step stores and shows that it is busy; what is refused is shown
 * there, with everything kept.
 */
export async function askForSecret(
  account: Account,
  task: SecretTask,
  { prompts, secrets, late }: SecretDialogPorts,
): Promise<SecretOutcome> {
  const known = new Map((await secrets.list(account)).map((record) => [record.name, record]));
  let stored: StoredSecret | undefined;
  const store: Submit<SecretValues> = async (values, signal) => {
    const { name, hosts, value } = values;
    try {
      const result = await secrets.store(account, name, { hosts: readHosts(hosts), value });
      if (signal.aborted) late(result, values);
      else stored = result;
      return undefined;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      if (signal.aborted) late(failure, values);
      return secretRefusal(failure);
    }
  };
  const steps = stepsOf({ task, prompts, known, store });
  const result = await runSteps(steps, task.initial, { startAt: task.startAt ?? 'name' });
  return stored === undefined
    ? { kind: 'left', values: { ...result.values, value: '' } }
    : { kind: 'stored', stored, values: result.values };
}

/** What the steps are made from. */
interface StepParts {
  readonly task: SecretTask;
  readonly prompts: Prompts;
  readonly known: ReadonlyMap<string, SecretRecord>;
  readonly store: Submit<SecretValues>;
}

function stepsOf(parts: StepParts): Step<SecretValues>[] {
  const { task, prompts, known, store } = parts;
  const isNew = ({ name }: SecretValues) => !known.has(name);
  return [
    nameStep(parts),
    hostsStep(parts, (values) => task.hasValue === true && isNew(values)),
    sourceStep(prompts, {
      title: task.title,
      applies: () => task.hasValue !== true,
      isLast: isNew,
      store,
    }),
    valueStep(parts, isNew),
    replaceStep(parts),
  ];
}

function nameStep({ task, prompts, known }: StepParts): Step<SecretValues> {
  return inputStep(prompts, {
    id: 'name',
    applies: () => task.isNameFixed !== true,
    title: task.title,
    prompt: vscode.l10n.t(
      'Its name: lowercase letters, digits and single underscores. A secret of this name that is in the vault is replaced, whether this list shows it or not.',
    ),
    validate: secretNameProblem,
    remark: (name) =>
      known.has(name) ? vscode.l10n.t('This secret is known: it will be replaced.') : undefined,
    read: ({ name }) => name,
    write: (values, name) => ({ ...values, name }),
  });
}

function hostsStep({ task, prompts, store }: StepParts, isLast: IsLast): Step<SecretValues> {
  const prompt = vscode.l10n.t(
    'The exact hosts that it may be sent to, separated by commas or spaces, such as api.example.com. Subdomains do not count.',
  );
  return inputStep(prompts, {
    id: 'hosts',
    title: task.title,
    prompt: task.hostsNote === undefined ? prompt : `${prompt} ${task.hostsNote}`,
    validate: hostsProblem,
    remark: hostsRemark,
    read: ({ hosts }) => hosts,
    write: (values, hosts) => ({ ...values, hosts }),
    submit: storeIf(isLast, store),
  });
}

function valueStep({ task, prompts, store }: StepParts, isLast: IsLast): Step<SecretValues> {
  return inputStep(prompts, {
    id: 'value',
    // Until the source is chosen the value counts as typed, so that the number of steps does not grow.
    applies: ({ source = 'type' }) => task.hasValue !== true && source === 'type',
    title: task.title,
    prompt: vscode.l10n.t('Its value. It goes to the service and is kept nowhere else.'),
    password: true,
    validate: typedValueProblem,
    read: ({ value }) => value,
    write: (values, value) => ({ ...values, value }),
    submit: storeIf(isLast, store),
  });
}

function replaceStep({ task, prompts, known, store }: StepParts): Step<SecretValues> {
  return pickStep<SecretValues, 'replace'>(prompts, {
    id: 'replace',
    applies: ({ name }) => known.has(name),
    title: task.title,
    placeholder: vscode.l10n.t('This secret is in the vault already. Replace it?'),
    rows: ({ name, hosts }) => {
      const before = known.get(name)?.metadata.hosts ?? null;
      const changes = hostChanges(before, readHosts(hosts));
      return [
        {
          label: vscode.l10n.t('Replace {0}', name),
          detail: plainLine(hostChangesWords(changes), 1000),
          icon: new vscode.ThemeIcon('replace'),
          value: 'replace',
        },
      ];
    },
    read: () => undefined,
    write: (values) => values,
    submit: store,
  });
}

/** Whether no step follows, so that the values are stored. */
type IsLast = (values: SecretValues) => boolean;

function storeIf(isLast: IsLast, store: Submit<SecretValues>): Submit<SecretValues> {
  return async (values, signal) => (isLast(values) ? store(values, signal) : undefined);
}
