import { l10n } from 'vscode';
import { ApiError, MAX_SECRET_VALUE_CHARACTERS } from '../../api/index.ts';
import type { Account } from '../accounts/account.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { Dialogs, PickRow, Submit } from '../../platform/dialogs/dialogs.ts';
import { inputStep, type Step, runSteps } from '../../platform/dialogs/steps.ts';
import { withProgress } from '../../platform/dialogs/statusMessage.ts';
import { sourceLabel, takeText, type TextSource } from '../../platform/dialogs/takeText.ts';
import { knownSecrets, type KnownSecret, type StoredSecret, type StoreSecret } from './secrets.ts';
import {
  hostChangesMessage,
  hostsChecks,
  otherVaultMessage,
  readHosts,
  secretNameProblem,
  secretRefusal,
  typedValueProblem,
  valueProblem,
} from './secretMessages.ts';

export interface SecretTask {
  readonly title: string;
  readonly initial: SecretValues;
  /** `hosts` if the name is settled. Going back changes it, unless it is fixed. */
  readonly startAt?: 'hosts';
  /** True to change the hosts of a secret. */
  readonly isNameFixed?: boolean;
}

interface SecretDialogPorts {
  readonly dialogs: Dialogs;
  readonly storeSecret: StoreSecret;
  /** Called with a stored secret, also after the dialog was left. */
  readonly handleStored: (stored: StoredSecret, values: SecretValues) => void;
  /** Called with the failure to store a secret whose dialog was left. */
  readonly handleLateFailure: (failure: ApiError) => void;
}

/**
 * Asks for name, hosts, source and value. Asks before it replaces a known secret, and shows the changes. The last step
 * stores the secret; it shows a refusal and keeps all values. If the user leaves, returns the values without `value`.
 */
export async function askForSecret(
  account: Account,
  task: SecretTask,
  ports: SecretDialogPorts,
): Promise<SecretValues | undefined> {
  const { dialogs, storeSecret, handleStored, handleLateFailure } = ports;
  const known = await knownSecrets(account);
  const store: Submit<SecretValues> = async (values, signal) => {
    const { name, hosts, value } = values;
    try {
      const secret = { hosts: readHosts(hosts), value };
      handleStored(await storeSecret(account, name, secret), values);
      return undefined;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      // Another dialog stores another value by now.
      if (failure.kind === 'aborted') return undefined;
      if (signal.aborted) handleLateFailure(failure);
      return secretRefusal(failure);
    }
  };
  const parts = { task, known, dialogs, store };
  const steps = [nameStep, hostsStep, sourceStep, valueStep, replaceStep].map((of) => of(parts));
  const { title, initial, startAt } = task;
  const { kind, values } = await runSteps(dialogs, steps, initial, { title, startAt });
  return kind === 'left' ? { ...values, value: '' } : undefined;
}

interface StepParts {
  readonly task: SecretTask;
  readonly known: ReadonlyMap<string, KnownSecret>;
  readonly dialogs: Dialogs;
  readonly store: Submit<SecretValues>;
}

function nameStep({ task, known }: StepParts): Step<SecretValues> {
  return inputStep(
    'name',
    () => ({
      prompt: l10n.t(
        'Name: lowercase letters, digits, single underscores. Replaces a secret with the same name.',
      ),
      validate: secretNameProblem,
      remark: (name) => {
        const before = known.get(name);
        if (before === undefined) return undefined;
        return before.isInVault
          ? l10n.t('This secret already exists. It will be replaced.')
          : otherVaultMessage();
      },
    }),
    () => task.isNameFixed !== true,
  );
}

function hostsStep({ task }: StepParts): Step<SecretValues> {
  const prompt = l10n.t(
    'Exact hosts that may receive the value (no subdomains), separated by commas or spaces',
  );
  const note = l10n.t(
    'You’re asked for the value again, because hosts can only be changed together with it.',
  );
  return inputStep('hosts', () => ({
    ...hostsChecks,
    prompt: task.isNameFixed === true ? `${prompt} ${note}` : prompt,
  }));
}

function valueStep({ known, store }: StepParts): Step<SecretValues> {
  return inputStep(
    'value',
    (values) => ({
      prompt: l10n.t('Value. It’s sent to the service and kept nowhere else.'),
      password: true,
      validate: typedValueProblem,
      ...(!known.has(values.name) && {
        submit: (value, signal) => store({ ...values, value }, signal),
      }),
    }),
    // Applies until another source is selected, so that the number of steps does not grow.
    ({ source = 'type' }) => source === 'type',
  );
}

function replaceStep({ known, store }: StepParts): Step<SecretValues> {
  return {
    id: 'replace',
    applies: ({ name }) => known.has(name),
    show: (values, ask) => {
      const { name, hosts } = values;
      const before = known.get(name);
      const isReplacement = before?.isInVault === true;
      const changes = hostChangesMessage(before?.hosts ?? null, readHosts(hosts));
      return ask.pick({
        placeholder: l10n.t('You stored a secret with this name before.'),
        rows: [
          {
            label: isReplacement ? l10n.t('Replace {0}', name) : l10n.t('Store {0}', name),
            detail: isReplacement ? plainLine(changes, 1000) : otherVaultMessage(),
            icon: isReplacement ? 'replace' : 'key',
            value: values,
          },
        ],
        submit: store,
        write: (confirmed) => confirmed,
      });
    },
  };
}

type ValueSource = 'type' | TextSource;

/** The values that the dialog collects. Nothing keeps `value` after the dialog. */
export interface SecretValues {
  readonly name: string;
  /** The typed text. */
  readonly hosts: string;
  readonly source: ValueSource | undefined;
  readonly value: string;
}

/** Maximum number of bytes of a UTF-8 character. */
const MAX_CHARACTER_BYTES = 4;

/**
 * Asks for the source of the value, and gets the value unless it is typed in the next step. If that fails or the service
 * refuses the value, the step is shown again with the reason.
 */
function sourceStep({ task, known, dialogs, store }: StepParts): Step<SecretValues> {
  return {
    id: 'source',
    show: async (values, ask) => {
      const picked = await ask.pick<ValueSource, SecretValues>({
        placeholder: l10n.t('Where does the value come from?'),
        rows: sourceRows(),
        active: values.source,
        write: (source) => ({ ...values, source }),
      });
      if (picked.kind !== 'value') return picked;
      const { source = 'type' } = picked.value;
      if (source === 'type') {
        // A value from another source must not be in the box for typing.
        const value = values.source === 'type' ? values.value : '';
        return { kind: 'value', value: { ...picked.value, value } };
      }
      const again = { kind: 'jump', step: 'source', draft: picked.value } as const;
      const taken = await takeText({
        source,
        title: task.title,
        dialogs,
        maxBytes: MAX_SECRET_VALUE_CHARACTERS * MAX_CHARACTER_BYTES,
        problem: valueProblem,
      });
      if (taken === undefined) return again;
      if (!taken.ok) return { ...again, refusal: { message: taken.error } };
      const chosen = { ...picked.value, value: taken.value };
      if (known.has(chosen.name)) return { kind: 'value', value: chosen };
      // No box is open that shows the progress.
      const storing = l10n.t('Storing {0}', chosen.name);
      const refusal = await withProgress(storing, (signal) => store(chosen, signal), false);
      return refusal === undefined ? { kind: 'value', value: chosen } : { ...again, refusal };
    },
  };
}

function sourceRows(): PickRow<ValueSource>[] {
  return [
    {
      label: l10n.t('Type the value'),
      detail: l10n.t('One line, masked while you type'),
      icon: 'edit',
      value: 'type',
    },
    { ...sourceLabel('clipboard'), detail: l10n.t('Keeps line breaks'), value: 'clipboard' },
    { ...sourceLabel('file'), detail: l10n.t('UTF-8 text; keeps line breaks'), value: 'file' },
  ];
}
