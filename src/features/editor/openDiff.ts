import { hash } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import { plainLine, withoutCommands } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/text/format.ts';
import { applyHunks, searchBudget, type SearchBudget } from './applyHunks.ts';
import { findFilesInWorkspace, findFittingFile, readDocumentText } from './workspaceFiles.ts';
import { LANGUAGES_WITH_LINKS } from './languages.ts';
import type { ColumnOptions } from './lastTextEditor.ts';
import { type FileDiff, type Hunk, sideOf } from './unifiedDiff.ts';

const DIFF_SCHEME = 'interns-diff';

/** The number of texts to keep. VS Code asks for a text each time it shows its tab. */
const MAX_TEXTS = 200;

/** Provides the sides of diffs as read-only documents: `interns-diff:/PATH?HASH`. */
export class DiffDocuments extends DisposableBase implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #changed = this.own(new Emitter<vscode.Uri>());

  readonly onDidChange = this.#changed.event;

  constructor() {
    super();
    this.own(vscode.workspace.registerTextDocumentContentProvider(DIFF_SCHEME, this));
  }

  /**
   * Adds a document. Its path determines title and language. Adding the same text again returns the same URI. `command:`
   * links are disabled if they would work in the language.
   */
  async add(path: string, text: string): Promise<vscode.Uri> {
    const query = hash('sha256', text, 'base64url').slice(0, 16);
    const uri = vscode.Uri.from({
      scheme: DIFF_SCHEME,
      path: `/${path.replace(/^\/+/u, '')}`,
      query,
    });
    const safe = withoutCommands(text);
    this.#keep(uri, safe);
    if (safe === text) return uri;
    // The language depends on the user's settings, so only VS Code can find it.
    const { languageId } = await vscode.workspace.openTextDocument(uri);
    if (LANGUAGES_WITH_LINKS.has(languageId)) return uri;
    this.#keep(uri, text);
    this.#changed.fire(uri);
    return uri;
  }

  #keep(uri: vscode.Uri, text: string): void {
    const key = uri.toString();
    this.#texts.delete(key);
    this.#texts.set(key, text);
    const [oldest = key] = this.#texts.keys();
    if (this.#texts.size > MAX_TEXTS) this.#texts.delete(oldest);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ??
      vscode.l10n.t('This diff is no longer available. Open it again from the conversation.')
    );
  }
}

/** Opens the diff editor. Files whose old lines do not match the workspace are shown as excerpts. */
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
    const { before, after, title } = first;
    await vscode.commands.executeCommand('vscode.diff', before, after, title, where);
    return;
  }
  const title = vscode.l10n.t('Suggested changes in {0} files', formatNumber(comparisons.length));
  const resources = comparisons.map(({ before, after }) => [after, before, after]);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

/** Returns both sides of a file: the whole file if its lines match, else excerpts. */
async function compare(file: FileDiff, documents: DiffDocuments, budget: SearchBudget) {
  const path = file.newPath ?? file.oldPath ?? vscode.l10n.t('Suggested change');
  const found = file.oldPath === undefined ? [] : await findFilesInWorkspace(file.oldPath);
  const applied = (text: string) => applyHunks(text, file.hunks, budget);
  const before = await findFittingFile(found, (text) => applied(text) !== undefined);
  const current = before && (await readDocumentText(before));
  const changed = current === undefined ? undefined : applied(current);
  if (before !== undefined && changed !== undefined)
    return { title: titleOf(path, true), before, after: await documents.add(path, changed) };
  return {
    title: titleOf(path, file.oldPath === undefined && file.newPath !== undefined),
    before: await documents.add(path, excerpt(file.hunks, 'old')),
    after: await documents.add(path, excerpt(file.hunks, 'new')),
  };
}

/** Returns one side of the hunks, separated by lines with an ellipsis. */
function excerpt(hunks: readonly Hunk[], side: 'old' | 'new'): string {
  const texts = hunks.map((hunk) => sideOf(hunk, side).map((line) => `${line}\n`));
  return texts.map((lines) => lines.join('')).join('⋯\n');
}

/** @param isWhole true if the sides are whole files instead of excerpts */
function titleOf(path: string, isWhole: boolean): string {
  const name = plainLine(path.slice(path.lastIndexOf('/') + 1), 80);
  return isWhole
    ? vscode.l10n.t('{0} (suggested change)', name)
    : vscode.l10n.t('{0} (suggested change, excerpt)', name);
}
