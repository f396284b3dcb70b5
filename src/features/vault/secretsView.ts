import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { DisposableBase, Emitter, type Event } from '../../base/disposable.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { SecretRecord } from '../accounts/records.ts';
import {
  formatDateTime,
  formatFacts,
  formatList,
  formatRelative,
  formatTimestamp,
} from '../../platform/text/format.ts';
import type { AccountServices } from '../accounts/account.ts';
import { namesWithSameValue } from './secrets.ts';
import { hostsLabel } from './secretMessages.ts';

/** A row. Commands read it as their argument object (commands/ids.ts). */
interface SecretNode {
  readonly secret: string;
  readonly record: SecretRecord;
}

/** The Vault Secrets view: names, hosts and fingerprints. Never a value. */
export class SecretsView extends DisposableBase implements vscode.TreeDataProvider<SecretNode> {
  readonly #ports: AccountServices;
  readonly #changed = this.own(new Emitter<undefined>());
  readonly #view: vscode.TreeView<SecretNode>;
  #records: readonly SecretRecord[] = [];

  readonly onDidChangeTreeData: Event<undefined> = this.#changed.event;

  constructor(ports: AccountServices) {
    super();
    this.#ports = ports;
    this.own(ports.accounts.onDidChange(() => this.#changed.fire(undefined)));
    const options = { treeDataProvider: this, canSelectMany: true };
    this.#view = this.own(vscode.window.createTreeView('interns.secrets', options));
    this.own(this.#view.onDidChangeVisibility(({ visible }) => visible && ports.refresh.fire()));
  }

  async getChildren(): Promise<SecretNode[]> {
    const { accounts, contextKeys } = this.#ports;
    await accounts.whenLoaded;
    const { active } = accounts;
    if (active !== undefined)
      this.ownOnce(active.store, () =>
        active.store.secrets.onDidChange(() => this.#changed.fire(undefined)),
      );
    this.#records = (await active?.store.secrets.list()) ?? [];
    if (this.#records.length > 0) contextKeys.set('interns.hasSecrets', true);
    contextKeys.set('interns.noSecrets', active !== undefined && this.#records.length === 0);
    this.#view.description = plainLine(accounts.active?.record.label ?? '', 60);
    return this.#records.map((record) => ({ secret: record.name, record }));
  }

  getTreeItem({ secret, record }: SecretNode): vscode.TreeItem {
    const isLegacy = record.metadata.hosts === null;
    const summary = hostsLabel(record.metadata.hosts);
    const item = new vscode.TreeItem(secret, vscode.TreeItemCollapsibleState.None);
    item.id = secret;
    item.description = summary;
    item.iconPath = isLegacy
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
      : new vscode.ThemeIcon('key');
    item.contextValue = isLegacy ? 'secret.legacy' : 'secret';
    item.accessibilityInformation = { label: formatFacts([secret, summary]) };
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, { record }: SecretNode): vscode.TreeItem {
    const since = this.#ports.accounts.active?.record.keySince ?? Infinity;
    const sameAs = namesWithSameValue(this.#records, record, since);
    item.tooltip = secretTooltip(record, sameAs, this.#ports.clock.now());
    return item;
  }
}

/** Returns everything known of a secret. The service's text is added as text, never as Markdown. */
function secretTooltip(
  { name, metadata, storedAt }: SecretRecord,
  sameAs: readonly string[],
  now: number,
): vscode.MarkdownString {
  const { hosts, fingerprint, createdAt } = metadata;
  const legacy = l10n.t(
    'Legacy secret, stored before secrets were bound to hosts. Store it again to bind it.',
  );
  const stored = l10n.t('{0} ({1})', formatDateTime(storedAt), formatRelative(storedAt, now));
  const tooltip = new vscode.MarkdownString();
  for (const [label, text] of [
    ['', name],
    hosts === null ? ['', legacy] : [l10n.t('Hosts:'), formatList(hosts)],
    [l10n.t('Fingerprint:'), fingerprint ?? ''],
    [l10n.t('Same value as:'), formatList(sameAs)],
    [l10n.t('Created:'), createdAt === null ? '' : formatTimestamp(createdAt)],
    [l10n.t('Last stored from VS Code:'), stored],
  ] as const) {
    if (text === '') continue;
    if (label !== '') tooltip.appendMarkdown(`**${label}** `);
    tooltip.appendText(text).appendMarkdown('  \n');
  }
  return tooltip;
}
