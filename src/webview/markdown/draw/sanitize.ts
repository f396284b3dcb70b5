import DOMPurify from 'dompurify';
import type { PageStrings } from '../../../protocol/strings.ts';
import { h } from '../../dom.ts';
import { ALLOWED_TAGS, imageLabel, linkAttributes } from './allowed.ts';

/** The same object for all calls, because DOMPurify would parse another one again. */
const CONFIGURATION = {
  ALLOWED_TAGS,
  ALLOWED_ATTR: ['alt', 'colspan', 'href', 'open', 'rowspan', 'src', 'start', 'title'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  KEEP_CONTENT: true,
  RETURN_DOM_FRAGMENT: true as const,
};

/** Turns raw HTML into sanitized nodes. Links go through the host, and images become links with their alternative text. */
export function sanitize(html: string, strings: PageStrings): DocumentFragment {
  // DOMPurify parses in a separate document, where images are not loaded.
  const fragment = DOMPurify.sanitize(html, CONFIGURATION);
  for (const image of fragment.querySelectorAll('img')) {
    const label = imageLabel(image.getAttribute('alt') ?? '', strings);
    // A link cannot contain another one.
    const href = image.closest('a') === null ? (image.getAttribute('src') ?? '') : undefined;
    image.replaceWith(h(href === undefined ? 'span' : 'a', { class: 'image', href }, label));
  }
  for (const element of fragment.querySelectorAll('[src]')) element.removeAttribute('src');
  // The browser lays out every column and row that a cell claims, up to 1,000 and 65,534.
  for (const cell of fragment.querySelectorAll('[colspan], [rowspan]'))
    for (const name of ['colspan', 'rowspan'])
      if (!/^[1-4]?\d$/.test(cell.getAttribute(name) ?? '')) cell.removeAttribute(name);
  for (const link of fragment.querySelectorAll('a')) {
    const attributes = linkAttributes(link.getAttribute('href') ?? '');
    link.removeAttribute('href');
    for (const [name, value] of Object.entries(attributes ?? {})) link.setAttribute(name, value);
  }
  // A title inside a link would hide the tooltip with its destination.
  for (const inner of fragment.querySelectorAll('a [title]')) inner.removeAttribute('title');
  return fragment;
}
