import { collapseWhitespace, textOfLine } from './markdownText.ts';

/** Characters of Markdown without an end of a sentence that are kept until they are read. */
const longestKept = 1000;
const sentenceEnd = /[.!?…:]["')\]*_]{0,4}(?=\s)|[。！？]|\n/g;
/** The beginning of a line that opens or closes a block of code, in quotes and lists as well. */
const fence = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]){0,20}(`{3,}|~{3,})/;
const closingFence = /^[ \t>]{0,20}(`{3,}|~{3,})\s{0,20}$/;
const mayBecomeFence = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]){0,20}(?:[`~]|$)/;
/** A line that only rules off, or separates a table's head from its rows. */
const rule = /^[\s|:*_=-]+$/;

/** How code is read. */
interface CodeReading {
  /** What code in a line is read as. */
  readonly inLine: (code: string) => string;
  /** What stands for a block of code; empty for nothing. */
  readonly block: string;
}

/** Cuts the Markdown of a growing reply into sentences as they are read: without marks, and without blocks of code. */
export class Sentences {
  readonly #code: CodeReading;
  #rest = '';
  /** How far the rest was searched for the end of a sentence. */
  #searched = 0;
  #isLineStart = true;
  /** The marks that opened the block of code; undefined outside of one. */
  #fence: string | undefined;

  constructor(code: CodeReading) {
    this.#code = code;
  }

  /** Takes the next piece and gives the sentences that are complete. */
  take(markdown: string): string[] {
    this.#rest += markdown;
    const read: string[] = [];
    for (let end = this.#end(); end > 0; end = this.#end()) read.push(...this.#cut(end));
    return read;
  }

  /** The text has ended: gives what is left of it, and begins anew. */
  end(): string[] {
    const read = this.#cut(this.#rest.length);
    this.#fence = undefined;
    this.#isLineStart = true;
    return read;
  }

  /** Where the next sentence or line of code ends; 0 where it has not ended yet. */
  #end(): number {
    const near = this.#rest.slice(0, longestKept);
    const isWholeLine =
      this.#fence !== undefined || (this.#isLineStart && mayBecomeFence.test(near));
    const end = isWholeLine ? near.indexOf('\n', this.#searched) + 1 : this.#sentenceEnd(near);
    // The last character is looked at again: it is known only then whether space follows.
    this.#searched = Math.max(0, this.#rest.length - 5);
    if (end > 0 || this.#rest.length < longestKept) return end;
    return this.#rest.lastIndexOf(' ', longestKept) + 1 || longestKept;
  }

  #sentenceEnd(text: string): number {
    for (const match of text.slice(this.#searched).matchAll(sentenceEnd)) {
      const end = this.#searched + match.index + match[0].length;
      if (match[0] === '\n' || !isInCode(text.slice(0, end))) return end;
    }
    return 0;
  }

  #cut(end: number): string[] {
    const piece = this.#rest.slice(0, end);
    const isLineStart = this.#isLineStart;
    this.#rest = this.#rest.slice(end);
    this.#searched = 0;
    this.#isLineStart = piece.endsWith('\n');
    if (this.#fence !== undefined) {
      const closes = isLineStart && closingFence.exec(piece)?.[1]?.startsWith(this.#fence);
      if (closes === true) this.#fence = undefined;
      return [];
    }
    const marks = isLineStart ? fence.exec(piece)?.[1] : undefined;
    if (marks !== undefined) this.#fence = marks;
    const read = marks === undefined ? readable(piece, this.#code) : this.#code.block;
    return read === '' ? [] : [read];
  }
}

function isInCode(text: string): boolean {
  return (text.split('`').length - 1) % 2 === 1;
}

/** A sentence as it is read. */
function readable(markdown: string, { inLine }: CodeReading): string {
  if (rule.test(markdown)) return '';
  return collapseWhitespace(textOfLine(markdown, inLine, ', ')).replace(
    /^[, ]+|(?<![, ])[, ]+$/g,
    '',
  );
}
