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

/** A block of code or plain text that grows. The cost of a step does not depend on the length of the block. */
export interface OpenBlock {
  /** @returns the visible text to add, or undefined if the block has ended */
  grow(text: string): string | undefined;
}

/** The code after an open fence. */
export class OpenFence implements OpenBlock {
  readonly #fence: Fence;
  readonly #indentation: RegExp;
  /** The last line, while it may still become the closing one. */
  #held = '';
  /** True if the start of the last line was returned: the line can't close the fence any more. */
  #hasBegun = false;

  constructor(fence: Fence) {
    this.#fence = fence;
    this.#indentation = new RegExp(`^ {0,${fence.indent}}`);
  }

  grow(text: string): string | undefined {
    const lines = (this.#held + text).split('\n');
    const begun = this.#hasBegun ? lines.splice(0, 1) : [];
    const last = lines.pop();
    if (lines.some((line) => isClosingFence(line, this.#fence))) return undefined;
    this.#held = last !== undefined && mayClose(last, this.#fence) ? last : '';
    this.#hasBegun = last === undefined || !mayClose(last, this.#fence);
    if (last !== undefined) lines.push(this.#hasBegun ? last : '');
    return [...begun, ...lines.map((line) => line.replace(this.#indentation, ''))].join('\n');
  }
}

/** A block of plain text that ends at a blank line. White space at its end is not shown. */
export class OpenPlain implements OpenBlock {
  /** The start of the last line of the initial text. A blank line can only come after it. */
  readonly from: number;
  /** The white space at the end. */
  #blanks: string;

  constructor(text: string) {
    this.from = Math.max(0, text.lastIndexOf('\n'));
    this.#blanks = text.slice(text.trimEnd().length);
  }

  grow(text: string): string | undefined {
    const added = this.#blanks + text;
    if (BLANK_LINE.test(added)) return undefined;
    const shown = added.trimEnd();
    this.#blanks = added.slice(shown.length);
    return shown;
  }
}
