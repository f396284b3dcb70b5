/** Code points that some file systems ignore in names, and that nobody sees. */
const ignored = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu;

/**
 * Returns the names in a path, from the outermost folder to the file, in a form in which two names are equal if any file
 * system may take them for the same one: without regard to case, Unicode forms, ignored code points, and what Windows
 * drops (dots and blanks at the end, the stream after a colon).
 *
 * @param path With `/` or `\`.
 */
export function foldedNames(path: string): readonly string[] {
  return path
    .split(/[\\/]/u)
    .map(foldName)
    .filter((name) => name !== '');
}

function foldName(name: string): string {
  const folded = name.normalize('NFKC').replace(ignored, '').toUpperCase().toLowerCase();
  return folded
    .normalize('NFKC')
    .replace(/:.*$/su, '')
    .replace(/(?<![. ])[. ]+$/u, '');
}

/** Returns whether a folded name may be a short one that Windows made: which file it names cannot be told. */
export function mayBeShortName(name: string): boolean {
  return /~\d+(?:\.|$)/u.test(name);
}
