import { l10n } from 'vscode';
import {
  unusualHostPart,
  type ServiceUrlProblem,
  type HeaderNameProblem,
  type HostsProblem,
  type InternIdProblem,
  type KeyProblem,
  type LengthProblem,
  type NameProblem,
} from '../../api/index.ts';
import { plainLine } from '../dialogs/plainText.ts';
import { formatNumber } from './format.ts';

// The messages are one plain sentence for each rule of the API that an input breaks. Secrets are never quoted.

/** Returns the check of a box: a function that returns the message about the problem that `check` finds in a text. */
export function checkText<P>(check: (text: string) => P | null, messageOf: (problem: P) => string) {
  return (text: string): string | undefined => {
    const problem = check(text);
    return problem === null ? undefined : messageOf(problem);
  };
}

export function serviceUrlMessage(problem: ServiceUrlProblem): string {
  return {
    empty: l10n.t('Enter the service URL.'),
    scheme: l10n.t('A service URL starts with https://.'),
    'not-encrypted': l10n.t(
      'Use https://. Plain http:// would expose the API key and works only for this machine.',
    ),
    'user-info': l10n.t('A service URL can’t contain a user name or password.'),
    query: l10n.t('A service URL can’t contain a query. Remove “?” and everything after it.'),
    fragment: l10n.t('A service URL can’t contain a fragment. Remove “#” and everything after it.'),
    'not-a-url': l10n.t('This isn’t a web address.'),
  }[problem];
}

export function keyMessage(problem: KeyProblem): string {
  return {
    empty: l10n.t('Paste the API key.'),
    'white-space': l10n.t(
      'The API key can’t contain spaces or line breaks. You may have pasted too much.',
    ),
    character: l10n.t('The API key contains an invalid character.'),
  }[problem];
}

export function internNameMessage(problem: NameProblem): string {
  return nameMessage(problem, {
    character: l10n.t(
      'A name can’t contain {0}. Use lowercase letters, digits and single hyphens.',
      quotedCharacter(problem),
    ),
    'double-separator': l10n.t('Use single hyphens only.'),
    'trailing-separator': l10n.t('A name can’t end with a hyphen.'),
  });
}

export function secretNameMessage(problem: NameProblem): string {
  return nameMessage(problem, {
    character: l10n.t(
      'A name can’t contain {0}. Use lowercase letters, digits and single underscores.',
      quotedCharacter(problem),
    ),
    'double-separator': l10n.t('Use single underscores only.'),
    'trailing-separator': l10n.t('A name can’t end with an underscore.'),
  });
}

type SeparatorProblem = 'character' | 'double-separator' | 'trailing-separator';

function nameMessage(
  problem: NameProblem,
  separatorMessages: Readonly<Record<SeparatorProblem, string>>,
): string {
  switch (problem.kind) {
    case 'empty':
      return l10n.t('Enter a name.');
    case 'start':
      return l10n.t('A name starts with a lowercase letter, a to z.');
    case 'uppercase':
      return l10n.t('“{0}” is a capital letter. Use lowercase letters.', problem.character);
    case 'too-short':
    case 'too-long':
      return lengthMessage(problem);
    default:
      return separatorMessages[problem.kind];
  }
}

export function lengthMessage(problem: LengthProblem): string {
  if (problem.kind === 'empty') return l10n.t('This can’t be empty.');
  const length = formatNumber(problem.length);
  return problem.kind === 'too-short'
    ? l10n.t('Too short: {0} of at least {1} characters.', length, formatNumber(problem.min))
    : l10n.t('Too long: {0} of at most {1} characters.', length, formatNumber(problem.max));
}

export function hostsMessage(problem: HostsProblem): string {
  if (problem.kind === 'none')
    return l10n.t('Enter at least one host that may receive the secret.');
  if (problem.kind !== 'too-many') return hostMessage(problem);
  const { count, max } = problem;
  return l10n.t('Too many hosts: {0} of at most {1}.', formatNumber(count), formatNumber(max));
}

function hostMessage({
  kind,
  host,
}: Exclude<HostsProblem, { readonly kind: 'none' | 'too-many' }>): string {
  const named = plainLine(host, 60);
  return {
    scheme: l10n.t('“{0}” has a scheme. Enter only the host name.', named),
    'user-info': l10n.t('“{0}” has a user name. Enter only the host name.', named),
    path: l10n.t('“{0}” has a path. Enter only the host name.', named),
    wildcard: l10n.t('“{0}” has a wildcard. Enter exact host names.', named),
    port: l10n.t('“{0}” has a port. Enter only the host name.', named),
    ipv6: l10n.t('“{0}” is an IPv6 address. Only host names are allowed.', named),
    'too-long': l10n.t('“{0}” is too long for a host name.', named),
    label: l10n.t('“{0}” isn’t a host name.', named),
  }[kind];
}

/** Says why the service may refuse a host that no rule forbids; undefined if there is no reason. */
export function unusualHostMessage(host: string): string | undefined {
  const named = plainLine(host, 60);
  const part = unusualHostPart(host);
  if (part === null) return undefined;
  return part === 'ipv4'
    ? l10n.t('“{0}” is an IP address. The service may refuse it.', named)
    : l10n.t('“{0}” contains an underscore. The service may refuse it.', named);
}

export function internIdMessage({ kind }: InternIdProblem): string {
  return {
    empty: l10n.t('Enter the ID of an intern.'),
    'white-space': l10n.t('An ID can’t contain spaces or line breaks.'),
    'not-a-path-segment': l10n.t('This isn’t a valid intern ID.'),
  }[kind];
}

export function headerNameMessage(problem: HeaderNameProblem, name: string): string {
  const named = plainLine(name, 60);
  return {
    'not-a-token': l10n.t(
      'The setting interns.idempotencyHeader (“{0}”) isn’t a valid header name.',
      named,
    ),
    reserved: l10n.t(
      'The setting interns.idempotencyHeader (“{0}”) names a reserved header.',
      named,
    ),
  }[problem];
}

/** Quotes the offending character, or gives its code point if it is invisible. */
function quotedCharacter(problem: NameProblem): string {
  const character = 'character' in problem ? problem.character : '';
  if (character === ' ') return l10n.t('a space');
  if (/^[\p{C}\p{Z}]$/u.test(character))
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return l10n.t('“{0}”', character);
}
