import * as vscode from 'vscode';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/words/format.ts';
import { applyHunks, searchBudget, type SearchBudget } from './applyHunks.ts';
import type { DiffDocuments } from './diffDocuments.ts';
import { meantFile, textOf } from './diffTarget.ts';
import type { ColumnOptions } from './lastTextEditor.ts';
import { sideOf, type FileDiff, type Hunk } from './unifiedDiff.ts';
import { findFilesInWorkspace } from './workspaceFiles.ts';

/** Both sides of one file's changes. */
interface Comparison {
  readonly path: string;
  readonly before: vscode.Uri;
  readonly after: vscode.Uri;
  /** Whether the sides are whole files: the changes fit the file in the workspace. */
  readonly isWhole: boolean;
}

/**
 * Shows a diff in the diff editor: each file against the workspace's own where its old lines are there, else the changed
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
