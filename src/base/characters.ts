/** Returns `at`, or the index before it if it is inside a surrogate pair. */
export function startOfCharacter(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}
