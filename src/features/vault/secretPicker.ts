import * as vscode from 'vscode';
import type { SecretTarget } from '../../platform/commands/ids.ts';
import { pickTarget, pickTargets, type TargetRow } from '../../platform/dialogs/pickTargets.ts';
import type { Prompts } from '../../platform/dialogs/prompts.ts';
import { UserError } from '../../platform/words/report.ts';
import type { HostParts } from '../parts.ts';
import type { SecretModel } from './secretModel.ts';
import { hostsSummary } from './secretWords.ts';

export interface VaultPorts extends Pick<HostParts, 'accounts' | 'log'> {
  readonly secrets: SecretModel;
  readonly prompts: Prompts;
}

type PickerPorts = Pick<VaultPorts, 'secrets' | 'prompts'>;

/**
 * The name of the secret that a command acts on: the one it was called on, else the only one, else the one picked;
 * undefined where the user left.
 *
 * @throws UserError where the list is empty.
 */
export async function pickSecret(
  { prompts, secrets }: PickerPorts,
  [target]: readonly SecretTarget[],
  title: string,
): Promise<string | undefined> {
  const placeholder = vscode.l10n.t('Pick a secret');
  return pickTarget(prompts, target?.secret, () => rowsOf(secrets), { title, placeholder });
}

/** As {@link pickSecret}, for a command that may act on several; none where the user left. */
export async function pickSecrets(
  { prompts, secrets }: PickerPorts,
  targets: readonly SecretTarget[],
  title: string,
): Promise<readonly string[]> {
  const names = targets.map(({ secret }) => secret);
  return pickTargets(prompts, names, () => rowsOf(secrets), {
    title,
    placeholder: vscode.l10n.t('Pick secrets'),
    none: vscode.l10n.t('Pick at least one secret.'),
  });
}

async function rowsOf(secrets: SecretModel): Promise<readonly TargetRow[]> {
  const records = await secrets.list();
  if (records.length === 0) {
    throw new UserError(vscode.l10n.t('There are no secrets in this list yet.'), [
      { label: vscode.l10n.t('Set Vault Secret…'), command: 'interns.setSecret' },
    ]);
  }
  return records.map(({ name, metadata }) => ({
    label: name,
    description: hostsSummary(metadata.hosts),
    value: name,
  }));
}
