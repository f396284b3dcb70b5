import { TabInputText, TabInputTextDiff, type Uri, window, workspace } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { CompletionItem } from '../../protocol/messages.ts';
import { Completions, rankFiles } from './completions.ts';
import { displayPath } from './fileUris.ts';

const MAX_COMPLETIONS = 50;
/** Maximum number of files of a workspace that are listed. In larger ones, each query also searches by name. */
const MAX_LISTED_FILES = 20_000;
const MAX_FILES_BY_NAME = 500;

interface File {
  readonly uri: Uri;
  readonly path: string;
}

/** Finds files by a few letters of their path: open files first, then those of the workspace. */
export class FileCompletions extends Completions<File> {
  constructor(clock: Clock) {
    super(clock, () => findFiles('**/*', MAX_LISTED_FILES));
  }

  /** Finds at most 50 files. Files hidden by `files.exclude` or `search.exclude` are found only while they are open. */
  async find(query: string): Promise<readonly CompletionItem[]> {
    const open = openFiles();
    const isOpen = new Set(open.map(({ uri }) => uri.toString()));
    const listed = await this.#files(query);
    const others = listed.filter(({ uri }) => !isOpen.has(uri.toString()));
    const found = [open, others].flatMap((files) => rankFiles(files, query, ({ path }) => path));
    return found.slice(0, MAX_COMPLETIONS).map((file) => {
      const id = this.issue(file);
      const slash = file.path.lastIndexOf('/');
      const detail = file.path.slice(0, Math.max(0, slash));
      return { id, label: file.path.slice(slash + 1), detail };
    });
  }

  async #files(query: string): Promise<readonly File[]> {
    const listed = await this.list();
    if (listed.length < MAX_LISTED_FILES || query.trim() === '') return listed;
    const known = new Set(listed.map(({ path }) => path));
    const named = await findFiles(nameGlob(query), MAX_FILES_BY_NAME);
    return [...listed, ...named.filter(({ path }) => !known.has(path))];
  }
}

/** Returns the files of text and diff tabs, the active one first, each once. */
function openFiles(): readonly File[] {
  const { activeTabGroup, all } = window.tabGroups;
  const tabs = [activeTabGroup.activeTab, ...all.flatMap((group) => group.tabs)];
  const uris = tabs.map((tab) => uriOf(tab?.input)).filter((uri) => uri !== undefined);
  const files = new Map(uris.map((uri) => [uri.toString(), { uri, path: displayPath(uri) }]));
  return [...files.values()];
}

function uriOf(input: unknown): Uri | undefined {
  if (input instanceof TabInputText) return input.uri;
  return input instanceof TabInputTextDiff ? input.modified : undefined;
}

async function findFiles(include: string, limit: number): Promise<readonly File[]> {
  const uris = await workspace.findFiles(include, searchExcludes(), limit);
  return uris
    .map((uri) => ({ uri, path: displayPath(uri) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns `search.exclude` as a glob, because `findFiles` applies only `files.exclude`. */
function searchExcludes(): string | undefined {
  const settings = workspace.getConfiguration('search').get<Record<string, unknown>>('exclude');
  const globs = Object.entries(settings ?? {})
    .filter(([, on]) => on === true)
    .map(([glob]) => glob);
  return globs.length > 1 ? `{${globs.join(',')}}` : globs[0];
}

/** Returns a glob for files whose names contain the letters in order, in any case. */
function nameGlob(query: string): string {
  const name = query.slice(query.lastIndexOf('/') + 1).trim();
  const letters = Array.from(name, (letter) => {
    const cases = new Set([letter.toLowerCase(), letter.toUpperCase()]);
    return /[\p{L}\p{N}]/u.test(letter) ? `[${[...cases].join('')}]` : '?';
  });
  return `**/*${letters.map((letter) => `${letter}*`).join('')}`;
}
