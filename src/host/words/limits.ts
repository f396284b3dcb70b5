import { l10n } from 'vscode';
import {
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

/**
 * The interface's rules as one plain sentence each, for the boxes in which they are broken. The offending part is named
 * where it is no secret.
 */

/** What an API root may be. */
export function apiRootSentence(problem: ApiRootProblem): string {
  switch (problem) {
    case 'empty':
      return l10n.t('Enter the API root of your intern service.');
    case 'scheme':
      return l10n.t('An API root starts with https://.');
    case 'not-encrypted':
      return l10n.t(
        'Plain http:// would show the API key to the network: it is for this machine only. Use https://.',
      );
    case 'user-info':
      return l10n.t('An API root holds no user name and no password.');
    case 'query':
      return l10n.t('An API root has no query: leave out “?” and what follows.');
    case 'fragment':
      return l10n.t('An API root has no fragment: leave out “#” and what follows.');
    case 'not-a-url':
      return l10n.t('This is not a web address.');
  }
}

/** What a key may be. Never quotes it. */
export function keySentence(problem: KeyProblem): string {
  switch (problem) {
    case 'empty':
      return l10n.t('Paste the API key.');
    case 'white-space':
      return l10n.t('There is a space or a line break inside: more than the API key was pasted.');
    case 'character':
      return l10n.t('There is a character in it that no API key can hold.');
  }
}

/** What the name of an intern may be. */
export function internNameSentence(problem: NameProblem): string {
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
    case 'character':
      return l10n.t(
        '{0} cannot be in a name: it holds lowercase letters, digits and single hyphens.',
        quoteCharacter(problem.character),
      );
    case 'double-separator':
      return l10n.t('Two hyphens cannot follow each other.');
    case 'trailing-separator':
      return l10n.t('A name cannot end with a hyphen.');
    case 'too-short':
    case 'too-long':
      return lengthSentence(problem);
  }
}

/** What the name of a secret may be. */
export function secretNameSentence(problem: NameProblem): string {
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
    case 'character':
      return l10n.t(
        '{0} cannot be in a name: it holds lowercase letters, digits and single underscores.',
        quoteCharacter(problem.character),
      );
    case 'double-separator':
      return l10n.t('Two underscores cannot follow each other.');
    case 'trailing-separator':
      return l10n.t('A name cannot end with an underscore.');
    case 'too-short':
    case 'too-long':
      return lengthSentence(problem);
  }
}

/** How long a text may be. */
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

/** What the hosts of a secret may be. Names the host that is wrong. */
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
  switch (kind) {
    case 'empty':
      return l10n.t('A host is missing between two separators.');
    case 'scheme':
      return l10n.t('“{0}”: leave out the scheme, and give the host name alone.', named);
    case 'user-info':
      return l10n.t('“{0}”: leave out the user name, and give the host name alone.', named);
    case 'path':
      return l10n.t('“{0}”: leave out the path, and give the host name alone.', named);
    case 'wildcard':
      return l10n.t('“{0}”: wildcards are not allowed. Name every host exactly.', named);
    case 'port':
      return l10n.t('“{0}”: leave out the port, and give the host name alone.', named);
    case 'ip-address':
      return l10n.t('“{0}” is an IP address: only host names are allowed.', named);
    case 'too-long':
      return l10n.t('“{0}” is too long for a host name.', named);
    case 'label':
      return l10n.t('“{0}” is not a host name.', named);
  }
}

/** What the id of an intern may be. */
export function internIdSentence({ kind }: InternIdProblem): string {
  switch (kind) {
    case 'empty':
      return l10n.t('Enter the id of an intern.');
    case 'white-space':
      return l10n.t('There is a space or a line break in it: an id has none.');
    case 'not-a-path-segment':
      return l10n.t('This cannot be the id of an intern.');
  }
}

/** What the name of the idempotency header may be. */
export function headerNameSentence(problem: HeaderNameProblem, name: string): string {
  const named = plainLine(name, 60);
  switch (problem) {
    case 'not-a-token':
      return l10n.t(
        'The setting interns.idempotencyHeader, “{0}”, is not the name of a header.',
        named,
      );
    case 'reserved':
      return l10n.t(
        'The setting interns.idempotencyHeader, “{0}”, names a header with another purpose.',
        named,
      );
  }
}

/** A character in quotes, by its number where it cannot be seen. */
function quoteCharacter(character: string): string {
  if (character === ' ') return l10n.t('A space');
  if (/^[\p{C}\p{Z}]$/u.test(character)) {
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return `“${character}”`;
}
