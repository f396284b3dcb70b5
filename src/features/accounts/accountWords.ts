import { l10n } from 'vscode';
import { hostOf, parseApiRoot } from '../../api/index.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { AccountState } from './account.ts';
import type { AccountRecord } from './records.ts';

/** Most characters of a label or a workspace in one line. */
const MAX_PART_CHARACTERS = 48;

/** `LABEL · WORKSPACE`: what tells accounts apart, as inert text. */
export function accountName({ label, workspaceId }: AccountRecord): string {
  return `${accountLabel(label)} · ${plainLine(workspaceId, MAX_PART_CHARACTERS)}`;
}

/** The label of a key; a key may have none. */
export function accountLabel(label: string): string {
  return label.trim() === '' ? l10n.t('Unnamed API key') : plainLine(label, MAX_PART_CHARACTERS);
}

/** The state of an account, in words that say what it needs. */
export function accountStateLabel(state: AccountState): string {
  return {
    ready: l10n.t('signed in'),
    'needs-key': l10n.t('needs its key again'),
    refused: l10n.t('its key is refused'),
  }[state];
}

/** Host and port of an API root. */
export function rootHost(root: string): string {
  const parsed = parseApiRoot(root);
  return parsed.ok ? hostOf(parsed.value) : plainLine(root, MAX_PART_CHARACTERS);
}
