import type { Post } from './connection.ts';
import { h } from './dom.ts';
import { linkAttributes } from './markdown/draw/allowed.ts';

/** How long paths are collected for one request, in ms. */
const REQUEST_BATCH_MS = 300;
/** Maximum number of paths in one request. */
const MAX_PATHS_PER_REQUEST = 100;
/** Maximum number of paths that one page asks about, so that a reply full of paths does not keep the host busy. */
const MAX_PATHS_PER_PAGE = 5000;

const FILE_EXTENSIONS =
  'c|cc|cfg|conf|cpp|cs|css|csv|dart|ex|exs|go|gradle|graphql|h|hpp|html|ini|ipynb|java|js|json|jsonc|jsx|kt|less|lock|lua|md|mdx|mjs|mts|cjs|cts|php|pl|prisma|proto|ps1|py|rb|rs|sass|scala|scss|sh|sql|svelte|svg|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml';
const FILE_PATH = new RegExp(
  `^(?:~?\\.{0,2}[\\\\/])?(?:[\\w@.+-]+[\\\\/])*[\\w@.+-]*\\.(?:${FILE_EXTENSIONS})(?::\\d+(?:[:-]\\d+)?)?$`,
  'i',
);
/** Maximum number of paths that are found in one text. */
const MAX_PATHS_PER_TEXT = 500;
/** Runs of characters that paths consist of. */
const PATH_CHARACTERS = /[\w@.+~\-/\\:]+/g;
/** Matches a folder or a line, which a path in plain text needs. Otherwise many product names would match. */
const FOLDER_OR_LINE = /[\\/]|:\d/;

/** Creates links for paths in text. A link works once the host has confirmed that the workspace has the file. */
export class FileLinks {
  readonly #post: Post;
  /** The files that were looked up, by path; true if the workspace has the file. */
  readonly #known = new Map<string, boolean>();
  /** Links whose paths are not known yet. */
  readonly #waiting = new Map<string, HTMLElement[]>();
  readonly #asked = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(post: Post) {
    this.#post = post;
  }

  create(path: string): HTMLElement {
    const link = h('a', {}, path);
    // A missing file may have been created since it was looked up.
    if (this.#known.get(path) === true) activate(link, path);
    else this.#wait(path, link);
    return link;
  }

  /** Takes the response of the host: of the `asked` paths, `found` are files. */
  show(asked: readonly string[], found: readonly string[]): void {
    for (const path of asked) {
      const isThere = found.includes(path);
      this.#known.set(path, isThere);
      this.#asked.delete(path);
      if (isThere) for (const link of this.#waiting.get(path) ?? []) activate(link, path);
      this.#waiting.delete(path);
    }
  }

  #wait(path: string, link: HTMLElement): void {
    const links = this.#waiting.get(path);
    if (links !== undefined) links.push(link);
    else if (this.#known.has(path) || this.#known.size + this.#waiting.size < MAX_PATHS_PER_PAGE)
      this.#waiting.set(path, [link]);
    this.#timer ??= setTimeout(() => this.#ask(), REQUEST_BATCH_MS);
  }

  #ask(): void {
    this.#timer = undefined;
    const paths: string[] = [];
    for (const [path, links] of this.#waiting) {
      if (this.#asked.has(path)) continue;
      if (paths.length === MAX_PATHS_PER_REQUEST) {
        this.#timer = setTimeout(() => this.#ask(), REQUEST_BATCH_MS);
        break;
      }
      // Unfinished paths of a growing reply are gone from the page by now.
      if (links.some(({ isConnected }) => isConnected)) paths.push(path);
      else this.#waiting.delete(path);
    }
    for (const path of paths) this.#asked.add(path);
    if (paths.length > 0) this.#post('locate', { paths });
  }
}

function activate(link: HTMLElement, path: string): void {
  for (const [name, value] of Object.entries(linkAttributes(path) ?? {}))
    link.setAttribute(name, value);
}

/** Returns whether inline code looks like a file path, possibly with a line: `src/main.ts:10`. */
export function isFilePath(code: string): boolean {
  return code.length <= 260 && FILE_PATH.test(code);
}

/** Splits text into paths (`src/main.ts`, `main.ts:10:5`, not `main.ts` alone) and the text between them. */
export function splitPaths(text: string): readonly (string | { path: string })[] {
  if (!FOLDER_OR_LINE.test(text)) return [text];
  const nodes: (string | { path: string })[] = [];
  let done = 0;
  for (const { 0: word, index } of text.matchAll(PATH_CHARACTERS)) {
    const path = word.replace(/[.:-]{1,8}$/, '');
    if (!FOLDER_OR_LINE.test(path) || !isFilePath(path)) continue;
    nodes.push(text.slice(done, index), { path });
    done = index + path.length;
    if (nodes.length >= 2 * MAX_PATHS_PER_TEXT) break;
  }
  nodes.push(text.slice(done));
  return nodes;
}
