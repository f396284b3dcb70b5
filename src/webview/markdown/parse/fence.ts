/** The opening line of a fenced code block. */
export interface Fence {
  /** Spaces before the fence. Up to this many are removed from each line of code. */
  readonly indent: number;
  readonly marker: string;
}

const OPENING_FENCE = /^( {0,3})(`{3,}(?=[^`\n]*\n)|~{3,}(?!~))[^\n]*\n/;
const BLANK_LINE = /\n[ \t]*\n/;

/** Returns the fence that opens `raw`, if its first line is complete. */
export function readFence(raw: string): Fence | undefined {
  const [, indent, marker] = OPENING_FENCE.exec(raw) ?? [];
  if (indent === undefined || marker === undefined) return undefined;
  return { indent: indent.length, marker };
}

/** Returns whether a fenced block ends with its closing line. */
export function isClosed(raw: string, fence: Fence): boolean {
  const lines = raw.trimEnd().split('\n');
  return lines.length > 1 && isClosingFence(lines.at(-1) ?? '', fence);
}

export function isClosingFence(line: string, fence: Fence): boolean {
  return mayClose(line, fence) && line.trim().length >= fence.marker.length;
}

/** Returns whether an unfinished line may become the closing line. */
export function mayClose(line: string, { marker }: Fence): boolean {
  const [, run] = /^ {0,3}([`~]*)[ \t]*$/.exec(line) ?? [];
  return run !== undefined && run === marker.charAt(0).repeat(run.length);
}

/**
 * Takes more text of an open block, in time that does not depend on its length. Returns the visible text to add, or
 * undefined if the block has ended.
 */
export type Grow = (text: string) => string | undefined;

/** Returns the growth of the code after an open fence. A line feed at its end waits: it may precede the closing fence. */
export function growCode(fence: Fence): Grow {
  const indentation = new RegExp(`^ {0,${fence.indent}}`);
  /** The last line, while it may still become the closing one. */
  let held = '';
  /** True if the start of the last line was returned: the line can't close the fence any more. */
  let hasBegun = false;
  /** The line feed that waits for more code. */
  let feed = '';
  return (text) => {
    const lines = (held + text).split('\n');
    const begun = hasBegun ? lines.splice(0, 1) : [];
    const last = lines.pop();
    if (lines.some((line) => isClosingFence(line, fence))) return undefined;
    hasBegun = last === undefined || !mayClose(last, fence);
    held = hasBegun ? '' : (last ?? '');
    if (last !== undefined) lines.push(hasBegun ? last : '');
    const code = [...begun, ...lines.map((line) => line.replace(indentation, ''))].join('\n');
    const grown = feed + code;
    feed = grown.endsWith('\n') ? '\n' : '';
    return feed === '' ? grown : grown.slice(0, -1);
  };
}

/** Returns the growth of plain text, which ends at a blank line. White space at its end is not shown. */
export function growPlain(begun: string): Grow {
  let blanks = begun.slice(begun.trimEnd().length);
  return (text) => {
    const added = blanks + text;
    if (BLANK_LINE.test(added)) return undefined;
    const shown = added.trimEnd();
    blanks = added.slice(shown.length);
    return shown;
  };
}
