import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { CompletionItem } from '../../protocol/messages.ts';
import { displayPath } from './places.ts';
import { rankFiles } from './rankFiles.ts';

/** Most items of one answer. */
const maxItems = 50;
/** Most files of a workspace that are looked through; more are found by the letters of their names. */
const maxListed = 20_000;
/** Most files that are found by their names in a larger workspace. */
const maxByName = 500;
/** How long a listing serves, in ms: as long as somebody types a name. */
const listingMs = 10_000;
/** How many answers' items can still be attached by their ids. */
const maxOffered = 10 * maxItems;

interface File {
  readonly uri: vscode.Uri;
  readonly path: string;
}

/** Finds files by a few letters of their path: open editors first, then those of the workspace. */
export class FileCompletions {
  readonly #clock: Clock;
  readonly #offered = new Map<string, vscode.Uri>();
  #listing: { readonly files: Promise<readonly File[]>; readonly until: number } | undefined;
  #lastId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * At most 50 files for what was typed.
   *
   * Files that `files.exclude` and `search.exclude` hide are found only while they are open.
   */
  async find(query: string): Promise<readonly CompletionItem[]> {
    const open = openFiles();
    const isOpen = new Set(open.map(({ uri }) => uri.toString()));
    const listed = await this.#files(query);
    const others = listed.filter(({ uri }) => !isOpen.has(uri.toString()));
    const found = [open, others].flatMap((files) => rankFiles(files, query, ({ path }) => path));
    return found.slice(0, maxItems).map((file) => this.#offer(file));
  }

  /** The file of an item that was given lately. */
  get(id: string): vscode.Uri | undefined {
    return this.#offered.get(id);
  }

  async #files(query: string): Promise<readonly File[]> {
    const listed = await this.#list();
    if (listed.length < maxListed || query.trim() === '') return listed;
    const known = new Set(listed.map(({ path }) => path));
    const named = await findFiles(nameGlob(query), maxByName);
    return [...listed, ...named.filter(({ path }) => !known.has(path))];
  }

  #list(): Promise<readonly File[]> {
    const now = this.#clock.monotonic();
    if (this.#listing === undefined || now >= this.#listing.until)
      this.#listing = { files: findFiles('**/*', maxListed), until: now + listingMs };
    return this.#listing.files;
  }

  #offer({ uri, path }: File): CompletionItem {
    const id = String(++this.#lastId);
    this.#offered.set(id, uri);
    for (const oldest of this.#offered.keys()) {
      if (this.#offered.size <= maxOffered) break;
      this.#offered.delete(oldest);
    }
    const slash = path.lastIndexOf('/');
    return { id, label: path.slice(slash + 1), detail: path.slice(0, Math.max(0, slash)) };
  }
}

/** Text files in tabs, the active one first, each once. */
function openFiles(): readonly File[] {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const tabs = [activeTabGroup.activeTab, ...all.flatMap((group) => group.tabs)];
  const uris = tabs.map((tab) => uriOf(tab?.input)).filter((uri) => uri !== undefined);
  const files = new Map(uris.map((uri) => [uri.toString(), { uri, path: displayPath(uri) }]));
  return [...files.values()];
}

function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

async function findFiles(include: string, limit: number): Promise<readonly File[]> {
  const uris = await vscode.workspace.findFiles(include, searchExcludes(), limit);
  return uris
    .map((uri) => ({ uri, path: displayPath(uri) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** What searches leave out, as a glob: `findFiles` itself heeds `files.exclude` alone. */
function searchExcludes(): string | undefined {
  const settings = vscode.workspace
    .getConfiguration('search')
    .get<Record<string, unknown>>('exclude');
  const globs = Object.entries(settings ?? {})
    .filter(([, on]) => on === true)
    .map(([glob]) => glob);
  return globs.length > 1 ? `{${globs.join(',')}}` : globs[0];
}

/** A glob for files whose names have the letters in order, in any case. */
function nameGlob(query: string): string {
  const name = query.slice(query.lastIndexOf('/') + 1).trim();
  const letters = Array.from(name, (letter) => {
    const cases = new Set([letter.toLowerCase(), letter.toUpperCase()]);
    return /[\p{L}\p{N}]/u.test(letter) ? `[${[...cases].join('')}]` : '?';
  });
  return `**/*${letters.map((letter) => `${letter}*`).join('')}`;
}
