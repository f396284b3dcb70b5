import type { Token } from 'marked';
import { fenceBody, isClosed, OpenFence, readFence } from './fence.ts';
import { lex, noDefinitions, type Definitions } from './lexer.ts';
import { mend } from '../mend/mend.ts';
import type { SlowBlocks } from './slowBlocks.ts';

/** A block of the document. */
export interface Block {
  readonly token: Token;
  /** For an open code block: the code that may be shown. Undefined for every other block. */
  readonly openCode?: string;
}

/** What a step changed. */
export type Advance =
  | {
      readonly kind: 'blocks';
      /** Blocks that no later text can change, except by defining a link that they refer to. */
      readonly settled: readonly Block[];
      /** Blocks after those, in place of the tail of the step before. */
      readonly tail: readonly Block[];
      /** Normalised labels of links that settled text has newly defined. */
      readonly defined: readonly string[];
    }
  /** The last block of the tail is an open code block and grew by this. */
  | { readonly kind: 'code'; readonly text: string };

/**
 * Parses a document that grows at its end. Blocks that nothing can change any more are settled and never looked at
 * again; only what comes after them is lexed at each step.
 */
export class BlockStream {
  readonly #slow: SlowBlocks;
  #definitions: Definitions = noDefinitions();
  /** The text after the settled blocks. */
  #pending = '';
  /** Text that came since the last step. */
  #fresh = '';
  #heldReturn = false;
  #fence: OpenFence | undefined;

  constructor(slow: SlowBlocks) {
    this.#slow = slow;
  }

  get definitions(): Definitions {
    return this.#definitions;
  }

  /** Characters that a step would look at again. */
  get pendingLength(): number {
    return this.#pending.length + this.#fresh.length;
  }

  append(text: string): void {
    const joined = this.#heldReturn ? `\r${text}` : text;
    this.#heldReturn = joined.endsWith('\r');
    const ready = this.#heldReturn ? joined.slice(0, -1) : joined;
    this.#fresh += ready.includes('\r') ? ready.replace(/\r\n?/g, '\n') : ready;
  }

  /** Parses what came since the last step, and mends its end. */
  advance(): Advance {
    const fresh = this.#take();
    if (this.#fence !== undefined) {
      const text = this.#fence.grow(fresh);
      if (text !== undefined) return { kind: 'code', text };
      this.#fence = undefined;
    }
    const mended = mend(this.#pending);
    return this.#lex(mended.text, Math.min(mended.original, this.#pending.length));
  }

  /** Parses all to the end, as a document that is complete. */
  finish(): Advance {
    if (this.#heldReturn) this.#fresh += '\n';
    this.#heldReturn = false;
    this.#take();
    this.#fence = undefined;
    const { tokens, definitions } = lex(this.#pending, this.#definitions, this.#slow);
    this.#pending = '';
    const defined = this.#define(definitions);
    return { kind: 'blocks', settled: tokens.map((token) => ({ token })), tail: [], defined };
  }

  #take(): string {
    const fresh = this.#fresh;
    this.#fresh = '';
    this.#pending += fresh;
    return fresh;
  }

  #lex(text: string, original: number): Advance {
    const { tokens } = lex(text, this.#definitions, this.#slow);
    const { count, length } = settledPrefix(tokens, text, original);
    const settled = tokens.slice(0, count).map((token) => ({ token }));
    let defined: readonly string[] = [];
    if (length > 0) {
      const source = this.#pending.slice(0, length);
      this.#pending = this.#pending.slice(length);
      if (tokens.slice(0, count).some(mayDefine))
        defined = this.#define(lex(source, this.#definitions).definitions);
    }
    return { kind: 'blocks', settled, tail: this.#tail(tokens.slice(count)), defined };
  }

  /** The tail's blocks; where the last of them is an open code block, the way for growing code is taken from now on. */
  #tail(tokens: readonly Token[]): Block[] {
    const blocks: Block[] = tokens.map((token) => ({ token }));
    const [token] = tokens;
    if (tokens.length !== 1 || token?.type !== 'code') return blocks;
    const fence = readFence(token.raw);
    if (fence === undefined || isClosed(token.raw, fence)) return blocks;
    const body = fenceBody(this.#pending);
    this.#fence = new OpenFence(fence, body);
    return [{ token, openCode: this.#fence.visible(body) }];
  }

  #define(definitions: Definitions): string[] {
    const known = this.#definitions;
    const defined = Object.keys(definitions).filter((label) => !(label in known));
    this.#definitions = Object.assign(noDefinitions(), definitions);
    return defined;
  }
}

/** A definition may also stand inside a quote or a list. */
function mayDefine(token: Token): boolean {
  return token.raw.includes(']:');
}

/**
 * How many tokens, from the first, no later text can change, and their length in characters.
 *
 * A token starts at a safe place where all of its first line is there and either a blank line precedes it, or the
 * token before is complete in itself, or the token is of a kind that ends whatever came before.
 */
function settledPrefix(
  tokens: readonly Token[],
  text: string,
  original: number,
): { count: number; length: number } {
  let settled = { count: 0, length: 0 };
  let start = 0;
  tokens.forEach((token, index) => {
    const lineEnd = text.indexOf('\n', start);
    const firstLineIsThere = lineEnd >= 0 && lineEnd < original;
    if (index > 0 && firstLineIsThere && isBoundary(tokens[index - 1], token, text, start))
      settled = { count: index, length: start };
    start += token.raw.length;
  });
  return settled;
}

function isBoundary(
  previous: Token | undefined,
  token: Token,
  text: string,
  start: number,
): boolean {
  if (token.type === 'space') return false;
  if (/\n[ \t]*\n$/.test(text.slice(Math.max(0, start - 64), start))) return true;
  return endsItself(previous) || interrupts(token);
}

function endsItself(token: Token | undefined): boolean {
  if (token === undefined) return false;
  if (token.type === 'hr') return true;
  if (token.type === 'heading') return /^ {0,3}#/.test(token.raw);
  const fence = token.type === 'code' ? readFence(token.raw) : undefined;
  return fence !== undefined && isClosed(token.raw, fence);
}

function interrupts(token: Token): boolean {
  if (token.type === 'heading') return /^ {0,3}#/.test(token.raw);
  return token.type === 'code' && readFence(token.raw) !== undefined;
}
