import DOMPurify from 'dompurify';
import { linkAttributes, linkTarget } from './links.ts';

/** The elements that GitHub's Markdown is written with; everything that loads, runs, frames or submits is left out. */
const allowedTags = [
  ...[
    'a',
    'abbr',
    'b',
    'bdo',
    'blockquote',
    'br',
    'caption',
    'cite',
    'code',
    'dd',
    'del',
    'details',
  ],
  ...['dfn', 'div', 'dl', 'dt', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'img', 'ins'],
  ...['kbd', 'li', 'mark', 'ol', 'p', 'pre', 'q', 's', 'samp', 'small', 'span', 'strike', 'strong'],
  ...[
    'sub',
    'summary',
    'sup',
    'table',
    'tbody',
    'td',
    'tfoot',
    'th',
    'thead',
    'tr',
    'tt',
    'u',
    'ul',
  ],
  'var',
];
const allowedAttributes = ['alt', 'colspan', 'href', 'open', 'rowspan', 'src', 'start', 'title'];

const configuration = {
  ALLOWED_TAGS: allowedTags,
  ALLOWED_ATTR: allowedAttributes,
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  KEEP_CONTENT: true,
  RETURN_DOM_FRAGMENT: true,
} as const;

/** Whether raw HTML with this element name is drawn; any other is shown as the text that it is. */
export function isAllowedTag(name: string): boolean {
  return allowedTags.includes(name.toLowerCase());
}

/** Whether a block of raw HTML holds an element that is drawn. */
export function hasAllowedTag(html: string): boolean {
  for (const [, name] of html.matchAll(/<\/?([a-zA-Z][\w-]*)/g))
    if (name !== undefined && isAllowedTag(name)) return true;
  return false;
}

/**
 * Makes nodes of raw HTML: sanitised, its links led through the host, its images replaced by what they are called.
 *
 * @param imageLabel what stands for an image without a text
 */
export function sanitise(html: string, imageLabel: string): DocumentFragment {
  // The parser makes the nodes in a document of its own, where images are not loaded while they are still there.
  const fragment = DOMPurify.sanitize(html, configuration);
  for (const image of fragment.querySelectorAll('img')) {
    const label = image.getAttribute('alt')?.trim();
    const link = document.createElement('a');
    link.className = 'image';
    link.textContent = label === undefined || label === '' ? imageLabel : label;
    link.setAttribute('href', image.getAttribute('src') ?? '');
    image.replaceWith(link);
  }
  for (const link of fragment.querySelectorAll('a')) secureLink(link);
  return fragment;
}

function secureLink(link: HTMLAnchorElement): void {
  const target = linkTarget(link.getAttribute('href') ?? '');
  link.removeAttribute('href');
  if (target === undefined) return;
  for (const [name, value] of Object.entries(linkAttributes(target)))
    link.setAttribute(name, value);
}
