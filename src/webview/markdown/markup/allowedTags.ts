/** The elements that GitHub's Markdown is written with; everything that loads, runs, frames or submits is left out. */
export const allowedTags = `
  a abbr b bdo blockquote br caption cite code dd del details dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol
  p pre q s samp small span strike strong sub summary sup table tbody td tfoot th thead tr tt u ul var
`
  .trim()
  .split(/\s+/);

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
