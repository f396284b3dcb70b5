import { l10n, window } from 'vscode';
import { activeAccount, type Account } from '../accounts/account.ts';
import { hashOf, offerToClearClipboard } from '../../platform/dialogs/takeText.ts';
import { confirm } from '../../platform/dialogs/confirm.ts';
import type { SecretTarget } from '../../platform/commands/ids.ts';
import { pickTarget, pickTargets, type TargetRow } from '../../platform/dialogs/pickTargets.ts';
import { plainLine, plainText } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/text/format.ts';
import { reportFailure, UserError } from '../../platform/text/reportFailure.ts';
import { askForSecret, type SecretTask, type SecretValues } from './secretDialog.ts';
import type { StoredSecret, VaultServices } from './secrets.ts';
import { hostsLabel, joinHosts, storedMessage } from './secretMessages.ts';

const EMPTY_VALUES: SecretValues = { name: '', hosts: '', source: undefined, value: '' };

export function registerSecretCommands(services: VaultServices): void {
  const { accounts, dialogs, log, registrar } = services;
  /** The names and hosts that were typed into a dialog that the user left, by account. Never a secret value. */
  const unfinished = new Map<string, SecretValues>();
  const ask = async (account: Account, task: SecretTask) => {
    const values = await askForSecret(account, task, {
      ...services,
      handleStored: (stored, sent) => {
        if (unfinished.get(account.id)?.name === sent.name) unfinished.delete(account.id);
        void announce(stored, sent);
      },
      handleLateFailure: (failure) =>
        reportFailure(log, 'Storing a secret after its dialog was left', failure, account.id),
    });
    if (task.startAt !== undefined) return;
    if (values === undefined) unfinished.delete(account.id);
    else unfinished.set(account.id, values);
  };
  registrar.register({
    'interns.setSecret': async ([target]) => {
      const account = activeAccount(accounts);
      const title = l10n.t('Set Vault Secret');
      if (target === undefined) {
        await ask(account, { title, initial: unfinished.get(account.id) ?? EMPTY_VALUES });
        return;
      }
      const initial = await valuesOf(account, target.secret);
      await ask(account, { title, initial, startAt: 'hosts' });
    },
    'interns.editHosts': async ([target]) => {
      const account = activeAccount(accounts);
      const name = await pickTarget(dialogs, target?.secret, () => rowsOf(account), {
        title: l10n.t('Edit Hosts'),
        placeholder: l10n.t('Select a secret'),
      });
      if (name === undefined) return;
      const title = l10n.t('Edit Hosts for {0}', plainLine(name));
      const initial = await valuesOf(account, name);
      await ask(account, { title, initial, startAt: 'hosts', isNameFixed: true });
    },
    'interns.removeSecret': (targets) => removeSecrets(services, targets),
  });
}

/** Returns a name and the hosts of the known secret of that name, if there is one. */
async function valuesOf({ store }: Account, name: string): Promise<SecretValues> {
  const known = await store.secrets.get(name);
  return { ...EMPTY_VALUES, name, hosts: joinHosts(known?.metadata.hosts ?? null) };
}

async function removeSecrets(
  { accounts, dialogs }: VaultServices,
  targets: readonly SecretTarget[],
): Promise<void> {
  const account = activeAccount(accounts);
  const calledOn = targets.map(({ secret }) => secret);
  const names = await pickTargets(dialogs, calledOn, () => rowsOf(account), {
    title: l10n.t('Remove from This List'),
    placeholder: l10n.t('Select secrets'),
    none: l10n.t('Select at least one secret.'),
  });
  const [first] = names;
  if (first === undefined) return;
  const isConfirmed = await confirm(
    names.length === 1
      ? l10n.t('Remove {0} from this list?', plainLine(first))
      : l10n.t('Remove {0} secrets from this list?', formatNumber(names.length)),
    l10n.t(
      'They stay in the vault. Secrets can’t be deleted from VS Code; remove them where your vault is managed.',
    ),
    l10n.t('Remove'),
  );
  if (isConfirmed) await Promise.all(names.map((name) => account.store.secrets.remove(name)));
}

async function announce(stored: StoredSecret, { source, value }: SecretValues): Promise<void> {
  const words = storedMessage(stored);
  const offer = l10n.t('{0} The value is still on the clipboard.', words);
  const isOffered = source === 'clipboard' && (await offerToClearClipboard(offer, hashOf(value)));
  if (!isOffered) void window.showInformationMessage(plainText(words));
}

async function rowsOf({ store }: Account): Promise<readonly TargetRow[]> {
  const records = await store.secrets.list();
  if (records.length === 0)
    throw new UserError(l10n.t('Your list has no secrets yet.'), [
      { label: l10n.t('Set Vault Secret…'), command: 'interns.setSecret' },
    ]);
  return records.map(({ name, metadata }) => ({
    label: name,
    description: hostsLabel(metadata.hosts),
    value: name,
  }));
}
