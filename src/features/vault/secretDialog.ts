import * as vscode from 'vscode';
import { ApiError } from '../../api/index.ts';
import type { Account } from '../accounts/account.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { Prompts, Submit } from '../../platform/dialogs/prompts.ts';
import { type Step, runSteps } from '../../platform/dialogs/steps.ts';
import type { SecretRecord } from '../accounts/records.ts';
import { hostsChecks, secretNameProblem, typedValueProblem } from './secretFieldChecks.ts';
import { isInVault } from './fingerprints.ts';
import { hostChanges, readHosts } from './hostList.ts';
import type { SecretModel, StoredSecret } from './secretModel.ts';
import { hostChangesWords, otherVaultWords, secretRefusal } from './secretWords.ts';
import { sourceStep, type SecretValues } from './sourceStep.ts';

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
interface SecretDialogPorts {
  readonly prompts: Prompts;
  readonly secrets: SecretModel;
  /** Tells what became of a secret that was on its way when the dialog was left. */
  readonly late: (outcome: StoredSecret | ApiError, values: SecretValues) => void;
}

/** How the dialog ended. What is left holds no value. */
type SecretOutcome =
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
  const parts: StepParts = { task, known, since: account.record.keySince, store };
  const steps = [
    nameStep(parts),
    hostsStep(parts),
    sourceStep({
      title: task.title,
      applies: () => task.hasValue !== true,
      isLast: ({ name }) => !known.has(name),
      prompts,
      store,
    }),
    valueStep(parts),
    replaceStep(parts),
  ];
  const { startAt = 'name' } = task;
  const result = await runSteps(prompts, steps, task.initial, { startAt });
  return stored === undefined
    ? { kind: 'left', values: { ...result.values, value: '' } }
    : { kind: 'stored', stored, values: result.values };
}

/** What the steps are made from. */
interface StepParts {
  readonly task: SecretTask;
  readonly known: ReadonlyMap<string, SecretRecord>;
  /** Since when the account has its present key, epoch ms. */
  readonly since: number;
  readonly store: Submit<SecretValues>;
}

function nameStep({ task, known, since }: StepParts): Step<SecretValues> {
  return {
    id: 'name',
    applies: () => task.isNameFixed !== true,
    show: (values, ask) =>
      ask.input({
        title: task.title,
        prompt: vscode.l10n.t(
          'Its name: lowercase letters, digits and single underscores. A secret of this name that is in the vault is replaced, whether this list shows it or not.',
        ),
        value: values.name,
        validate: secretNameProblem,
        remark: (name) => {
          const before = known.get(name);
          if (before === undefined) return undefined;
          return isInVault(before, since)
            ? vscode.l10n.t('This secret is known: it will be replaced.')
            : otherVaultWords();
        },
        write: (name) => ({ ...values, name }),
      }),
  };
}

function hostsStep({ task, known, store }: StepParts): Step<SecretValues> {
  const prompt = vscode.l10n.t(
    'The exact hosts that it may be sent to, separated by commas or spaces, such as api.example.com. Subdomains do not count.',
  );
  return {
    id: 'hosts',
    show: (values, ask) =>
      ask.input({
        ...hostsChecks,
        title: task.title,
        prompt: task.hostsNote === undefined ? prompt : `${prompt} ${task.hostsNote}`,
        value: values.hosts,
        ...(task.hasValue === true &&
          !known.has(values.name) && {
            submit: (hosts, signal) => store({ ...values, hosts }, signal),
          }),
        write: (hosts) => ({ ...values, hosts }),
      }),
  };
}

function valueStep({ task, known, store }: StepParts): Step<SecretValues> {
  return {
    id: 'value',
    // Until the source is chosen the value counts as typed, so that the number of steps does not grow.
    applies: ({ source = 'type' }) => task.hasValue !== true && source === 'type',
    show: (values, ask) =>
      ask.input({
        title: task.title,
        prompt: vscode.l10n.t('Its value. It goes to the service and is kept nowhere else.'),
        password: true,
        value: values.value,
        validate: typedValueProblem,
        ...(!known.has(values.name) && {
          submit: (value, signal) => store({ ...values, value }, signal),
        }),
        write: (value) => ({ ...values, value }),
      }),
  };
}

function replaceStep({ task, known, since, store }: StepParts): Step<SecretValues> {
  return {
    id: 'replace',
    applies: ({ name }) => known.has(name),
    show: (values, ask) => {
      const { name, hosts } = values;
      const before = known.get(name);
      const isHeld = before !== undefined && isInVault(before, since);
      const changes = hostChanges(before?.metadata.hosts ?? null, readHosts(hosts));
      return ask.pick({
        title: task.title,
        placeholder: vscode.l10n.t('A secret of this name was stored from this editor before.'),
        rows: [
          {
            label: isHeld ? vscode.l10n.t('Replace {0}', name) : vscode.l10n.t('Store {0}', name),
            detail: isHeld ? plainLine(hostChangesWords(changes), 1000) : otherVaultWords(),
            icon: new vscode.ThemeIcon(isHeld ? 'replace' : 'key'),
            value: values,
          },
        ],
        submit: store,
        write: (confirmed) => confirmed,
      });
    },
  };
}
