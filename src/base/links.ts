/**
 * The target of a link in a reply, from its text alone. Replies may be hostile: the page draws no refused link, and the
 * host checks again and opens none.
 */
type ReplyLink =
  /** `http:` or `https:`, as a browser reads it: host names in other scripts show as `xn--…`. */
  | { readonly kind: 'web'; readonly url: string; readonly isTrusted: boolean }
  | { readonly kind: 'mail'; readonly url: string }
  | FileLink
  /**
   * Any other scheme, also a percent-encoded one, or an address with a user name (`https://bank.example@evil.example`).
   * The scheme is in lower case, and empty if there is none.
   */
  | { readonly kind: 'refused'; readonly scheme: string };

/** A file or folder, inside the workspace or not. */
export interface FileLink {
  readonly kind: 'file';
  /** With `/` between names, and at the start if it is absolute. */
  readonly path: string;
  /** The host of a `file:` URL, else empty. */
  readonly authority: string;
  readonly position: LinkPosition | undefined;
}

/** Lines and columns from 1. */
export interface LinkPosition {
  readonly line: number;
  readonly column: number;
  /** The last line of a range, or the line itself. */
  readonly endLine: number;
}

/** Longer links are refused. */
export const MAX_LINK_CHARACTERS = 8_192;

/** Reads a URL, or a path with a position as in `a.ts:10:5`, `a.ts(10,5)` and `a.ts#L10-L20`. */
export function parseLink(href: string): ReplyLink {
  const link = href.trim();
  if (link.length > MAX_LINK_CHARACTERS) return { kind: 'refused', scheme: '' };
  const scheme = schemeOf(link);
  switch (scheme) {
    case undefined:
      // Two slashes begin a URL without its scheme, or a folder of another machine.
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
  // In Markdown a backslash is literal; a browser reads it as a slash.
  const address = link.replaceAll('\\', '%5C');
  if (!URL.canParse(address)) return { kind: 'refused', scheme };
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return { kind: 'refused', scheme };
  if (url.protocol === 'mailto:') return { kind: 'mail', url: url.href };
  return url.protocol === 'file:'
    ? fileLink(`${decodePath(url.pathname)}${url.hash}`, url.host)
    : { kind: 'web', url: url.href, isTrusted: isTrustedByEditor(url.hostname) };
}

/** Returns the scheme in lower case; undefined for a path such as `a.ts:10` or `C:\a.ts`. */
function schemeOf(link: string): string | undefined {
  // Browsers ignore blanks and control characters inside a scheme.
  const visible = link.replace(/[\s\p{Cc}]/gu, '');
  const [, scheme, rest] = /^([a-z][a-z\d+.-]*):(.*)$/isu.exec(visible) ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  const isDrive = scheme.length === 1 && /^[\\/]/u.test(rest);
  const isLine = /^\d+(?:[:,-]\d+)*(?:#.*)?$/u.test(rest);
  return isDrive || isLine ? undefined : scheme.toLowerCase();
}

/** Returns whether VS Code opens a host without asking: all names of this machine. */
function isTrustedByEditor(host: string): boolean {
  return isLoopback(host) || host.endsWith('.localhost') || host === '0.0.0.0';
}

/** Returns whether a host is certainly this machine. A resolver may look up `x.localhost` in the network. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(host);
}

const POSITION_SUFFIXES = [
  /^(?<path>.+)#L(?<line>\d+)(?:C(?<column>\d+))?(?:-L?(?<endLine>\d+)(?:C\d+)?)?$/u,
  /^(?<path>.+?):(?<line>\d+)(?::(?<column>\d+))?(?:-(?<endLine>\d+))?$/u,
  /^(?<path>.+?)\((?<line>\d+)(?:, ?(?<column>\d+))?\)$/u,
];

function fileLink(decoded: string, authority: string): ReplyLink {
  const scheme = schemeOf(decoded);
  if (scheme !== undefined) return { kind: 'refused', scheme };
  // This needs the decoded path, since %5C is a backslash, which Windows accepts in `..\`.
  const written = decoded.replaceAll('\\', '/');
  const found = POSITION_SUFFIXES.map((suffix) => suffix.exec(written)?.groups).find(Boolean);
  const { path = written.replace(/#.*$/su, ''), line, column, endLine = line } = found ?? {};
  const position =
    line === undefined
      ? undefined
      : { line: clamped(line), column: clamped(column), endLine: clamped(endLine) };
  return { kind: 'file', path: withRoot(path), authority, position };
}

/** Clamps to the lines and columns that an editor accepts. */
function clamped(digits: string | undefined): number {
  return Math.min(Math.max(1, Number(digits ?? 1)), 2 ** 31 - 1);
}

/** Puts a slash before a drive, since such a path is absolute. */
function withRoot(path: string): string {
  return /^[a-z]:\//iu.test(path) ? `/${path}` : path;
}

/** Decodes percent-encoding, unless it is invalid. */
export function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
