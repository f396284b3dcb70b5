import { l10n } from 'vscode';
import {
  unusualPart,
  type ApiRootProblem,
  type HeaderNameProblem,
  type HostsProblem,
  type InternIdProblem,
  type KeyProblem,
  type LengthProblem,
  type NameProblem,
} from '../../api/index.ts';
import { plainLine } from '../dialogs/plainText.ts';
import { formatNumber } from './format.ts';

/** One plain sentence for each rule of the interface that an input breaks. Secrets are never quoted. */

export function apiRootSentence(problem: ApiRootProblem): string {
  return {
    empty: l10n.t('Enter the API root of your intern service.'),
    scheme: l10n.t('An API root starts with https://.'),
    'not-encrypted': l10n.t(
      'Plain http:// would show the API key to the network: it is for this machine only. Use https://.',
    ),
    'user-info': l10n.t('An API root holds no user name and no password.'),
    query: l10n.t('An API root has no query: leave out “?” and what follows.'),
    fragment: l10n.t('An API root has no fragment: leave out “#” and what follows.'),
    'not-a-url': l10n.t('This is not a web address.'),
  }[problem];
}

export function keySentence(problem: KeyProblem): string {
  return {
    empty: l10n.t('Paste the API key.'),
    'white-space': l10n.t('It contains a space or a line break: more than the API key was pasted.'),
    character: l10n.t('It contains a character that no API key has.'),
  }[problem];
}

export function internNameSentence(problem: NameProblem): string {
  return nameSentence(problem, {
    character: l10n.t(
      '{0} cannot be in a name: it holds lowercase letters, digits and single hyphens.',
      quotedCharacter(problem),
    ),
    'double-separator': l10n.t('Use single hyphens only.'),
    'trailing-separator': l10n.t('A name cannot end with a hyphen.'),
  });
}

export function secretNameSentence(problem: NameProblem): string {
  return nameSentence(problem, {
    character: l10n.t(
      '{0} cannot be in a name: it holds lowercase letters, digits and single underscores.',
      quotedCharacter(problem),
    ),
    'double-separator': l10n.t('Use single underscores only.'),
    'trailing-separator': l10n.t('A name cannot end with an underscore.'),
  });
}

type SeparatorProblem = 'character' | 'double-separator' | 'trailing-separator';

function nameSentence(
  problem: NameProblem,
  separatorSentences: Readonly<Record<SeparatorProblem, string>>,
): string {
  switch (problem.kind) {
    case 'empty':
      return l10n.t('Enter a name.');
    case 'start':
      return l10n.t('A name starts with a lowercase letter, a to z.');
    case 'uppercase':
      return l10n.t(
        '“{0}” is a capital letter: a name holds lowercase letters only.',
        problem.character,
      );
    case 'too-short':
    case 'too-long':
      return lengthSentence(problem);
    default:
      return separatorSentences[problem.kind];
  }
}

export function lengthSentence(problem: LengthProblem): string {
  switch (problem.kind) {
    case 'empty':
      return l10n.t('This may not be empty.');
    case 'too-short':
      return l10n.t(
        'This has {0} characters, and at least {1} are needed.',
        formatNumber(problem.length),
        formatNumber(problem.min),
      );
    case 'too-long':
      return l10n.t(
        'This has {0} characters, and at most {1} are allowed.',
        formatNumber(problem.length),
        formatNumber(problem.max),
      );
  }
}

export function hostsSentence(problem: HostsProblem): string {
  switch (problem.kind) {
    case 'none':
      return l10n.t('Enter at least one host that may receive the secret.');
    case 'too-many':
      return l10n.t(
        'These are {0} hosts, and at most {1} are allowed.',
        formatNumber(problem.count),
        formatNumber(problem.max),
      );
    default:
      return hostSentence(problem);
  }
}

function hostSentence({
  kind,
  host,
}: Exclude<HostsProblem, { readonly kind: 'none' | 'too-many' }>): string {
  const named = plainLine(host, 60);
  return {
    empty: l10n.t('A host is missing between two separators.'),
    scheme: l10n.t('“{0}”: leave out the scheme, and give the host name alone.', named),
    'user-info': l10n.t('“{0}”: leave out the user name, and give the host name alone.', named),
    path: l10n.t('“{0}”: leave out the path, and give the host name alone.', named),
    wildcard: l10n.t('“{0}”: wildcards are not allowed. Name every host exactly.', named),
    port: l10n.t('“{0}”: leave out the port, and give the host name alone.', named),
    ipv6: l10n.t('“{0}” is an IPv6 address: only host names are allowed.', named),
    'too-long': l10n.t('“{0}” is too long for a host name.', named),
    label: l10n.t('“{0}” is not a host name.', named),
  }[kind];
}

/** Says why the service may refuse a host that no rule forbids; undefined if there is no reason. */
export function unusualHostSentence(host: string): string | undefined {
  const named = plainLine(host, 60);
  switch (unusualPart(host)) {
    case 'ipv4':
      return l10n.t('“{0}” is an IP address: the service may refuse it.', named);
    case 'underscore':
      return l10n.t('“{0}” has an underscore: the service may refuse it.', named);
    case null:
      return undefined;
  }
}

export function internIdSentence({ kind }: InternIdProblem): string {
  return {
    empty: l10n.t('Enter the id of an intern.'),
    'white-space': l10n.t('An id has no spaces or line breaks.'),
    'not-a-path-segment': l10n.t('This cannot be the id of an intern.'),
  }[kind];
}

export function headerNameSentence(problem: HeaderNameProblem, name: string): string {
  const named = plainLine(name, 60);
  return {
    'not-a-token': l10n.t(
      'The setting interns.idempotencyHeader, “{0}”, is not the name of a header.',
      named,
    ),
    reserved: l10n.t(
      'The setting interns.idempotencyHeader, “{0}”, names a header with another purpose.',
      named,
    ),
  }[problem];
}

/** Quotes the offending character, or gives its code point if it is invisible. */
function quotedCharacter(problem: NameProblem): string {
  const character = 'character' in problem ? problem.character : '';
  if (character === ' ') return l10n.t('A space');
  if (/^[\p{C}\p{Z}]$/u.test(character))
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return l10n.t('“{0}”', character);
}
