import { l10n, window } from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { activeAccount, type Account } from '../accounts/account.ts';
import { digestOf, offerToClearClipboard } from '../../platform/dialogs/takeText.ts';
import { confirm } from '../../platform/dialogs/confirm.ts';
import type { SecretTarget } from '../../platform/commands/ids.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import { pickTarget, pickTargets, type TargetRow } from '../../platform/dialogs/pickTargets.ts';
import { plainLine, plainText } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/text/format.ts';
import { reportFailure, UserError } from '../../platform/text/reportFailure.ts';
import { askForSecret, type SecretTask, type SecretValues } from './secretDialog.ts';
import { joinHosts } from './secretFieldChecks.ts';
import type { SecretModel, StoredSecret, VaultPorts } from './secretModel.ts';
import { hostsLabel, storedMessage } from './secretMessages.ts';

const EMPTY_VALUES: SecretValues = { name: '', hosts: '', source: undefined, value: '' };

/** The commands that set, edit and remove secrets. */
export class SecretCommands extends DisposableBase {
  readonly #ports: VaultPorts;
  /** The entries of a dialog that was left, by account. Never a secret value. */
  readonly #left = new Map<string, SecretValues>();

  constructor(registrar: CommandRegistrar, ports: VaultPorts) {
    super();
    this.#ports = ports;
    this.own(
      registrar.registerAll({
        'interns.setSecret': (targets) => this.#set(targets),
        'interns.editHosts': (targets) => this.#editHosts(targets),
        'interns.removeSecret': (targets) => this.#remove(targets),
      }),
    );
  }

  async #set([target]: readonly SecretTarget[]): Promise<void> {
    const account = activeAccount(this.#ports.accounts);
    const title = l10n.t('Set Vault Secret');
    if (target === undefined) {
      await this.#ask(account, { title, initial: this.#left.get(account.id) ?? EMPTY_VALUES });
      return;
    }
    const initial = await this.#valuesOf(account, target.secret);
    await this.#ask(account, { title, initial, startAt: 'hosts' });
  }

  async #editHosts([target]: readonly SecretTarget[]): Promise<void> {
    const { accounts, dialogs, secrets } = this.#ports;
    const account = activeAccount(accounts);
    const name = await pickTarget(dialogs, target?.secret, () => rowsOf(secrets), {
      title: l10n.t('Edit Hosts'),
      placeholder: l10n.t('Select a secret'),
    });
    if (name === undefined) return;
    await this.#ask(account, {
      title: l10n.t('Edit Hosts for {0}', plainLine(name)),
      initial: await this.#valuesOf(account, name),
      startAt: 'hosts',
      isNameFixed: true,
    });
  }

  /** Returns a name and the hosts of the known secret of that name, if there is one. */
  async #valuesOf(account: Account, name: string): Promise<SecretValues> {
    const known = await account.store.secrets.get(name);
    return { ...EMPTY_VALUES, name, hosts: joinHosts(known?.metadata.hosts ?? null) };
  }

  async #ask(account: Account, task: SecretTask): Promise<void> {
    const { dialogs, secrets, log } = this.#ports;
    const outcome = await askForSecret(account, task, {
      dialogs,
      secrets,
      late: (late, values) => {
        if (late instanceof Error) {
          reportFailure(log, 'Storing a secret after its dialog was left', late, account.id);
          return;
        }
        if (this.#left.get(account.id)?.name === values.name) this.#left.delete(account.id);
        void announce(late, values);
      },
    });
    const startsEmpty = task.startAt === undefined;
    if (startsEmpty && outcome.kind === 'left') this.#left.set(account.id, outcome.values);
    else if (startsEmpty) this.#left.delete(account.id);
    if (outcome.kind === 'stored') void announce(outcome.stored, outcome.values);
  }

  async #remove(targets: readonly SecretTarget[]): Promise<void> {
    const { dialogs, secrets } = this.#ports;
    const calledOn = targets.map(({ secret }) => secret);
    const names = await pickTargets(dialogs, calledOn, () => rowsOf(secrets), {
      title: l10n.t('Remove from This List'),
      placeholder: l10n.t('Select secrets'),
      none: l10n.t('Select at least one secret.'),
    });
    const [first] = names;
    if (first === undefined) return;
    const isMeant = await confirm(
      names.length === 1
        ? l10n.t('Remove {0} from this list?', plainLine(first))
        : l10n.t('Remove {0} secrets from this list?', formatNumber(names.length)),
      l10n.t(
        'They stay in the vault. Secrets can’t be deleted from VS Code; remove them where your vault is managed.',
      ),
      l10n.t('Remove'),
    );
    if (isMeant) await secrets.remove(names);
  }
}

async function announce(stored: StoredSecret, { source, value }: SecretValues): Promise<void> {
  const words = storedMessage(stored);
  const offer = l10n.t('{0} The value is still on the clipboard.', words);
  const isOffered = source === 'clipboard' && (await offerToClearClipboard(offer, digestOf(value)));
  if (!isOffered) void window.showInformationMessage(plainText(words));
}

async function rowsOf(secrets: SecretModel): Promise<readonly TargetRow[]> {
  const records = await secrets.list();
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
