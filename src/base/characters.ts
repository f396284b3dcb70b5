/** Returns `at`, or the index before it if it is inside a surrogate pair. */
export function startOfCharacter(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}

/** Returns at most `max` code points of a text. If it is cut, the last one is an ellipsis. */
export function truncate(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text;
}
