/**
 * Unified diffs as interns write them: often without line numbers, or with wrong ones. So the numbers are taken for
 * hints, and the lines for the truth.
 */

interface HunkLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** A run of changed lines with some around them. */
export interface Hunk {
  /** Line of the old file where it begins, from 1; undefined where the diff does not say. */
  readonly oldStart: number | undefined;
  readonly lines: readonly HunkLine[];
}

/** The changes of one file. */
export interface FileDiff {
  /** Undefined for a file that is new, or where the diff names none. */
  readonly oldPath: string | undefined;
  /** Undefined for a file that is deleted, or where the diff names none. */
  readonly newPath: string | undefined;
  readonly hunks: readonly Hunk[];
}

/** Reads a diff; files that are changed in other ways than by lines, renamed or empty (binary, mode) are left out. */
export function parseUnifiedDiff(diff: string): readonly FileDiff[] {
  const lines = diff.split(/\r?\n/u);
  const starts = lines.flatMap((_, index) => (isFileHeader(lines, index) ? [index] : []));
  const [firstStart = lines.length] = starts;
  const unnamed = { ...noPaths, hunks: parseHunks(lines.slice(0, firstStart)) };
  const named = starts.map((start, index) => ({
    ...pathsOf(lines[start] ?? '', lines[start + 1] ?? ''),
    hunks: parseHunks(lines.slice(start + 2, starts[index + 1])),
  }));
  const bare = lines.flatMap((_, index) => bareFile(lines, index) ?? []);
  return [...[unnamed, ...named].filter(({ hunks }) => hunks.length > 0), ...bare];
}

/** The lines of a hunk before its change, or after. */
export function sideOf({ lines }: Hunk, side: 'old' | 'new'): readonly string[] {
  const other = side === 'old' ? 'added' : 'removed';
  return lines.filter(({ kind }) => kind !== other).map(({ text }) => text);
}

/** Lines of what Git says of a file before its changes. */
const longestGitHeader = 10;
const noPaths = { oldPath: undefined, newPath: undefined };
const hunkHeader = /^@@+(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@+)?/u;
/** What stands between files, and the mark of a file without a last line break. */
const noise =
  /^(diff --git |diff -|index [\da-f]|Index: |={10}|similarity |rename |old mode |new mode |new file mode |deleted file mode |Binary files |\\ )/u;

/** `---` and `+++`, with a hunk after them: without it they are lines that were removed and added. */
function isFileHeader(lines: readonly string[], index: number): boolean {
  return (
    (lines[index] ?? '').startsWith('--- ') &&
    (lines[index + 1] ?? '').startsWith('+++ ') &&
    hunkHeader.test(lines[index + 2] ?? '')
  );
}

/** A file of which Git tells no lines, where its header begins here: one that is renamed as it is, or empty. */
function bareFile(lines: readonly string[], index: number): FileDiff | undefined {
  const first = lines[index] ?? '';
  if (!first.startsWith('diff --git ')) return undefined;
  const rest = lines.slice(index + 1, index + 1 + longestGitHeader);
  const end = rest.findIndex((line) => line.startsWith('diff --git ') || !noise.test(line));
  const header = end === -1 ? rest : rest.slice(0, end);
  if (/^(--- |GIT binary)/u.test(rest[header.length] ?? '')) return undefined;
  const find = (wanted: RegExp) => header.map((line) => wanted.exec(line)?.[1]).find(Boolean);
  const [from, to] = [find(/^rename from (.*)$/u), find(/^rename to (.*)$/u)];
  if (from !== undefined && to !== undefined)
    return { oldPath: unquoted(from), newPath: unquoted(to), hunks: [] };
  const path = /^diff --git a\/(.{1,1000}) b\/\1$/u.exec(first)?.[1];
  // The hash of nothing: other files without lines are binary.
  const change = find(/^(new|deleted) file mode /u);
  if (path === undefined || change === undefined || find(/^index (.*e69de29)/u) === undefined)
    return undefined;
  const paths = change === 'new' ? { newPath: path } : { oldPath: path };
  return { ...noPaths, ...paths, hunks: [] };
}

function pathsOf(oldLine: string, newLine: string): Pick<FileDiff, 'oldPath' | 'newPath'> {
  const oldPath = pathOf(oldLine);
  const newPath = pathOf(newLine);
  // Git's prefixes come in pairs; alone, `a/` is a folder.
  const hasPrefixes =
    (oldPath?.startsWith('a/') ?? true) &&
    (newPath?.startsWith('b/') ?? true) &&
    (oldPath ?? newPath) !== undefined;
  return hasPrefixes
    ? { oldPath: oldPath?.slice(2), newPath: newPath?.slice(2) }
    : { oldPath, newPath };
}

/** The path of a header line: in quotes where Git escapes it, before a tab where a date follows. */
function pathOf(line: string): string | undefined {
  const path = unquoted(line.slice(4));
  return path === '/dev/null' || path === '' ? undefined : path;
}

function unquoted(written: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/u.exec(written)?.[1];
  return quoted === undefined ? (written.split('\t')[0] ?? '').trimEnd() : unescapePath(quoted);
}

/** Git escapes bytes in octal, and a few characters as C does. */
function unescapePath(quoted: string): string {
  const bytes = [...quoted.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gu)].flatMap(
    ([, octal, escaped, plain]) => {
      if (octal !== undefined) return [Number.parseInt(octal, 8)];
      return [...new TextEncoder().encode(plain ?? controls[escaped ?? ''] ?? escaped ?? '')];
    },
  );
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function parseHunks(lines: readonly string[]): readonly Hunk[] {
  const hunks: { oldStart: number | undefined; lines: HunkLine[] }[] = [];
  for (const line of lines) {
    const header = hunkHeader.exec(line);
    if (header !== null) {
      hunks.push({ oldStart: header[1] === undefined ? undefined : Number(header[1]), lines: [] });
      continue;
    }
    if (noise.test(line)) continue;
    if (hunks.length === 0) hunks.push({ oldStart: undefined, lines: [] });
    hunks.at(-1)?.lines.push(lineOf(line));
  }
  return hunks
    .map((hunk) => ({ ...hunk, lines: withoutBlankEnd(hunk.lines) }))
    .filter((hunk) => hunk.lines.some(({ kind }) => kind !== 'same'));
}

/** A line without a mark is one whose leading space was lost. */
function lineOf(line: string): HunkLine {
  const text = line.slice(1);
  if (line.startsWith('+')) return { kind: 'added', text };
  if (line.startsWith('-')) return { kind: 'removed', text };
  return { kind: 'same', text: line.startsWith(' ') ? text : line };
}

/** The line breaks after a hunk are the message's, not the file's. */
function withoutBlankEnd(lines: readonly HunkLine[]): readonly HunkLine[] {
  const end = lines.findLastIndex(({ kind, text }) => kind !== 'same' || text !== '');
  return lines.slice(0, end + 1);
}
