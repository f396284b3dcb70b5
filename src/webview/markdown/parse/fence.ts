/** The opening line of a fenced code block. */
export interface Fence {
  /** Spaces before the fence. Up to this many are removed from each line of code. */
  readonly indent: number;
  readonly marker: string;
}

const OPENING_FENCE = /^( {0,3})(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n/;

/** Returns the fence that opens `raw`, if its first line is complete. */
export function readFence(raw: string): Fence | undefined {
  const match = OPENING_FENCE.exec(raw);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { indent: match[1].length, marker: match[2] };
}

export function fenceBody(raw: string): string {
  return raw.slice(raw.indexOf('\n') + 1);
}

/** Returns whether a fenced block ends with its closing line. */
export function isClosed(raw: string, fence: Fence): boolean {
  const lines = raw.trimEnd().split('\n');
  return lines.length > 1 && isClosingFence(lines.at(-1) ?? '', fence);
}

export function isClosingFence(line: string, { marker }: Fence): boolean {
  const run = line.trim();
  if (run.length < marker.length || !/^ {0,3}[`~]/.test(line)) return false;
  return run === marker.charAt(0).repeat(run.length);
}

/** Returns whether an unfinished line may become the closing line. */
export function mayClose(line: string, { marker }: Fence): boolean {
  const match = /^ {0,3}([`~]*) *$/.exec(line);
  if (match?.[1] === undefined) return false;
  return match[1] === marker.charAt(0).repeat(match[1].length);
}

/** Code that grows inside an open fence. The cost of a step does not depend on the length of the block. */
export class OpenFence {
  readonly fence: Fence;
  readonly #indentation: RegExp;
  #line = '';
  /** Characters of the unfinished line that were returned. */
  #given = 0;

  /** @param body the code so far, without a closing line */
  constructor(fence: Fence, body: string) {
    this.fence = fence;
    this.#indentation = new RegExp(`(^|\\n) {0,${fence.indent}}`, 'g');
    this.#line = body.slice(body.lastIndexOf('\n') + 1);
    this.#given = this.#shown(this.#line);
  }

  /** @returns the code to add, or undefined if the fence has closed */
  grow(text: string): string | undefined {
    let code = '';
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#line += text.slice(from, end);
      if (isClosingFence(this.#line, this.fence)) return undefined;
      code += this.#dedent(this.#line).slice(this.#given) + '\n';
      this.#line = '';
      this.#given = 0;
      from = end + 1;
    }
    this.#line += text.slice(from);
    const shown = this.#shown(this.#line);
    code += this.#dedent(this.#line).slice(this.#given, shown);
    this.#given = shown;
    return code;
  }

  /** Returns the visible code of an unclosed body. */
  visible(body: string): string {
    const done = this.#dedent(body.slice(0, body.lastIndexOf('\n') + 1));
    return done + this.#dedent(this.#line).slice(0, this.#given);
  }

  #shown(line: string): number {
    return mayClose(line, this.fence) ? 0 : this.#dedent(line).length;
  }

  #dedent(code: string): string {
    return this.fence.indent === 0 ? code : code.replace(this.#indentation, '$1');
  }
}

/** A block of plain text that grows until a blank line. White space at its end is not shown. */
export class OpenPlain {
  /** The start of the last line of the initial text. A blank line can only come after it. */
  readonly from: number;
  /** The initial text that is visible. */
  readonly body: string;
  /** White space at the end that is not shown. */
  #held = '';
  /** True if the last line is blank so far. */
  #isBlank: boolean;

  constructor(body: string) {
    const feed = body.lastIndexOf('\n');
    this.from = Math.max(0, feed);
    this.#isBlank = feed >= 0 && isBlank(body.slice(feed + 1));
    this.body = this.#shown(body);
  }

  /** @returns the text to add, or undefined if the block has ended */
  grow(text: string): string | undefined {
    for (const [index, line] of text.split('\n').entries()) {
      if (index > 0 && this.#isBlank) return undefined;
      this.#isBlank = (index > 0 || this.#isBlank) && isBlank(line);
    }
    return this.#shown(text);
  }

  #shown(text: string): string {
    const shown = text.trimEnd();
    const blanks = text.slice(shown.length);
    if (shown === '') {
      this.#held += blanks;
      return '';
    }
    const added = this.#held + shown;
    this.#held = blanks;
    return added;
  }
}

function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line);
}
