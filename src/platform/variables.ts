export type Variables = Readonly<Record<string, string | undefined>>;

/** Variables of folders, which every program gets: those of Linux and macOS, and of Windows. */
const FOLDERS = [
  ...['HOME', 'TMPDIR'],
  ...['USERPROFILE', 'TEMP', 'TMP', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR'],
];

/**
 * Returns the variables of folders and the allowed ones. Names have any case on Windows.
 *
 * @param allowed names in upper case, none of a variable with a key
 */
export function variablesFor(own: Variables, allowed: readonly string[]): Record<string, string> {
  const names = new Set([...FOLDERS, ...allowed]);
  return Object.fromEntries(
    Object.entries(own).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && names.has(entry[0].toUpperCase()),
    ),
  );
}
