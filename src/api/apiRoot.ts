import { isLoopback } from '../base/links.ts';
import { err, ok, type Result } from '../base/result.ts';

declare const checked: unique symbol;

/** The address under which the routes lie, version prefix included, without a trailing slash. Made by {@link parseApiRoot}. */
export type ApiRoot = string & { readonly [checked]: true };

/** What is wrong with an API root as typed. */
export type ApiRootProblem =
  | 'empty'
  /** It does not start with `https://`. */
  | 'scheme'
  /** `http://` beyond this machine would show the key to the network. */
  | 'not-encrypted'
  | 'user-info'
  | 'query'
  | 'fragment'
  | 'not-a-url';

/** The prefix that the interface's own API root ends in ("Versioning"). */
const VERSION_PREFIX = '/api/v1';

/** Reads an API root as typed: HTTPS, plain HTTP for this machine alone, nothing but a host and a path. */
export function parseApiRoot(text: string): Result<ApiRoot, ApiRootProblem> {
  const trimmed = text.trim();
  if (trimmed === '') return err('empty');
  if (!/^https?:\/\//i.test(trimmed)) return err('scheme');
  if (trimmed.includes('#')) return err('fragment');
  if (trimmed.includes('?')) return err('query');
  const url = parseUrl(trimmed);
  if (url === null) return err('not-a-url');
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/\\]*@/i.test(trimmed)) {
    return err('user-info');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return err('not-encrypted');
  return ok(brand(url.href.replace(/\/+$/, '')));
}

/** The root that was probably meant where the typed one is not the service's; null where it has the prefix already. */
export function proposeApiRoot(root: ApiRoot): ApiRoot | null {
  if (root.endsWith(VERSION_PREFIX)) return null;
  return brand(root.replace(/\/api$/, '') + VERSION_PREFIX);
}

/** Host and port of a root, to be shown where the whole would be too long. */
export function hostOf(root: ApiRoot): string {
  return new URL(root).host;
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function brand(root: string): ApiRoot {
  return root as ApiRoot;
}
