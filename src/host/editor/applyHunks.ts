import { sideOf, type Hunk } from './unifiedDiff.ts';

/**
 * Makes the changes of a diff to a text. Each hunk goes where its old lines stand, after the one before, and nearest to
 * the line that it names; blanks at the ends of lines do not count.
 *
 * @returns The changed text with the line breaks of the given one; undefined where a hunk's old lines are not there.
 */
export function applyHunks(text: string, hunks: readonly Hunk[]): string | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(/\r?\n/u);
  const changed: string[] = [];
  let done = 0;
  for (const hunk of hunks) {
    const old = sideOf(hunk, 'old');
    const start = find(lines, old, done, hunk.oldStart);
    if (start === undefined) return undefined;
    changed.push(...lines.slice(done, start), ...changedLines(hunk, lines.slice(start)));
    done = start + old.length;
  }
  return [...changed, ...lines.slice(done)].join(eol);
}

/**
 * Where the wanted lines stand at or after `from`, nearest to the line that the hunk names. With no line wanted, what it
 * names is the line before; with none named either, anywhere would be a guess.
 */
function find(
  lines: readonly string[],
  wanted: readonly string[],
  from: number,
  oldStart: number | undefined,
): number | undefined {
  const last = lines.length - wanted.length;
  if (wanted.length === 0) {
    const isInside = oldStart !== undefined && oldStart >= from && oldStart <= last;
    return isInside ? oldStart : undefined;
  }
  const near = Math.min(Math.max(from, (oldStart ?? 1) - 1), last);
  const isThere = (at: number): boolean =>
    at >= from &&
    at <= last &&
    wanted.every((line, i) => line.trimEnd() === lines[at + i]?.trimEnd());
  for (let away = 0; away <= last; away++) {
    if (isThere(near - away)) return near - away;
    if (isThere(near + away)) return near + away;
  }
  return undefined;
}

/** The new lines of a hunk; those that stay are taken from the file, with their own blanks. */
function changedLines({ lines }: Hunk, file: readonly string[]): readonly string[] {
  let at = 0;
  return lines.flatMap(({ kind, text }) => {
    if (kind === 'added') return [text];
    const own = file[at++] ?? text;
    return kind === 'same' ? [own] : [];
  });
}
