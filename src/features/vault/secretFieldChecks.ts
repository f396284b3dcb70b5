import { l10n } from 'vscode';
import {
  checkHosts,
  checkSecretName,
  checkSecretValue,
  normalizeHost,
  splitHosts,
  type HostsProblem,
} from '../../api/index.ts';
import { formatList } from '../../platform/text/format.ts';
import {
  checkText,
  hostsMessage,
  lengthMessage,
  secretNameMessage,
  unusualHostMessage,
} from '../../platform/text/limitMessages.ts';

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
  return found.length === 0 ? undefined : found.join(' ');
}

/** Checks a typed value. A box of one line silently turns line breaks into spaces. */
export function typedValueProblem(value: string): string | undefined {
  return value.includes('-----BEGIN')
    ? l10n.t('PEM keys and certificates need line breaks. Go back and use the clipboard or a file.')
    : valueProblem(value);
}
