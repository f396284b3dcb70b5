import { decodePath, parseLink } from '../../../base/links.ts';
import type { PageStrings } from '../../../protocol/strings.ts';
import { fill } from '../../words.ts';

/** The elements that GitHub's Markdown is written with; everything that loads, runs, frames or submits is left out. */
export const allowedTags = `
  a abbr b bdo blockquote br caption cite code dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol
  p pre q s samp small span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var
`
  .trim()
  .split(/\s+/);

/** Returns whether raw HTML with this element name is drawn; any other is shown as the text that it is. */
export function isAllowedTag(name: string): boolean {
  return allowedTags.includes(name.toLowerCase());
}

/** Returns whether a block of raw HTML holds an element that is drawn. */
export function hasAllowedTag(html: string): boolean {
  for (const [, name] of html.matchAll(/<\/?([a-zA-Z][\w-]*)/g))
    if (name !== undefined && isAllowedTag(name)) return true;
  return false;
}

/**
 * Returns the attributes of a link to where a destination leads, its character references resolved; undefined for what
 * is refused: that is no link. Where it leads is the first line of its tooltip, whatever title its author gave it; a
 * file is opened by the host, which says whether it may be, and has no address that the page could go to.
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

/** @param text what the image shows, as its author says; may be empty */
export function imageLabel(text: string, words: Pick<PageStrings, 'imageNotShown'>): string {
  return fill(words.imageNotShown, text.trim()).replace(/(?<![\s:])[\s:]+$/, '');
}
