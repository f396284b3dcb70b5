import * as vscode from 'vscode';
import type { SecretTarget } from '../../platform/commands/ids.ts';
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
  ports: PickerPorts,
  [target]: readonly SecretTarget[],
  title: string,
): Promise<string | undefined> {
  if (target !== undefined) return target.secret;
  const rows = await rowsOf(ports);
  if (rows.length === 1) return rows[0]?.value;
  const placeholder = vscode.l10n.t('Pick a secret');
  const picked = await ports.prompts.pick({ title, placeholder, matchAll: true, rows });
  return picked.kind === 'value' ? picked.value : undefined;
}

/** As {@link pickSecret}, for a command that may act on several; none where the user left. */
export async function pickSecrets(
  ports: PickerPorts,
  targets: readonly SecretTarget[],
  title: string,
): Promise<readonly string[]> {
  if (targets.length > 0) return [...new Set(targets.map(({ secret }) => secret))];
  const rows = await rowsOf(ports);
  if (rows.length === 1) return rows.map(({ value }) => value);
  const picked = await ports.prompts.pickMany({
    title,
    placeholder: vscode.l10n.t('Pick secrets'),
    matchAll: true,
    rows,
    validate: (names) =>
      names.length === 0 ? vscode.l10n.t('Pick at least one secret.') : undefined,
  });
  return picked.kind === 'value' ? picked.value : [];
}

async function rowsOf({
  secrets,
}: PickerPorts): Promise<{ label: string; description: string; value: string }[]> {
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
