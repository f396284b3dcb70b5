import { l10n } from 'vscode';
import {
  checkHosts,
  checkSecretName,
  checkSecretValue,
  normalizeHost,
  splitHosts,
  type ApiError,
  type HostsProblem,
} from '../../api/index.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { Refusal } from '../../platform/dialogs/dialogs.ts';
import { explainFailure } from '../../platform/text/failures.ts';
import {
  asSentence,
  formatList,
  formatNumber,
  formatSentences,
} from '../../platform/text/format.ts';
import {
  checkText,
  hostsMessage,
  lengthMessage,
  secretNameMessage,
  unusualHostMessage,
} from '../../platform/text/limitMessages.ts';
import type { StoredSecret } from './secrets.ts';

const MAX_SENTENCES = 3;

export const secretNameProblem = checkText(checkSecretName, secretNameMessage);
export const valueProblem = checkText(checkSecretValue, lengthMessage);

/** Reads typed hosts as the service will store them; empty if one of them is invalid. */
export function readHosts(typed: string): readonly string[] {
  const checked = checkHosts(splitHosts(typed));
  return checked.ok ? checked.value : [];
}

/** Writes hosts as text for a box. */
export function joinHosts(hosts: readonly string[] | null): string {
  return (hosts ?? []).join(', ');
}

/** The checks of a box that takes hosts. Each names up to three hosts, since a box has room for a few lines. */
export const hostsChecks = {
  validate: (typed: string): string | undefined => {
    const hosts = splitHosts(typed);
    const problems = hosts.flatMap((host): HostsProblem[] => {
      const checked = normalizeHost(host);
      return checked.ok ? [] : [{ kind: checked.error, host }];
    });
    const all = checkHosts(hosts);
    if (problems.length === 0 && !all.ok) problems.push(all.error);
    return firstOf(problems.map(hostsMessage));
  },
  /** Warns of hosts that the service may refuse although no rule forbids them. */
  warning: (typed: string): string | undefined => firstOf(readHosts(typed).map(unusualHostMessage)),
  /** Says how the hosts will be stored, if that differs from the text. */
  remark: (typed: string): string | undefined => {
    const hosts = readHosts(typed);
    if (hosts.join(', ') === typed.trim()) return undefined;
    return l10n.t('Will be bound to {0}.', formatList(hosts));
  },
};

function firstOf(sentences: readonly (string | undefined)[]): string | undefined {
  const found = sentences.filter(Boolean).slice(0, MAX_SENTENCES);
  return found.length === 0 ? undefined : formatSentences(found);
}

/** Checks a typed value. A box of one line silently turns line breaks into spaces. */
export function typedValueProblem(value: string): string | undefined {
  return value.includes('-----BEGIN')
    ? l10n.t('PEM keys and certificates need line breaks. Go back and use the clipboard or a file.')
    : valueProblem(value);
}

export function storedMessage(stored: StoredSecret): string {
  const { record, isListed, before, sameAs } = stored;
  const name = plainLine(record.name);
  const [earlier, now] = [before?.fingerprint ?? null, record.metadata.fingerprint];
  const change = earlier === now ? l10n.t('The value is unchanged.') : l10n.t('The value changed.');
  return formatSentences([
    before ? l10n.t('Replaced {0}.', name) : l10n.t('Stored {0}.', name),
    !isListed && l10n.t('Couldn’t add {0} to this list.', name),
    earlier !== null && now !== null && change,
    sameAs.length > 0 && l10n.t('It has the same value as {0}.', formatList(sameAs)),
  ]);
}

/** Warns that a secret of this name was stored with an earlier API key, maybe in another vault. */
export function otherVaultMessage(): string {
  return l10n.t(
    'You stored this name with another API key. If this key’s vault has it too, it’s replaced.',
  );
}

/** Names the hosts that replacing a secret adds and removes. A legacy secret has none. */
export function hostChangesMessage(
  before: readonly string[] | null,
  after: readonly string[],
): string {
  const added = after.filter((host) => !before?.includes(host));
  const removed = (before ?? []).filter((host) => !after.includes(host));
  if (added.length === 0 && removed.length === 0) return l10n.t('The hosts stay the same.');
  return formatSentences([
    added.length > 0 && l10n.t('Added hosts: {0}.', formatList(added)),
    removed.length > 0 && l10n.t('Removed hosts: {0}.', formatList(removed)),
  ]);
}

export function hostsLabel(hosts: readonly string[] | null): string {
  const [first, ...more] = hosts ?? [];
  if (first === undefined) return l10n.t('No hosts (legacy)');
  return more.length === 0 ? first : l10n.t('{0} and {1} more', first, formatNumber(more.length));
}

/** Describes a failure for a dialog: the service's own sentence if there is one, and the possible causes. */
export function secretRefusal(failure: ApiError): Refusal {
  const { title, detail, serviceMessage } = explainFailure(failure);
  return { message: asSentence(serviceMessage === '' ? title : serviceMessage), detail };
}
