/** A piece of code and the class of the innermost span around it. */
interface Span {
  readonly text: string;
  readonly name: string;
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};

/**
 * Makes nodes of what highlight.js writes: text, and spans with a class. It is read as that and nothing else, so
 * there is no way from code to markup.
 */
export function codeNodes(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const { text, name } of spansOf(html)) {
    if (name === '') {
      fragment.append(text);
      continue;
    }
    const span = document.createElement('span');
    span.className = name;
    span.textContent = text;
    fragment.append(span);
  }
  return fragment;
}

function spansOf(html: string): Span[] {
  const found: Span[] = [];
  const open: string[] = [];
  for (const [match, name, text] of html.matchAll(/<span class="([^"]*)">|<\/span>|([^<]+)/g)) {
    if (name !== undefined) open.push(name === '' ? (open.at(-1) ?? '') : name);
    else if (text === undefined) open.pop();
    else found.push({ text: unescape(text), name: open.at(-1) ?? '' });
    if (match === '') break;
  }
  return found;
}

function unescape(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity);
}
