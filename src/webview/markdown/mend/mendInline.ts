import { Brackets } from './brackets.ts';
import { mathAt } from '../parse/mathSource.ts';

/** A text that still grows, made fit to be shown. */
export interface Mended {
  readonly text: string;
  /** How much of `text`, from its start, is the original. */
  readonly original: number;
}

/** How far back, in characters, something unfinished is held; beyond it is shown as it stands. */
const patience = { label: 300, destination: 2000, tag: 300, emphasis: 600 } as const;

interface Opener {
  readonly at: number;
  readonly mark: string;
  length: number;
}

/** Marks of emphasis that are open, outermost first. Each is pushed and popped once, however many closers are tried. */
class Openers {
  readonly #stack: Opener[] = [];
  /** How many are open of each mark. */
  readonly #counts = new Map<string, number>();

  get all(): readonly Opener[] {
    return this.#stack;
  }

  push(opener: Opener): void {
    this.#stack.push(opener);
    this.#count(opener, 1);
  }

  pop(): Opener | undefined {
    const opener = this.#stack.pop();
    if (opener !== undefined) this.#count(opener, -1);
    return opener;
  }

  /** Drops those inside the innermost one of a mark, and returns that; undefined, and nothing is dropped, where there is none. */
  closeTo(mark: string): Opener | undefined {
    if ((this.#counts.get(mark) ?? 0) === 0) return undefined;
    while (this.#stack.at(-1)?.mark !== mark) this.pop();
    return this.#stack.at(-1);
  }

  #count({ mark }: Opener, step: 1 | -1): void {
    this.#counts.set(mark, (this.#counts.get(mark) ?? 0) + step);
  }
}

/** What is scanned, and what is known of it. */
interface Scan {
  readonly text: string;
  readonly start: number;
  readonly openers: Openers;
  readonly brackets: Brackets;
}

/** What the scan has found where it stopped. */
type Step =
  | { readonly kind: 'go'; readonly to: number }
  /** Show nothing from here on. */
  | { readonly kind: 'hold'; readonly from: number }
  /** Inside a code span that this would close; show nothing of it from `end` on. */
  | { readonly kind: 'code'; readonly closer: string; readonly end: number };

/**
 * Mends inline markup at the end of a growing text.
 *
 * @param start where the run of inline text begins that reaches to the end
 */
export function mendInline(text: string, start: number): Mended {
  const openers = new Openers();
  const scanned: Scan = { text, start, openers, brackets: new Brackets(text, start) };
  let end = text.length;
  let closer = '';
  for (let at = start; at < text.length;) {
    const step = scan(scanned, at);
    if (step.kind === 'go') {
      at = step.to;
      continue;
    }
    if (step.kind === 'code') ({ closer, end } = step);
    else end = step.from;
    break;
  }
  return close(text.slice(0, end), closer, openers, text.length - start);
}

/** Closes what is open, innermost first; an opener with nothing behind it is taken off instead. */
function close(text: string, code: string, openers: Openers, length: number): Mended {
  let body = text;
  if (code === '') {
    for (let last = openers.pop(); last !== undefined; last = openers.pop()) {
      const bare = body.trimEnd();
      if (last.at + last.length < bare.length) {
        openers.push(last);
        break;
      }
      body = body.slice(0, last.at);
    }
  }
  const tooLong = length > patience.emphasis;
  const emphasis = tooLong ? [] : openers.all.map(({ mark, length: marks }) => mark.repeat(marks));
  const closers = code + emphasis.reverse().join('');
  if (closers === '') return { text: body, original: body.length };
  const closed = body.trimEnd();
  return { text: closed + closers, original: closed.length };
}

function scan(scanned: Scan, at: number): Step {
  const { text, openers } = scanned;
  const math = /[$\\]/.test(text.charAt(at)) ? mathAt(text.slice(at)) : undefined;
  if (math !== undefined) return { kind: 'go', to: at + math.raw.length };
  switch (text.charAt(at)) {
    case '\\':
      return at + 1 === text.length ? { kind: 'hold', from: at } : { kind: 'go', to: at + 2 };
    case '`':
      return scanCode(text, at);
    case '!':
      return at + 1 === text.length ? { kind: 'hold', from: at } : { kind: 'go', to: at + 1 };
    case '[':
      return scanLink(scanned, at);
    case '<':
      return scanTag(text, at);
    case '*':
    case '_':
    case '~':
      return scanEmphasis(text, at, openers);
    default:
      return { kind: 'go', to: at + 1 };
  }
}

function runLength(text: string, at: number): number {
  const mark = text.charAt(at);
  let end = at;
  while (text.charAt(end) === mark) end++;
  return end - at;
}

function scanCode(text: string, at: number): Step {
  const length = runLength(text, at);
  const after = at + length;
  for (let next = text.indexOf('`', after); next >= 0; next = text.indexOf('`', next)) {
    const other = runLength(text, next);
    if (other === length) return { kind: 'go', to: next + other };
    next += other;
  }
  if (text.slice(after).trim() === '') return { kind: 'hold', from: at };
  // Marks at the end may be the first of those that close it.
  const end = length > 1 ? endBeforeMarks(text) : text.length;
  return { kind: 'code', closer: '`'.repeat(length), end };
}

/** Where the code marks begin that end a text, blanks after them aside. */
function endBeforeMarks(text: string): number {
  let end = text.trimEnd().length;
  while (text.charAt(end - 1) === '`') end--;
  return end;
}

function scanLink({ text, start, brackets }: Scan, at: number): Step {
  const from = at > start && text.charAt(at - 1) === '!' ? at - 1 : at;
  const go: Step = { kind: 'go', to: at + 1 };
  const hold: Step = { kind: 'hold', from };
  const label = brackets.closing(at);
  if (label === undefined) return text.length - at > patience.label ? go : hold;
  const next = text.charAt(label + 1);
  if (next === '') return hold;
  if (next !== '(' && next !== '[') return go;
  const end = brackets.closing(label + 1);
  if (end !== undefined) return { kind: 'go', to: end + 1 };
  return text.length - label > patience.destination ? go : hold;
}

function scanTag(text: string, at: number): Step {
  const rest = text.slice(at, at + patience.tag);
  const complete = /^<[^<>]*>/.exec(rest);
  if (complete !== null) return { kind: 'go', to: at + complete[0].length };
  const unfinished = /^<(?:[a-zA-Z/!?][^<>]*)?$/.test(rest) && rest.length < patience.tag;
  return unfinished ? { kind: 'hold', from: at } : { kind: 'go', to: at + 1 };
}

function scanEmphasis(text: string, at: number, openers: Openers): Step {
  const mark = text.charAt(at);
  let length = runLength(text, at);
  const to = at + length;
  if (to === text.length) return { kind: 'hold', from: at };
  const before = text.charAt(at - 1);
  const after = text.charAt(to);
  const inWord = mark === '_' && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
  if (inWord || (mark === '~' && length > 2)) return { kind: 'go', to };
  if (/\S/.test(before)) length = closeOpeners(openers, mark, length);
  if (length > 0 && /\S/.test(after)) openers.push({ at: to - length, mark, length });
  return { kind: 'go', to };
}

/** Closes what a run of marks can close; returns how many marks are left of it. */
function closeOpeners(openers: Openers, mark: string, length: number): number {
  let left = length;
  while (left > 0) {
    const opener = openers.closeTo(mark);
    if (opener === undefined) break;
    const used = Math.min(left, opener.length);
    left -= used;
    opener.length -= used;
    if (opener.length === 0) openers.pop();
  }
  return left;
}
