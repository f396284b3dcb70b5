/**
 * Where a link of a reply leads, told from its text alone: a reply is hostile until shown otherwise. The page draws no
 * link of what is refused, and the host, which does not believe the page, opens none.
 */
type ReplyLink =
  /** `http:` and `https:`, as a browser reads it: a host name in another script shows as `xn--…`. */
  | { readonly kind: 'web'; readonly url: string; readonly isTrusted: boolean }
  | { readonly kind: 'mail'; readonly url: string }
  | FileLink
  /**
   * Any other scheme, an address that names a user (`https://bank.example@evil.example`), and what is another scheme
   * once its percent signs are read. The scheme is in lower case; empty where there is none.
   */
  | { readonly kind: 'refused'; readonly scheme: string };

/** A file or folder, inside the workspace or not. */
export interface FileLink {
  readonly kind: 'file';
  /** With `/`; absolute where it starts with one. */
  readonly path: string;
  /** The host of a `file:` URL; empty for all else. */
  readonly authority: string;
  readonly position: LinkPosition | undefined;
}

/** Lines and columns from 1. */
export interface LinkPosition {
  readonly line: number;
  readonly column: number;
  /** The last line of a range; the line itself where there is none. */
  readonly endLine: number;
}

/** The longest link that leads anywhere, in characters. */
export const MAX_LINK_CHARACTERS = 8_192;

/** Reads a link: an address, or a path as compilers (`a.ts:10:5`), editors (`a.ts(10,5)`) and forges (`a.ts#L10-L20`) write it. */
export function parseLink(href: string): ReplyLink {
  const link = href.trim();
  if (link.length > MAX_LINK_CHARACTERS) return { kind: 'refused', scheme: '' };
  const scheme = schemeOf(link);
  switch (scheme) {
    case undefined:
      // Two slashes are an address without its scheme, or another machine's folder.
      return link === '' || /^(?:#|[\\/]{2})/u.test(link)
        ? { kind: 'refused', scheme: '' }
        : fileLink(decodePath(link), '');
    case 'http':
    case 'https':
    case 'mailto':
    case 'file':
      return addressLink(link, scheme);
    default:
      return { kind: 'refused', scheme };
  }
}

function addressLink(link: string, scheme: string): ReplyLink {
  // Markdown means a backslash as one; a browser would take it for a slash.
  const address = link.replaceAll('\\', '%5C');
  if (!URL.canParse(address)) return { kind: 'refused', scheme };
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return { kind: 'refused', scheme };
  switch (url.protocol) {
    case 'mailto:':
      return { kind: 'mail', url: url.href };
    case 'file:':
      return fileLink(`${decodePath(url.pathname)}${url.hash}`, url.host);
    default:
      return { kind: 'web', url: url.href, isTrusted: isTrustedByEditor(url.hostname) };
  }
}

/** The scheme, lower case; undefined for a path. `a.ts:10` and `C:\a.ts` are paths. */
function schemeOf(link: string): string | undefined {
  // Browsers skip blanks and control characters inside a scheme, so they must not hide one here.
  const visible = link.replace(/[\s\p{Cc}]/gu, '');
  const [, scheme, rest] = /^([a-z][a-z\d+.-]*):(.*)$/isu.exec(visible) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  const isDrive = scheme.length === 1 && /^[\\/]/u.test(rest);
  const isLine = /^\d+(?:[:,-]\d+)*(?:#.*)?$/u.test(rest);
  return isDrive || isLine ? undefined : scheme.toLowerCase();
}

/** Returns whether VS Code opens a host without asking, as it does for every name of this machine. */
function isTrustedByEditor(host: string): boolean {
  return isLoopback(host) || host.endsWith('.localhost') || host === '0.0.0.0';
}

/** Returns whether a host is this machine for certain: a resolver may look up `x.localhost` in the network. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(host);
}

const suffixes = [
  /^(?<path>.+)#L(?<line>\d+)(?:C(?<column>\d+))?(?:-L?(?<endLine>\d+)(?:C\d+)?)?$/u,
  /^(?<path>.+?):(?<line>\d+)(?::(?<column>\d+))?(?:-(?<endLine>\d+))?$/u,
  /^(?<path>.+?)\((?<line>\d+)(?:, ?(?<column>\d+))?\)$/u,
];

function fileLink(decoded: string, authority: string): ReplyLink {
  const scheme = schemeOf(decoded);
  if (scheme !== undefined) return { kind: 'refused', scheme };
  // Only now, since a backslash may be written as %5C: to Windows it leads up as well as a slash does.
  const written = decoded.replaceAll('\\', '/');
  for (const suffix of suffixes) {
    const { path, line, column, endLine } = suffix.exec(written)?.groups ?? {};
    if (path === undefined || line === undefined) continue;
    const position = {
      line: number(line),
      column: number(column),
      endLine: number(endLine ?? line),
    };
    return { kind: 'file', path: withRoot(path), authority, position };
  }
  const path = written.replace(/#.*$/su, '');
  return { kind: 'file', path: withRoot(path), authority, position: undefined };
}

/** From 1, and within what an editor can take. */
function number(digits: string | undefined): number {
  return Math.min(Math.max(1, Number(digits ?? 1)), 2 ** 31 - 1);
}

/** A path with a drive is absolute. */
function withRoot(path: string): string {
  return /^[a-z]:\//iu.test(path) ? `/${path}` : path;
}

/** A path without percent signs, where they can be read. */
export function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
