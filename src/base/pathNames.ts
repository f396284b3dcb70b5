/** Invisible code points, which some file systems ignore in names. */
const IGNORED_CHARACTERS = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu;

/**
 * Returns the names in a path, normalized so that two names are equal if any file system may treat them as the same:
 * without case, Unicode forms, ignored code points, and what Windows drops (trailing dots and spaces, a stream after a
 * colon).
 *
 * @param path with `/` or `\`
 */
export function foldedNames(path: string): readonly string[] {
  return path
    .split(/[\\/]/u)
    .map(foldName)
    .filter((name) => name !== '');
}

function foldName(name: string): string {
  const folded = name.normalize('NFKC').replace(IGNORED_CHARACTERS, '').toUpperCase().toLowerCase();
  return folded
    .normalize('NFKC')
    .replace(/:.*$/su, '')
    .replace(/(?<![. ])[. ]+$/u, '');
}

/** Returns whether a folded name may be a short name of Windows, such as `PROGRA~1`, whose file is unknown. */
export function mayBeShortName(name: string): boolean {
  return /~\d+(?:\.|$)/u.test(name);
}
