/** Where a link in a reply may lead. */
export type LinkTarget =
  /** A page on the web or a mail address. */
  | { readonly kind: 'web'; readonly href: string }
  /** A file, perhaps with a line; whether it exists and may be opened is the host's to say. */
  | { readonly kind: 'file'; readonly path: string };

const webSchemes = new Set(['http', 'https', 'mailto']);
/** A Windows path looks like an address whose scheme is one letter. */
const windowsPath = /^[a-zA-Z]:[\\/]/;
const fileExtensions =
  'c|cc|cfg|conf|cpp|cs|css|csv|dart|ex|exs|go|gradle|graphql|h|hpp|html|ini|ipynb|java|js|json|jsonc|jsx|kt|less|lock|lua|md|mdx|mjs|mts|cjs|cts|php|pl|prisma|proto|ps1|py|rb|rs|sass|scala|scss|sh|sql|svelte|svg|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml';
const filePath = new RegExp(
  `^(?:~?\\.{0,2}[\\\\/])?(?:[\\w@.+-]+[\\\\/])*[\\w@.+-]*\\.(?:${fileExtensions})(?::\\d+(?:[:-]\\d+)?)?$`,
  'i',
);

/**
 * Reads a link's destination, with character references resolved. Undefined for everything that is neither a web or
 * mail address nor a file path: `command:`, `javascript:`, `data:`, `vscode:` and all others are no links.
 */
export function linkTarget(destination: string): LinkTarget | undefined {
  const href = destination.trim();
  if (href === '' || href.startsWith('#') || /^[\\/]{2}/.test(href)) return undefined;
  if (windowsPath.test(href)) return { kind: 'file', path: href };
  const scheme = schemeOf(href);
  if (scheme === undefined) return fileTarget(href);
  if (scheme === 'file') return fileTarget(href);
  if (!webSchemes.has(scheme)) return undefined;
  const encoded = encodeAddress(href);
  return encoded !== undefined && (scheme === 'mailto' || URL.canParse(encoded))
    ? { kind: 'web', href: encoded }
    : undefined;
}

/**
 * The attributes of a link. Where it leads is the first line of its tooltip, whatever title its author gave it; a file
 * is opened by the host, and has no address that the page could go to.
 */
export function linkAttributes(target: LinkTarget, title = ''): Readonly<Record<string, string>> {
  const address = target.kind === 'file' ? target.path : target.href;
  const words = title.replace(/\s+/g, ' ').trim();
  const tooltip = words === '' ? address : `${address}\n${words}`;
  if (target.kind === 'web') return { href: address, title: tooltip };
  return { 'data-path': address, role: 'link', tabindex: '0', title: tooltip };
}

/** Whether inline code reads like the path of a file, perhaps with a line: `src/main.ts:10`. */
export function isFilePath(code: string): boolean {
  return code.length <= 260 && filePath.test(code);
}

function schemeOf(href: string): string | undefined {
  // Browsers skip blanks and control characters inside a scheme, so they must not hide one here.
  const visible = href.replace(/[\s\p{Cc}]/gu, '');
  return /^([a-zA-Z][a-zA-Z\d+.-]*):/.exec(visible)?.[1]?.toLowerCase();
}

/** A path must not look like an address once its percent signs are resolved: that would be another way to write one. */
function fileTarget(href: string): LinkTarget | undefined {
  const path = decodePath(href);
  const scheme = schemeOf(path.replace(/^file:/i, ''));
  const line = /^[^:]*:\d+(?::\d+)?$/.test(path);
  return scheme === undefined || line ? { kind: 'file', path } : undefined;
}

function decodePath(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

function encodeAddress(href: string): string | undefined {
  try {
    return encodeURI(href).replaceAll('%25', '%');
  } catch {
    return undefined;
  }
}
