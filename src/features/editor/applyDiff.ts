import * as vscode from 'vscode';
import { foldedNames } from '../../base/pathNames.ts';
import { confirm } from '../../platform/dialogs/confirm.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/words/format.ts';
import {
  applyHunks,
  changesOf,
  searchBudget,
  type HunkConflict,
  type TextChange,
} from './applyHunks.ts';
import {
  findFilesInWorkspace,
  meantFile,
  uriForMovedFile,
  uriForNewFile,
  realPathInside,
  textOf,
} from './workspaceFiles.ts';
import { isRisky } from './riskyFiles.ts';
import { sideOf, type FileDiff, type Hunk } from './unifiedDiff.ts';

/** The most conflicts that are named; the others are counted. */
const maxNamed = 15;

/**
 * Applies the changes of a diff that the user selects in the editor's preview, as one step that can be undone. Lists what
 * does not fit first.
 */
export async function applyDiff(files: readonly FileDiff[]): Promise<void> {
  const plan = new DiffPlan();
  for (const file of files) await plan.add(file);
  if (plan.conflicts.length > 0 && !(await agreeToRest(plan))) return;
  await vscode.workspace.applyEdit(plan.edit, { isRefactoring: true });
}

/** Lists what does not fit, and asks whether to show the rest. */
async function agreeToRest({ edit, conflicts }: DiffPlan): Promise<boolean> {
  const told = conflicts.slice(0, maxNamed);
  const others = conflicts.length - told.length;
  if (others > 0) told.push(vscode.l10n.t('and {0} more', formatNumber(others)));
  const detail = told.join('\n');
  if (edit.size === 0) {
    const none = vscode.l10n.t('None of these changes fits this workspace.');
    await vscode.window.showWarningMessage(none, { modal: true, detail });
    return false;
  }
  const some = vscode.l10n.t('Some of these changes do not fit this workspace.');
  return confirm(some, detail, vscode.l10n.t('Preview the Others'));
}

/** The edits of a diff. Nothing outside the workspace is looked at. */
class DiffPlan {
  readonly edit = new vscode.WorkspaceEdit();
  /** A sentence for each change that does not fit. */
  readonly conflicts: string[] = [];
  /** Files that have their changes already. */
  readonly #done = new Set<string>();
  readonly #budget = searchBudget();
  /** The real paths of files, by their URIs. */
  readonly #realPaths = new Map<string, string>();

  async add(file: FileDiff): Promise<void> {
    const { oldPath, newPath, hunks } = file;
    const path = newPath ?? oldPath;
    if (path === undefined) {
      this.conflicts.push(vscode.l10n.t('The diff does not say which file it changes.'));
      return;
    }
    if (oldPath === undefined) {
      await this.#create(path, file);
      return;
    }
    const before = await this.#findFile(oldPath, file);
    if (before !== undefined && newPath !== undefined && newPath !== oldPath) {
      await this.#move(before, oldPath, newPath, file);
      return;
    }
    // It may have its new name by now.
    const uri = before ?? (newPath === oldPath ? undefined : await this.#findFile(newPath, file));
    if (uri === undefined) this.#addMissingFile(oldPath);
    else if (newPath === undefined) await this.#delete(path, uri, hunks);
    else if (this.#isFirst(path, uri)) await this.#change(path, uri, uri, hunks);
  }

  async #move(
    before: vscode.Uri,
    oldPath: string,
    path: string,
    { hunks }: FileDiff,
  ): Promise<void> {
    const uri = await this.#findPlace(path, () => uriForMovedFile(before, oldPath, path));
    if (uri !== undefined && this.#isFirst(path, before) && this.#isFirst(path, uri)) {
      this.edit.renameFile(before, uri, { overwrite: false }, this.#entryOf([before, uri]));
      if (hunks.length > 0) await this.#change(path, before, uri, hunks);
    }
  }

  async #create(path: string, { hunks }: FileDiff): Promise<void> {
    const isThere = (await this.#filesAt(path)).length > 0;
    const uri = await this.#findPlace(path, async () =>
      isThere ? undefined : uriForNewFile(path),
    );
    if (uri === undefined || !this.#isFirst(path, uri)) return;
    const lines = hunks.flatMap((hunk) => sideOf(hunk, 'new'));
    const text = lines.map((line) => `${line}\n`).join('');
    const entry = this.#entryOf([uri], [text]);
    this.edit.createFile(uri, { overwrite: false }, entry);
    if (text !== '') this.edit.insert(uri, new vscode.Position(0, 0), text, entry);
  }

  /** Deletes a file only if the diff takes all of its lines. */
  async #delete(path: string, uri: vscode.Uri, hunks: readonly Hunk[]): Promise<void> {
    if (!this.#isFirst(path, uri)) return;
    const text = await this.#textOf(path, uri);
    if (text === undefined) return;
    if (applyHunks(text, hunks, this.#budget) === '')
      this.edit.deleteFile(uri, {}, this.#entryOf([uri], [text]));
    else
      this.#addConflict(
        vscode.l10n.t('{0} has other lines by now, and is not deleted.', nameOf(path)),
      );
  }

  /** @param uri where the file is when its lines are changed */
  async #change(
    path: string,
    before: vscode.Uri,
    uri: vscode.Uri,
    hunks: readonly Hunk[],
  ): Promise<void> {
    const text = await this.#textOf(path, before);
    if (text === undefined) return;
    for (const [index, change] of changesOf(text, hunks, this.#budget).entries()) {
      if (typeof change === 'string') this.#addHunkConflict(path, hunks, index, change);
      else {
        const { start, end } = change;
        const range = new vscode.Range(start.line, start.character, end.line, end.character);
        const entry = this.#entryOf([before, uri], [text, startAfter(text, change)]);
        this.edit.replace(uri, range, change.text, entry);
      }
    }
  }

  async #textOf(path: string, uri: vscode.Uri): Promise<string | undefined> {
    const text = await textOf(uri);
    if (text === undefined)
      this.#addConflict(vscode.l10n.t('{0} cannot be read as text.', nameOf(path)));
    return text;
  }

  /** A file inside the workspace, also when the links in its path are followed. */
  async #findFile(
    path: string | undefined,
    { newPath, hunks }: FileDiff,
  ): Promise<vscode.Uri | undefined> {
    const uris = await this.#filesAt(path);
    return meantFile(uris, (text) => {
      const changed = applyHunks(text, hunks, this.#budget);
      return newPath === undefined ? changed === '' : changed !== undefined;
    });
  }

  async #filesAt(path: string | undefined): Promise<readonly vscode.Uri[]> {
    const found = path !== undefined && isPlain(path) ? await findFilesInWorkspace(path) : [];
    const uris: vscode.Uri[] = [];
    for (const uri of found) if (await this.#mayChange(uri)) uris.push(uri);
    return uris;
  }

  /** Returns where a file can be created, or adds a conflict. */
  async #findPlace(
    path: string,
    find: () => Promise<vscode.Uri | undefined>,
  ): Promise<vscode.Uri | undefined> {
    const place = isPlain(path) ? await find() : undefined;
    if (place !== undefined && (await this.#mayChange(place))) return place;
    if ((await this.#filesAt(path)).length === 0) this.#addMissingFile(path);
    else this.#addConflict(vscode.l10n.t('{0} is there already.', nameOf(path)));
    return undefined;
  }

  /** Follows links: one in the workspace may lead into Git's folder. */
  async #mayChange(uri: vscode.Uri): Promise<boolean> {
    const path = await realPathInside(uri);
    if (path === undefined || isOfGit(path)) return false;
    this.#realPaths.set(uri.toString(), path);
    return true;
  }

  /**
   * Labels a change in the preview, in which the user ticks it: risky files are apart from the others.
   *
   * @param uris The file, before and after the change.
   * @param texts What it holds before and after, if that is known; the first line is enough.
   */
  #entryOf(
    uris: readonly vscode.Uri[],
    texts: readonly string[] = [''],
  ): vscode.WorkspaceEditEntryMetadata {
    const paths = uris.flatMap((uri) => {
      const shown = vscode.workspace.asRelativePath(uri, false);
      return [shown, this.#realPaths.get(uri.toString()) ?? shown];
    });
    const label = paths.some((path) => texts.some((text) => isRisky(path, text)))
      ? vscode.l10n.t('Suggested change to a file that tools may run or agents may follow')
      : vscode.l10n.t('Suggested change');
    return { needsConfirmation: true, label };
  }

  #isFirst(path: string, uri: vscode.Uri): boolean {
    const key = uri.toString();
    const isFirst = !this.#done.has(key);
    if (!isFirst)
      this.#addConflict(vscode.l10n.t('{0} is changed twice by the diff.', nameOf(path)));
    this.#done.add(key);
    return isFirst;
  }

  #addMissingFile(path: string): void {
    this.#addConflict(vscode.l10n.t('{0} is not in this workspace.', nameOf(path)));
  }

  #addHunkConflict(path: string, hunks: readonly Hunk[], index: number, why: HunkConflict): void {
    const line = hunks[index]?.oldStart;
    const which = [nameOf(path), formatNumber(index + 1), formatNumber(hunks.length)] as const;
    if (why === 'several')
      this.#addConflict(vscode.l10n.t('{0}: change {1} of {2} fits in several places.', ...which));
    else if (line === undefined)
      this.#addConflict(vscode.l10n.t('{0}: change {1} of {2} no longer fits.', ...which));
    else
      this.#addConflict(
        vscode.l10n.t(
          '{0}: change {1} of {2}, at line {3}, no longer fits.',
          ...which,
          formatNumber(line),
        ),
      );
  }

  #addConflict(sentence: string): void {
    this.conflicts.push(sentence);
  }
}

/** Returns the start of a text after a change: its first line or more. Empty if the change is further down. */
function startAfter(text: string, { start, end, text: inserted }: TextChange): string {
  if (start.line > 0 || start.character > 0) return '';
  const last = text.split(/\r?\n/u)[end.line] ?? '';
  return inserted + last.slice(end.character);
}

/** Whether a path means the same on every system and is not Git's. On Windows a colon leads into a file. */
function isPlain(path: string): boolean {
  return !/[\\:\p{C}]/u.test(path) && !isOfGit(path);
}

/** A hook in there runs by itself. */
function isOfGit(path: string): boolean {
  return foldedNames(path).some((name) => /^(?:\.git|git~\d)$/u.test(name));
}

function nameOf(path: string): string {
  return plainLine(path, 120);
}
