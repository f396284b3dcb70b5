/** Environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Returns the variables that are set and whose names, in upper case, are allowed. Names have any case on Windows. */
export function allowVariables(
  own: Variables,
  allowed: ReadonlySet<string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(own).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && allowed.has(entry[0].toUpperCase()),
    ),
  );
}
