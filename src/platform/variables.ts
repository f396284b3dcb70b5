/** Environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that name folders, on Linux and macOS, and on Windows. */
const FOLDERS = [
  ...['HOME', 'TMPDIR'],
  ...['USERPROFILE', 'TEMP', 'TMP', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR'],
];

/**
 * Returns the variables for a program that this extension starts: those of folders, and those allowed here. Keys are
 * never among them. Names have any case on Windows.
 *
 * @param allowed names in upper case
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
