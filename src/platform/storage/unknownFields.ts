type Fields = Readonly<Record<string, unknown>>;

/**
 * A record as it is to be written: with the fields, at any depth, that stand in its file and that this version does not
 * know. A later version put them there, and finds them again.
 *
 * @param stored what the file holds, parsed
 * @param known what this version read of it
 * @param next what takes the place of `known`
 */
export function withUnknownFields(stored: unknown, known: unknown, next: unknown): unknown {
  if (Array.isArray(stored) && Array.isArray(known) && Array.isArray(next))
    return next.map((item: unknown) => {
      const at = known.findIndex((before) => isSame(before, item));
      return at === -1 ? item : withUnknownFields(stored[at], known[at], item);
    });
  if (!isFields(stored) || !isFields(known) || !isFields(next)) return next;
  const written = Object.entries(next).map(([name, value]): [string, unknown] => [
    name,
    withUnknownFields(stored[name], known[name], value),
  ]);
  const unknown = Object.entries(stored).filter(
    ([name]) => !Object.hasOwn(known, name) && !Object.hasOwn(next, name),
  );
  return Object.fromEntries([...written, ...unknown]);
}

/** Whether an item of a list is the one that stood there before: by its id, else by all that it holds. */
function isSame(before: unknown, item: unknown): boolean {
  if (isFields(before) && isFields(item) && typeof item['id'] === 'string')
    return before['id'] === item['id'];
  return JSON.stringify(before) === JSON.stringify(item);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
