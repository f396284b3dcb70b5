/**
 * The API's limits (interface: Limits, and the rules of each body), checked before a request is sent.
 *
 * The API does not define "characters". Here they are Unicode code points; {@link measureText} also finds texts
 * that a service refuses if it counts UTF-16 code units.
 */

import { MAX_PROMPT_CHARACTERS } from '../base/limits.ts';

/** Maximum number of bytes of a request body, in UTF-8. */
export const MAX_BODY_BYTES = 1_048_576;
export { MAX_PROMPT_CHARACTERS };
/** Maximum number of tool calls of one response. An intern asks one question at a time; hundreds are an attack. */
export const MAX_TOOL_CALLS = 16;
/** Maximum number of options and fields of a question. Dialogs with hundreds of thousands of rows freeze the editor. */
export const MAX_QUESTION_ROWS = 10_000;
/**
 * Maximum number of UTF-16 code units of one reply, reasoning and questions included, so that an endless stream does
 * not fill memory and disk. The page shows a third of it without delay.
 */
export const MAX_REPLY_CHARACTERS = 16 * 1_048_576;
export const MAX_DESCRIPTION_CHARACTERS = 2_000;
export const MAX_INSTRUCTIONS_CHARACTERS = 100_000;
export const MAX_SECRET_VALUE_CHARACTERS = 65_536;
/** How long a stream may be idle before the service sends a comment, in ms (interface: Events). */
export const KEEPALIVE_INTERVAL_MS = 30_000;

/** A problem with the length of a text, in characters. */
export type LengthProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-short'; readonly length: number; readonly min: number }
  | { readonly kind: 'too-long'; readonly length: number; readonly max: number };

export interface TextMeasure {
  readonly characters: number;
  readonly max: number;
  /** `tight`: within the limit in code points, above it in UTF-16 code units, so the service may refuse it. */
  readonly fit: 'fits' | 'tight' | 'too-long';
}

/** Returns the number of Unicode code points; a lone surrogate counts as one. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

export function measureText(text: string, max: number): TextMeasure {
  const characters = countCharacters(text);
  const fit = characters > max ? 'too-long' : text.length > max ? 'tight' : 'fits';
  return { characters, max, fit };
}

const checkPromptLength = lengthCheck(0, MAX_PROMPT_CHARACTERS);

export function checkPrompt(text: string): LengthProblem | null {
  return text.trim() === '' ? { kind: 'empty' } : checkPromptLength(text);
}

export const checkDescription = lengthCheck(0, MAX_DESCRIPTION_CHARACTERS);
export const checkInstructions = lengthCheck(0, MAX_INSTRUCTIONS_CHARACTERS);
export const checkSecretValue = lengthCheck(1, MAX_SECRET_VALUE_CHARACTERS);
export const checkSessionId = lengthCheck(1, 256);
/** Checks the ID of a tool call, which an answer repeats. */
export const checkToolCallId = lengthCheck(1, 128);

/** A problem with the ID of an intern, which must fit one path segment. */
export type InternIdProblem =
  | { readonly kind: 'empty' }
  /** A space or a control character, perhaps pasted with the ID. */
  | { readonly kind: 'white-space' }
  /** `.` or `..`, which name another path, or half of a surrogate pair, which has no UTF-8. */
  | { readonly kind: 'not-a-path-segment' };

export function checkInternId(id: string): InternIdProblem | null {
  if (id === '') return { kind: 'empty' };
  if (/[\s\p{Cc}]/u.test(id)) return { kind: 'white-space' };
  if (id === '.' || id === '..' || /\p{Cs}/u.test(id)) return { kind: 'not-a-path-segment' };
  return null;
}

/** Returns the size of a body that the service refuses with 413; null if it is within the limit. */
export function checkBody(body: string): { readonly bytes: number; readonly max: number } | null {
  if (body.length * 3 <= MAX_BODY_BYTES) return null;
  const bytes = new TextEncoder().encode(body).length;
  return bytes > MAX_BODY_BYTES ? { bytes, max: MAX_BODY_BYTES } : null;
}

/** Returns a check for texts of `min` to `max` Unicode code points. */
export function lengthCheck(min: number, max: number): (text: string) => LengthProblem | null {
  return (text) => {
    if (text === '' && min > 0) return { kind: 'empty' };
    const length = countCharacters(text);
    if (length < min) return { kind: 'too-short', length, min };
    return length > max ? { kind: 'too-long', length, max } : null;
  };
}
