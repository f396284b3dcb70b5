/** Parses unified diffs. Line numbers are only hints, because interns often write wrong ones or none. */

interface HunkLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

export interface Hunk {
  /** The first line in the old file, from 1; undefined if the diff has no line numbers. */
  readonly oldStart: number | undefined;
  readonly lines: readonly HunkLine[];
}

export interface FileDiff {
  /** Absent for a new file, and if the diff has no header. */
  readonly oldPath?: string | undefined;
  /** Absent for a deleted file, and if the diff has no header. */
  readonly newPath?: string | undefined;
  readonly hunks: readonly Hunk[];
}

/** Parses a diff. Leaves out binary files and changes of a file's mode. */
export function parseUnifiedDiff(diff: string): readonly FileDiff[] {
  const lines = diff.split(/\r?\n/u);
  const starts = lines.flatMap((_, index) => (isFileHeader(lines, index) ? [index] : []));
  const [firstStart = lines.length] = starts;
  const unnamed = { hunks: parseHunks(lines.slice(0, firstStart)) };
  const named = starts.map((start, index) => ({
    ...pathsOf(lines[start] ?? '', lines[start + 1] ?? ''),
    hunks: parseHunks(lines.slice(start + 2, starts[index + 1])),
  }));
  const bare = lines.flatMap((_, index) => bareFile(lines, index) ?? []);
  return [...[unnamed, ...named].filter(({ hunks }) => hunks.length > 0), ...bare];
}

export function sideOf({ lines }: Hunk, side: 'old' | 'new'): readonly string[] {
  const other = side === 'old' ? 'added' : 'removed';
  return lines.filter(({ kind }) => kind !== other).map(({ text }) => text);
}

/** Maximum number of lines of a Git header before the hunks. */
const MAX_GIT_HEADER_LINES = 10;
const HUNK_HEADER = /^@@+(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@+)?/u;
/** Lines between files, and the mark of a missing last line break. */
const IGNORED_LINE =
  /^(diff --git |diff -|index [\da-f]|Index: |={10}|similarity |rename |old mode |new mode |new file mode |deleted file mode |Binary files |\\ )/u;

/** Returns whether `---`, `+++` and a hunk start here. Without a hunk they are removed and added lines. */
function isFileHeader(lines: readonly string[], index: number): boolean {
  return (
    (lines[index] ?? '').startsWith('--- ') &&
    (lines[index + 1] ?? '').startsWith('+++ ') &&
    HUNK_HEADER.test(lines[index + 2] ?? '')
  );
}

/** Parses a Git header without hunks: a rename without changes, or an empty file that is added or deleted. */
function bareFile(lines: readonly string[], index: number): FileDiff | undefined {
  const first = lines[index] ?? '';
  if (!first.startsWith('diff --git ')) return undefined;
  const rest = lines.slice(index + 1, index + 1 + MAX_GIT_HEADER_LINES);
  const end = rest.findIndex((line) => line.startsWith('diff --git ') || !IGNORED_LINE.test(line));
  const header = end === -1 ? rest : rest.slice(0, end);
  if (/^(--- |GIT binary)/u.test(rest[header.length] ?? '')) return undefined;
  const find = (wanted: RegExp) => header.map((line) => wanted.exec(line)?.[1]).find(Boolean);
  const [from, to] = [find(/^rename from (.*)$/u), find(/^rename to (.*)$/u)];
  if (from !== undefined && to !== undefined)
    return { oldPath: unquoted(from), newPath: unquoted(to), hunks: [] };
  const path = /^diff --git a\/(.{1,1000}) b\/\1$/u.exec(first)?.[1];
  // e69de29 is the hash of an empty file. Other files without hunks are binary.
  const change = find(/^(new|deleted) file mode /u);
  if (path === undefined || change === undefined || find(/^index (.*e69de29)/u) === undefined)
    return undefined;
  return change === 'new' ? { newPath: path, hunks: [] } : { oldPath: path, hunks: [] };
}

function pathsOf(oldLine: string, newLine: string): Pick<FileDiff, 'oldPath' | 'newPath'> {
  const [oldPath, newPath] = [pathOf(oldLine), pathOf(newLine)];
  // Git's prefixes come in pairs. A single `a/` is a folder.
  const isPrefixed = oldPath?.startsWith('a/') !== false && newPath?.startsWith('b/') !== false;
  const start = isPrefixed ? 2 : 0;
  return { oldPath: oldPath?.slice(start), newPath: newPath?.slice(start) };
}

/** Returns the path of a header line. Git quotes unusual paths; other tools add a tab and a date. */
function pathOf(line: string): string | undefined {
  const path = unquoted(line.slice(4));
  return path === '/dev/null' || path === '' ? undefined : path;
}

function unquoted(written: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/u.exec(written)?.[1];
  return quoted === undefined ? (written.split('\t')[0] ?? '').trimEnd() : unescapePath(quoted);
}

/** Decodes Git's escapes: bytes in octal, and a few of C's. */
function unescapePath(quoted: string): string {
  const bytes = [...quoted.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gu)].flatMap(
    ([, octal, escaped, plain]) => {
      if (octal !== undefined) return [Number.parseInt(octal, 8)];
      return [...new TextEncoder().encode(plain ?? ESCAPES[escaped ?? ''] ?? escaped ?? '')];
    },
  );
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function parseHunks(lines: readonly string[]): readonly Hunk[] {
  const hunks: { oldStart: number | undefined; lines: HunkLine[] }[] = [];
  for (const line of lines) {
    const header = HUNK_HEADER.exec(line);
    if (header !== null) {
      hunks.push({ oldStart: header[1] === undefined ? undefined : Number(header[1]), lines: [] });
      continue;
    }
    if (IGNORED_LINE.test(line)) continue;
    if (hunks.length === 0) hunks.push({ oldStart: undefined, lines: [] });
    hunks.at(-1)?.lines.push(lineOf(line));
  }
  return hunks
    .map((hunk) => ({ ...hunk, lines: withoutBlankEnd(hunk.lines) }))
    .filter((hunk) => hunk.lines.some(({ kind }) => kind !== 'same'));
}

/** Parses a line of a hunk. A line without a mark has lost its leading space. */
function lineOf(line: string): HunkLine {
  const text = line.slice(1);
  if (line.startsWith('+')) return { kind: 'added', text };
  if (line.startsWith('-')) return { kind: 'removed', text };
  return { kind: 'same', text: line.startsWith(' ') ? text : line };
}

/** Drops blank lines at the end, which belong to the message. */
function withoutBlankEnd(lines: readonly HunkLine[]): readonly HunkLine[] {
  const end = lines.findLastIndex(({ kind, text }) => kind !== 'same' || text !== '');
  return lines.slice(0, end + 1);
}
