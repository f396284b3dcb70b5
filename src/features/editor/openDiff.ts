import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { plainLine, withoutCommands } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/words/format.ts';
import { applyHunks, searchBudget, type SearchBudget } from './applyHunks.ts';
import { findFilesInWorkspace, meantFile, textOf } from './workspaceFiles.ts';
import type { ColumnOptions } from './lastTextEditor.ts';
import { type FileDiff, type Hunk, sideOf } from './unifiedDiff.ts';

/** A language as an extension's manifest contributes it; only what names it. */
export interface LanguageContribution {
  readonly id: string;
  readonly aliases?: readonly string[];
  /** With their dots. */
  readonly extensions?: readonly string[];
}

/** Words of code fences that no manifest knows, and whose languages VS Code brings with it. */
const nicknames: ReadonlyMap<string, string> = new Map([
  ['console', 'shellscript'],
  ['golang', 'go'],
  ['patch', 'diff'],
  ['shell', 'shellscript'],
  ['shell-session', 'shellscript'],
]);

/** Languages in whose editors VS Code makes links of Markdown, also such that run commands. */
const linked: ReadonlySet<string> = new Set([
  'markdown',
  'prompt',
  'instructions',
  'chatagent',
  'chatmode',
  'skill',
]);

/** Whether a link in an editor with this language can run a command. */
export function mayRunCommands(languageId: string): boolean {
  return linked.has(languageId);
}

/**
 * Returns the editor's language for the first word of a Markdown info string: by ID, by name, or by the extension of its
 * files (`ts`, `py`); undefined if the editor has none.
 *
 * @param known The IDs of this editor.
 */
export function languageIdOf(
  word: string,
  known: readonly string[],
  contributions: readonly LanguageContribution[],
): string | undefined {
  const wanted = word.trim().toLowerCase();
  if (wanted === '') return undefined;
  const sameWord = (other: string): boolean => other.toLowerCase() === wanted;
  const found =
    known.find(sameWord) ??
    nicknames.get(wanted) ??
    contributions.find(({ aliases }) => aliases?.some(sameWord))?.id ??
    contributions.find(({ extensions }) => extensions?.some((dotted) => sameWord(dotted.slice(1))))
      ?.id;
  return found !== undefined && known.includes(found) ? found : undefined;
}

const scheme = 'interns-diff';

/** The number of texts that are kept: VS Code asks for them again when a tab is shown again. */
const maxTexts = 200;

/** The texts that diffs in replies stand for, as read-only documents: `interns-diff:/PATH?HASH`. */
export class DiffDocuments extends DisposableBase implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #changed = this.own(new Emitter<vscode.Uri>());

  readonly onDidChange = this.#changed.event;

  constructor() {
    super();
    this.own(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  /**
   * Adds a document that the path names and colors. The same text at the same path is the same document. If the editor
   * draws links in its language, none of them runs a command.
   */
  async add(path: string, text: string): Promise<vscode.Uri> {
    const query = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    const uri = vscode.Uri.from({ scheme, path: `/${path.replace(/^\/+/u, '')}`, query });
    const safe = withoutCommands(text);
    this.#keep(uri, safe);
    if (safe === text) return uri;
    // Which language it is depends on the user's settings too: the editor alone knows.
    const { languageId } = await vscode.workspace.openTextDocument(uri);
    if (mayRunCommands(languageId)) return uri;
    this.#keep(uri, text);
    this.#changed.fire(uri);
    return uri;
  }

  #keep(uri: vscode.Uri, text: string): void {
    this.#texts.delete(uri.toString());
    this.#texts.set(uri.toString(), text);
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= maxTexts) break;
      this.#texts.delete(oldest);
    }
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ??
      vscode.l10n.t('This diff is no longer available. Open it again from the conversation.')
    );
  }
}

/** Both sides of one file's changes. */
interface Comparison {
  readonly path: string;
  readonly before: vscode.Uri;
  readonly after: vscode.Uri;
  /** Whether the sides are whole files: the changes fit the file in the workspace. */
  readonly isWhole: boolean;
}

/**
 * Shows a diff in the diff editor: each file against that of the workspace if its old lines are there, else the changed
 * lines alone. Several files open in one tab.
 */
export async function openDiff(
  files: readonly FileDiff[],
  documents: DiffDocuments,
  where: ColumnOptions,
): Promise<void> {
  const budget = searchBudget();
  const comparisons = await Promise.all(files.map((file) => compare(file, documents, budget)));
  const [first] = comparisons;
  if (first === undefined) return;
  if (comparisons.length === 1) {
    const { before, after } = first;
    await vscode.commands.executeCommand('vscode.diff', before, after, titleOf(first), where);
    return;
  }
  const title = vscode.l10n.t('Suggested changes in {0} files', formatNumber(comparisons.length));
  const resources = comparisons.map(({ before, after }) => [after, before, after]);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

async function compare(
  file: FileDiff,
  documents: DiffDocuments,
  budget: SearchBudget,
): Promise<Comparison> {
  const path = file.newPath ?? file.oldPath ?? vscode.l10n.t('Suggested change');
  const found = file.oldPath === undefined ? [] : await findFilesInWorkspace(file.oldPath);
  const applied = (text: string) => applyHunks(text, file.hunks, budget);
  const before = await meantFile(found, (text) => applied(text) !== undefined);
  const current = before && (await textOf(before));
  const changed = current === undefined ? undefined : applied(current);
  if (before !== undefined && changed !== undefined)
    return { path, before, after: await documents.add(path, changed), isWhole: true };
  return {
    path,
    before: await documents.add(path, excerpt(file.hunks, 'old')),
    after: await documents.add(path, excerpt(file.hunks, 'new')),
    isWhole: file.oldPath === undefined && file.newPath !== undefined,
  };
}

/** One side of the hunks, with a line between two that stands for what the diff leaves out. */
function excerpt(hunks: readonly Hunk[], side: 'old' | 'new'): string {
  const texts = hunks.map((hunk) =>
    sideOf(hunk, side)
      .map((line) => `${line}\n`)
      .join(''),
  );
  return texts.join('⋯\n');
}

function titleOf({ path, isWhole }: Comparison): string {
  const name = plainLine(path.slice(path.lastIndexOf('/') + 1), 80);
  return isWhole
    ? vscode.l10n.t('{0} (suggested change)', name)
    : vscode.l10n.t('{0} (suggested change, excerpt)', name);
}
