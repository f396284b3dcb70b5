import { err, ok, type Result } from '../base/result.ts';

/** A problem with a pasted key, without the key itself. */
export type KeyProblem =
  | 'empty'
  /** A space or a line break in the middle. */
  | 'white-space'
  /** A character that an HTTP header cannot carry. */
  | 'character';

/** Zero-width characters and byte order marks. */
const INVISIBLE = /[\u200b-\u200d\u2060\ufeff]/gu;

/** Removes what people paste with a key: white space, quotes, `Authorization:`, `Bearer`. */
export function parseKey(pasted: string): Result<string, KeyProblem> {
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
