/**
 * The interface's limits ("Limits" and the rules of each body), checked before anything is sent.
 *
 * The interface counts characters without saying which. Here a text is too long only where its Unicode code points
 * are: a service that counts UTF-16 code units refuses a little earlier, which {@link measureText} tells.
 */

import { MAX_PROMPT_CHARACTERS } from '../base/limits.ts';

/** Most bytes of a request body, in UTF-8. */
export const MAX_BODY_BYTES = 1_048_576;
export { MAX_PROMPT_CHARACTERS };
/** Most tool calls that are taken of one response. An intern asks one question at a time; hundreds are an attack. */
export const MAX_TOOL_CALLS = 16;
/**
 * Most characters (UTF-16 units) of one reply, reasoning and questions included: three times of what the page promises
 * to show with ease, and far more than anybody reads. A stream that never ends must not fill memory and disk.
 */
export const MAX_REPLY_CHARACTERS = 16 * 1_048_576;
export const MAX_SESSION_ID_CHARACTERS = 256;
export const MAX_TOOL_CALL_ID_CHARACTERS = 128;
export const MAX_DESCRIPTION_CHARACTERS = 2_000;
export const MAX_INSTRUCTIONS_CHARACTERS = 100_000;
export const MAX_SECRET_VALUE_CHARACTERS = 65_536;
/** A stream in which nothing else happens carries a comment this often. */
export const KEEPALIVE_INTERVAL_MS = 30_000;

/** What is wrong with the length of a text. Lengths are in characters. */
export type LengthProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-short'; readonly length: number; readonly min: number }
  | { readonly kind: 'too-long'; readonly length: number; readonly max: number };

/** How a text stands to its limit. */
export interface TextMeasure {
  /** Unicode code points. */
  readonly characters: number;
  readonly max: number;
  /** `tight`: within the limit in characters, above it in UTF-16 code units; the service may refuse it. */
  readonly fit: 'fits' | 'tight' | 'too-long';
}

/** Number of Unicode code points; a lone surrogate counts as one. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    if (isHighSurrogate(text.charCodeAt(i)) && isLowSurrogate(text.charCodeAt(i + 1))) {
      count--;
      i++;
    }
  }
  return count;
}

/** Compares a text with a limit in characters. */
export function measureText(text: string, max: number): TextMeasure {
  const characters = countCharacters(text);
  const fit = characters > max ? 'too-long' : text.length > max ? 'tight' : 'fits';
  return { characters, max, fit };
}

/** The prompt of a run: 1 to 32,000 characters that are not all white space. */
export function checkPrompt(text: string): LengthProblem | null {
  return text.trim() === '' ? { kind: 'empty' } : checkMax(text, MAX_PROMPT_CHARACTERS);
}

/** The description of an intern: at most 2,000 characters. */
export function checkDescription(text: string): LengthProblem | null {
  return checkMax(text, MAX_DESCRIPTION_CHARACTERS);
}

/** The instructions of an intern: at most 100,000 characters. */
export function checkInstructions(text: string): LengthProblem | null {
  return checkMax(text, MAX_INSTRUCTIONS_CHARACTERS);
}

/** The value of a secret: 1 to 65,536 characters. */
export function checkSecretValue(value: string): LengthProblem | null {
  return checkRange(value, MAX_SECRET_VALUE_CHARACTERS);
}

/** The id of a session: 1 to 256 characters. */
export function checkSessionId(id: string): LengthProblem | null {
  return checkRange(id, MAX_SESSION_ID_CHARACTERS);
}

/** The id of a tool call: 1 to 128 characters. */
export function checkToolCallId(id: string): LengthProblem | null {
  return checkRange(id, MAX_TOOL_CALL_ID_CHARACTERS);
}

/** What is wrong with the id of an intern, which the interface leaves open but which must fit one path segment. */
export type InternIdProblem =
  | { readonly kind: 'empty' }
  /** A space or a control character, as pasting leaves behind. */
  | { readonly kind: 'white-space' }
  /** `.` and `..` would name another path; half of a surrogate pair has no UTF-8. */
  | { readonly kind: 'not-a-path-segment' };

/** The id of an intern, as it goes into the path of the chat route. */
export function checkInternId(id: string): InternIdProblem | null {
  if (id === '') return { kind: 'empty' };
  if (/[\s\p{Cc}]/u.test(id)) return { kind: 'white-space' };
  if (id === '.' || id === '..' || /\p{Cs}/u.test(id)) return { kind: 'not-a-path-segment' };
  return null;
}

/** A body above 1,048,576 bytes of UTF-8 is refused by the service with 413; exactly that many pass. */
export function checkBody(body: string): { readonly bytes: number; readonly max: number } | null {
  if (body.length * 3 <= MAX_BODY_BYTES) return null;
  const bytes = new TextEncoder().encode(body).length;
  return bytes > MAX_BODY_BYTES ? { bytes, max: MAX_BODY_BYTES } : null;
}

function checkRange(text: string, max: number): LengthProblem | null {
  return text === '' ? { kind: 'empty' } : checkMax(text, max);
}

function checkMax(text: string, max: number): LengthProblem | null {
  if (text.length <= max) return null;
  const length = countCharacters(text);
  return length > max ? { kind: 'too-long', length, max } : null;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
