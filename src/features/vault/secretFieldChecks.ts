import { l10n } from 'vscode';
import {
  checkHosts,
  checkSecretName,
  checkSecretValue,
  normalizeHost,
  splitHosts,
  type HostsProblem,
} from '../../api/index.ts';
import { formatList } from '../../platform/words/format.ts';
import {
  hostsSentence,
  lengthSentence,
  secretNameSentence,
  unusualHostSentence,
} from '../../platform/words/limits.ts';

const MAX_SENTENCES = 3;

/** Returns what is wrong with a name, as one sentence; undefined if nothing is. */
export function secretNameProblem(name: string): string | undefined {
  const problem = checkSecretName(name);
  return problem === null ? undefined : secretNameSentence(problem);
}

/** Reads hosts typed in one box, as the service will keep them; empty if one of them is wrong. */
export function readHosts(typed: string): readonly string[] {
  const checked = checkHosts(splitHosts(typed));
  return checked.ok ? checked.value : [];
}

/** Writes hosts as text for such a box. */
export function hostsText(hosts: readonly string[] | null): string {
  return (hosts ?? []).join(', ');
}

/** Names the hosts that are wrong, up to three: a box has room for a few lines. */
export function hostsProblem(typed: string): string | undefined {
  const hosts = splitHosts(typed);
  const problems = hosts.flatMap((host): HostsProblem[] => {
    const checked = normalizeHost(host);
    return checked.ok ? [] : [{ kind: checked.error, host }];
  });
  const all = checkHosts(hosts);
  if (problems.length === 0 && !all.ok) problems.push(all.error);
  return problems.length === 0
    ? undefined
    : problems.slice(0, MAX_SENTENCES).map(hostsSentence).join(' ');
}

/** Names up to three hosts that the service may refuse although no rule forbids them. */
export function hostsWarning(typed: string): string | undefined {
  const sentences = readHosts(typed).map(unusualHostSentence).filter(Boolean);
  return sentences.length === 0 ? undefined : sentences.slice(0, MAX_SENTENCES).join(' ');
}

/** Says how the hosts will be kept, if that differs from the text. */
export function hostsRemark(typed: string): string | undefined {
  const hosts = readHosts(typed);
  return hosts.join(', ') === typed.trim()
    ? undefined
    : l10n.t('Will be bound to {0}.', formatList(hosts));
}

/** The checks of a box that takes hosts. */
export const hostsChecks = {
  validate: hostsProblem,
  remark: hostsRemark,
  warning: hostsWarning,
};

export function valueProblem(value: string): string | undefined {
  const problem = checkSecretValue(value);
  return problem === null ? undefined : lengthSentence(problem);
}

/** Returns what is wrong with a value in a box of one line, which silently turns line breaks into spaces. */
export function typedValueProblem(value: string): string | undefined {
  return value.includes('-----BEGIN')
    ? l10n.t(
        'A PEM key or certificate has line breaks, and this box would make spaces of them: go back and take it from the clipboard or from a file.',
      )
    : valueProblem(value);
}
