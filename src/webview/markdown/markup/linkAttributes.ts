import { decodePath, parseLink } from '../../../base/links.ts';

/**
 * The attributes of a link to where a destination leads, its character references resolved; undefined for what is
 * refused: that is no link. Where it leads is the first line of its tooltip, whatever title its author gave it; a file is
 * opened by the host, which says whether it may be, and has no address that the page could go to.
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
