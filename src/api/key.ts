import { err, ok, type Result } from '../base/result.ts';

/** What is wrong with a key as pasted. Never the key itself. */
export type KeyProblem =
  | 'empty'
  /** A space or a line break in the middle: more than the key was pasted. */
  | 'white-space'
  /** A character that no HTTP header can carry. */
  | 'character';

/** What pasting leaves around a key and no eye can see: zero-width characters and byte order marks. */
const INVISIBLE = /[\u200b-\u200d\u2060\ufeff]/gu;

/** Takes a key out of what people paste with it: white space, quotes, `Authorization:`, `Bearer`. */
export function cleanKey(pasted: string): Result<string, KeyProblem> {
  let key = unquote(pasted.replace(INVISIBLE, '').trim());
  key = unquote(key.replace(/^authorization\s*:\s*/i, '').replace(/^bearer(\s+|$)/i, ''));
  if (key === '') return err('empty');
  if (/\s/u.test(key)) return err('white-space');
  if (!/^[\x21-\x7e]+$/.test(key)) return err('character');
  return ok(key);
}

function unquote(text: string): string {
  const quoted = /^(["'`])(.*)\1$/u.exec(text);
  return (quoted?.[2] ?? text).trim();
}
