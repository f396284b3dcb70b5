/** The opening line of a fenced code block that stands at the left margin of the document. */
export interface Fence {
  /** Spaces before the fence; up to as many are taken off each line of the code. */
  readonly indent: number;
  readonly marker: string;
}

const opening = /^( {0,3})(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n/;

/** Reads the fence that opens `raw`; undefined where `raw` is not a fenced block with a complete first line. */
export function readFence(raw: string): Fence | undefined {
  const match = opening.exec(raw);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { indent: match[1].length, marker: match[2] };
}

/** The code of an open fenced block, without its first line. */
export function fenceBody(raw: string): string {
  return raw.slice(raw.indexOf('\n') + 1);
}

/** Whether a fenced block's source ends with the line that closes it. */
export function isClosed(raw: string, fence: Fence): boolean {
  const lines = raw.trimEnd().split('\n');
  return lines.length > 1 && closes(lines.at(-1) ?? '', fence);
}

/** Whether a whole line closes the fence. */
export function closes(line: string, { marker }: Fence): boolean {
  const run = line.trim();
  if (run.length < marker.length || !/^ {0,3}[`~]/.test(line)) return false;
  return run === marker.charAt(0).repeat(run.length);
}

/** Whether an unfinished line may yet become the one that closes the fence, and so is better not shown. */
export function mayClose(line: string, { marker }: Fence): boolean {
  const match = /^ {0,3}([`~]*) *$/.exec(line);
  if (match?.[1] === undefined) return false;
  return match[1] === marker.charAt(0).repeat(match[1].length);
}

/**
 * Code that grows inside an open fence: hands on what is certain to be code, and notices the line that closes it.
 * This is the way of most of what an intern writes, and costs the same however long the block is.
 */
export class OpenFence {
  readonly fence: Fence;
  readonly #indentation: RegExp;
  #line = '';
  /** How much of the unfinished line was handed on. */
  #given = 0;

  /** @param body the code so far, which holds no closing line */
  constructor(fence: Fence, body: string) {
    this.fence = fence;
    this.#indentation = new RegExp(`^ {0,${fence.indent}}`);
    this.#line = body.slice(body.lastIndexOf('\n') + 1);
    this.#given = this.#shown(this.#line);
  }

  /** @returns the code to add, or undefined where the fence may have closed: lex it all then */
  grow(text: string): string | undefined {
    let code = '';
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#line += text.slice(from, end);
      if (closes(this.#line, this.fence)) return undefined;
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

  /** The code of an unclosed body that may be shown now. */
  visible(body: string): string {
    const at = body.lastIndexOf('\n') + 1;
    const done = this.fence.indent === 0 ? body.slice(0, at) : this.#dedentAll(body.slice(0, at));
    return done + this.#dedent(this.#line).slice(0, this.#given);
  }

  #shown(line: string): number {
    return mayClose(line, this.fence) ? 0 : this.#dedent(line).length;
  }

  #dedent(line: string): string {
    return this.fence.indent === 0 ? line : line.replace(this.#indentation, '');
  }

  #dedentAll(text: string): string {
    return text
      .split('\n')
      .map((line) => this.#dedent(line))
      .join('\n');
  }
}

/** A block of plain text that grows until a line of it is blank. The blanks at its end are not shown. */
export class OpenPlain {
  /** The start of the last line of the text that the block began with. A blank line can only come after it. */
  readonly from: number;
  readonly #body: string;
  /** White space at the end that was not handed on. */
  #held = '';
  /** Tells whether nothing but blanks has come since the last line feed. */
  #isBlank: boolean;

  /** @param body the text so far, which is in the block whatever it holds */
  constructor(body: string) {
    const feed = body.lastIndexOf('\n');
    this.from = Math.max(0, feed);
    this.#isBlank = feed >= 0 && isBlank(body.slice(feed + 1));
    this.#body = this.#shown(body);
  }

  /** The text that may be shown at first. */
  get body(): string {
    return this.#body;
  }

  /** @returns the text to add, or undefined where the block has ended */
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
