import { decodePath, parseLink } from '../../../base/links.ts';
import type { PageStrings } from '../../../protocol/strings.ts';
import { formatMessage } from '../../localizer.ts';

/** Elements of GitHub's Markdown, without those that load, run, frame or submit something. */
export const ALLOWED_TAGS = `
  a abbr b bdo blockquote br caption cite code dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol
  p pre q s samp small span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var
`
  .trim()
  .split(/\s+/);

/** Returns whether a raw element is drawn. Others are shown as text. */
export function isAllowedTag(name: string): boolean {
  return ALLOWED_TAGS.includes(name.toLowerCase());
}

export function hasAllowedTag(html: string): boolean {
  for (const [, name] of html.matchAll(/<\/?([a-zA-Z][\w-]*)/g))
    if (name !== undefined && isAllowedTag(name)) return true;
  return false;
}

/**
 * Returns the attributes of a link, or undefined if its destination is refused. The tooltip begins with the destination,
 * whatever title the author gave it. A link to a file has no `href`: the host opens it, if allowed.
 *
 * @param destination with character references resolved
 */
export function linkAttributes(
  destination: string,
  title = '',
): Readonly<Record<string, string>> | undefined {
  const link = parseLink(destination);
  if (link.kind === 'refused') return undefined;
  const path = destination.trim();
  const address = link.kind === 'file' ? decodePath(path) : link.url;
  const words = title.replace(/\s+/g, ' ').trim();
  const tooltip = words === '' ? address : `${address}\n${words}`;
  return link.kind === 'file'
    ? { 'data-path': path, role: 'link', tabindex: '0', title: tooltip }
    : { href: address, title: tooltip };
}

/** @param text the alternative text; may be empty */
export function imageLabel(text: string, strings: PageStrings): string {
  return formatMessage(strings.imageNotShown, text.trim()).replace(/(?<![\s:])[\s:]+$/, '');
}
