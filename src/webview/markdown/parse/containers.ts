import type { Token } from 'marked';

/** Elements of raw HTML that may begin in one block and end in another. */
const CONTAINER_TAG = /<(\/?)(details|div|blockquote)\b((?:"[^"]*"|'[^']*'|[^'"<>])*)>/gi;
const SUMMARY = /^\s*<summary\b[^<>]*>([\s\S]*?)<\/summary\s*>/i;
/** Elements in which tags are text. */
const RAW_TEXT_TAG = /<(?:pre|script|style|textarea)\b/i;

type ContainerName = 'details' | 'div' | 'blockquote';

export type ContainerStep =
  | ContainerTag
  /** The `summary` of a `details`, as raw HTML. */
  | { readonly kind: 'summary'; readonly html: string }
  | { readonly kind: 'block'; readonly token: Token };

interface ContainerTag {
  readonly kind: 'enter' | 'leave';
  readonly name: ContainerName;
  readonly isOpen: boolean;
  readonly at: number;
  readonly end: number;
}

/** Splits raw HTML at the tags that open or close a container. Other blocks stay whole. */
export function containerSteps(token: Token): readonly ContainerStep[] {
  const { raw, type } = token;
  const isSplit = type === 'html' && !RAW_TEXT_TAG.test(raw);
  const source = isSplit ? raw.replace(/<!--[\s\S]*?(?:-->|$)/g, '') : '';
  const tags = unmatchedTags(source);
  if (tags.length === 0) return [{ kind: 'block', token }];
  const steps: ContainerStep[] = [];
  let done = 0;
  for (const tag of tags) {
    steps.push(...contents(source.slice(done, tag.at)), tag);
    done = tag.end;
  }
  return [...steps, ...contents(source.slice(done))];
}

/** Returns the container tags without a counterpart in the text, in order. */
function unmatchedTags(source: string): readonly ContainerTag[] {
  const open: ContainerTag[] = [];
  const closing: ContainerTag[] = [];
  for (const match of source.matchAll(CONTAINER_TAG)) {
    const [text, slash, written = '', attributes = ''] = match;
    const kind = slash === '/' ? 'leave' : 'enter';
    const name = written.toLowerCase() as ContainerName;
    const isOpen = /(?:^|\s)open(?=[\s=/]|$)/i.test(attributes);
    const tag = { kind, name, isOpen, at: match.index, end: match.index + text.length } as const;
    if (kind === 'enter') open.push(tag);
    else if (open.at(-1)?.name === name) open.pop();
    else closing.push(tag);
  }
  return [...open, ...closing].sort((a, b) => a.at - b.at);
}

function contents(html: string): readonly ContainerStep[] {
  const [whole = '', inner] = SUMMARY.exec(html) ?? [];
  const token = { type: 'html', raw: html.slice(whole.length) };
  return [
    ...(inner === undefined ? [] : [{ kind: 'summary', html: inner } as const]),
    { kind: 'block', token },
  ];
}
