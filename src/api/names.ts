import { lengthCheck, type LengthProblem } from './limits.ts';

export const MAX_SECRET_NAME_CHARACTERS = 255;

const checkInternNameLength = lengthCheck(2, 17);
const checkSecretNameLength = lengthCheck(1, MAX_SECRET_NAME_CHARACTERS);

export type NameProblem =
  | LengthProblem
  /** The first character is not a lowercase letter. */
  | { readonly kind: 'start' }
  | { readonly kind: 'uppercase'; readonly character: string }
  | { readonly kind: 'character'; readonly character: string }
  /** Two adjacent separators: `-` for an intern, `_` for a secret. */
  | { readonly kind: 'double-separator' }
  | { readonly kind: 'trailing-separator' };

/** Checks for `^[a-z][a-z0-9]*(-[a-z0-9]+)*$` (interface: POST /interns). */
export function checkInternName(name: string): NameProblem | null {
  return checkCharacters(name, '-') ?? checkInternNameLength(name);
}

/** Checks for `^(?!.*__)[a-z]([a-z0-9_]*[a-z0-9])?$` (interface: PUT /vault/secrets/{name}). */
export function checkSecretName(name: string): NameProblem | null {
  return checkCharacters(name, '_') ?? checkSecretNameLength(name);
}

function checkCharacters(name: string, separator: '-' | '_'): NameProblem | null {
  for (const character of name) {
    if (/[a-z0-9]/.test(character) || character === separator) continue;
    return { kind: /\p{Lu}/u.test(character) ? 'uppercase' : 'character', character };
  }
  if (name !== '' && !/^[a-z]/.test(name)) return { kind: 'start' };
  if (name.includes(separator + separator)) return { kind: 'double-separator' };
  if (name.endsWith(separator)) return { kind: 'trailing-separator' };
  return null;
}
