import { isLoopback } from '../base/links.ts';
import { err, ok, type Result } from '../base/result.ts';

declare const checked: unique symbol;

/** The address of the routes, version prefix included, without a trailing slash. Made by {@link parseServiceUrl}. */
export type ServiceUrl = string & { readonly [checked]: true };

export type ServiceUrlProblem =
  | 'empty'
  /** It does not start with `https://`. */
  | 'scheme'
  /** `http://` to another machine, which shows the key to the network. */
  | 'not-encrypted'
  | 'user-info'
  | 'query'
  | 'fragment'
  | 'not-a-url';

/** The end of the service's own URL (interface: Versioning). */
const VERSION_PREFIX = '/api/v1';

/** Reads a service URL: a host and a path, with HTTPS, or with plain HTTP for this machine. */
export function parseServiceUrl(text: string): Result<ServiceUrl, ServiceUrlProblem> {
  const trimmed = text.trim();
  if (trimmed === '') return err('empty');
  if (!/^https?:\/\//i.test(trimmed)) return err('scheme');
  if (trimmed.includes('#')) return err('fragment');
  if (trimmed.includes('?')) return err('query');
  if (!URL.canParse(trimmed)) return err('not-a-url');
  const url = new URL(trimmed);
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/\\]*@/i.test(trimmed))
    return err('user-info');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return err('not-encrypted');
  return ok(url.href.replace(/\/+$/, '') as ServiceUrl);
}

/** Proposes a URL with the version prefix; null if it is already there. */
export function proposeServiceUrl(root: ServiceUrl): ServiceUrl | null {
  if (root.endsWith(VERSION_PREFIX)) return null;
  return (root.replace(/\/api$/, '') + VERSION_PREFIX) as ServiceUrl;
}

/** Returns the host and port of a service URL. */
export function serviceUrlHost(root: ServiceUrl): string {
  return new URL(root).host;
}
