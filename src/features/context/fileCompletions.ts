import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { CompletionItem } from '../../protocol/messages.ts';
import { Completions, rankFiles } from './completions.ts';
import { displayPath } from './fileUris.ts';

/** The most items of one answer. */
const maxItems = 50;
/** The most files of a workspace that are listed; others are found by the letters of their names. */
const maxListed = 20_000;
/** The most files that are found by their names in a larger workspace. */
const maxByName = 500;

interface File {
  readonly uri: vscode.Uri;
  readonly path: string;
}

/** Finds files by a few letters of their path: open editors first, then those of the workspace. */
export class FileCompletions {
  readonly #completions: Completions<File>;

  constructor(clock: Clock) {
    this.#completions = new Completions(clock, () => findFiles('**/*', maxListed));
  }

  /** Finds at most 50 files. Those that `files.exclude` and `search.exclude` hide are found only while they are open. */
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
    return this.#completions.get(id)?.uri;
  }

  async #files(query: string): Promise<readonly File[]> {
    const listed = await this.#completions.list();
    if (listed.length < maxListed || query.trim() === '') return listed;
    const known = new Set(listed.map(({ path }) => path));
    const named = await findFiles(nameGlob(query), maxByName);
    return [...listed, ...named.filter(({ path }) => !known.has(path))];
  }

  #offer(file: File): CompletionItem {
    const { path } = file;
    const id = this.#completions.issue(file);
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

/** Returns `search.exclude` as a glob: `findFiles` itself heeds `files.exclude` alone. */
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
