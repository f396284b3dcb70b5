import { l10n } from 'vscode';
import { checkSecretName, checkSecretValue } from '../../api/index.ts';
import { formatList } from '../../platform/words/format.ts';
import {
  hostsSentence,
  lengthSentence,
  secretNameSentence,
  unusualHostSentence,
} from '../../platform/words/limits.ts';
import { hostProblems, readHosts } from './hostList.ts';

/** The checks of the boxes that ask about a secret: what is wrong, undefined where nothing is. */

const MAX_SENTENCES = 3;

export function secretNameProblem(name: string): string | undefined {
  const problem = checkSecretName(name);
  return problem === null ? undefined : secretNameSentence(problem);
}

/** Names every host that is wrong, up to three: a box has room for a few lines. */
export function hostsProblem(typed: string): string | undefined {
  const problems = hostProblems(typed);
  return problems.length === 0
    ? undefined
    : problems.slice(0, MAX_SENTENCES).map(hostsSentence).join(' ');
}

/** Which hosts the service may refuse though no rule forbids them, up to three. */
export function hostsWarning(typed: string): string | undefined {
  const sentences = readHosts(typed).map(unusualHostSentence).filter(Boolean);
  return sentences.length === 0 ? undefined : sentences.slice(0, MAX_SENTENCES).join(' ');
}

/** How the hosts will be kept, where that is not how they were typed. */
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

/** What is wrong with a value in a box of one line, which turns line breaks into spaces without a word. */
export function typedValueProblem(value: string): string | undefined {
  return value.includes('-----BEGIN')
    ? l10n.t(
        'A PEM key or certificate has line breaks, and this box would make spaces of them: go back and take it from the clipboard or from a file.',
      )
    : valueProblem(value);
}
