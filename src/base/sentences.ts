import { startOfCharacter } from './characters.ts';
import { collapseWhitespace, lineToText } from './markdownText.ts';

/** Maximum number of characters that are kept while no sentence ends. */
const MAX_PENDING_CHARACTERS = 1000;
const SENTENCE_END = /[.!?…]["')\]*_]{0,4}(?=\s)|[。！？]|\n/g;
/** Start of a line that opens a code block, also in quotes and lists. */
const FENCE = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]){0,20}(`{3,}|~{3,})/;
const CLOSING_FENCE = /^[ \t>]{0,20}(`{3,}|~{3,})\s{0,20}$/;
const POSSIBLE_FENCE = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]){0,20}(?:[`~]|$)/;
/** A horizontal rule, or the line below a table's head. */
const HORIZONTAL_RULE = /^[\s|:*_=-]+$/;

interface CodeReading {
  /** Returns the text that is read for inline code. */
  readonly inLine: (code: string) => string;
  /** The text that is read for a code block; empty for none. */
  readonly block: string;
}

/** Splits the Markdown of a growing reply into sentences to be read aloud. */
export class SentenceSplitter {
  readonly #code: CodeReading;
  #rest = '';
  /** Index up to which the rest was searched for the end of a sentence. */
  #searched = 0;
  #isLineStart = true;
  /** The marks that opened the current code block. */
  #fence: string | undefined;

  constructor(code: CodeReading) {
    this.#code = code;
  }

  /** Adds a piece and returns the sentences that it completed. */
  take(markdown: string): string[] {
    this.#rest += markdown;
    const read: string[] = [];
    for (let end = this.#nextEnd(); end > 0; end = this.#nextEnd()) read.push(...this.#cut(end));
    return read;
  }

  /** Adds the last piece, returns the rest of the text, and resets. */
  end(markdown = ''): string[] {
    const read = this.take(markdown);
    read.push(...this.#cut(this.#rest.length));
    this.#fence = undefined;
    this.#isLineStart = true;
    return read;
  }

  /** Returns the end of the next sentence or line of code; 0 if it is incomplete. */
  #nextEnd(): number {
    const near = this.#rest.slice(0, MAX_PENDING_CHARACTERS);
    const isWholeLine =
      this.#fence !== undefined || (this.#isLineStart && POSSIBLE_FENCE.test(near));
    const end = isWholeLine ? near.indexOf('\n', this.#searched) + 1 : this.#sentenceEnd(near);
    // The last characters are searched again, because white space may follow them.
    this.#searched = Math.max(0, this.#rest.length - 5);
    if (end > 0 || this.#rest.length < MAX_PENDING_CHARACTERS) return end;
    const space = this.#rest.lastIndexOf(' ', MAX_PENDING_CHARACTERS);
    return space === -1 ? startOfCharacter(this.#rest, MAX_PENDING_CHARACTERS) : space + 1;
  }

  #sentenceEnd(text: string): number {
    for (const match of text.slice(this.#searched).matchAll(SENTENCE_END)) {
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
      const closes = isLineStart && CLOSING_FENCE.exec(piece)?.[1]?.startsWith(this.#fence);
      if (closes === true) this.#fence = undefined;
      return [];
    }
    const marks = isLineStart ? FENCE.exec(piece)?.[1] : undefined;
    if (marks !== undefined) this.#fence = marks;
    const read = marks === undefined ? readable(piece, this.#code) : this.#code.block;
    return read === '' ? [] : [read];
  }
}

function isInCode(text: string): boolean {
  return (text.split('`').length - 1) % 2 === 1;
}

function readable(markdown: string, { inLine }: CodeReading): string {
  if (HORIZONTAL_RULE.test(markdown)) return '';
  return collapseWhitespace(lineToText(markdown, inLine, ', ')).replace(
    /^[, ]+|(?<![, ])[, ]+$/g,
    '',
  );
}
