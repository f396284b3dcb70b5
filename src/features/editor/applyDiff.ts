import {
  l10n,
  Position,
  Range,
  type Uri,
  workspace,
  WorkspaceEdit,
  type WorkspaceEditEntryMetadata,
} from 'vscode';
import { foldedNames } from '../../base/pathNames.ts';
import { confirm, showModal } from '../../platform/dialogs/confirm.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { formatNumber } from '../../platform/text/format.ts';
import {
  applyHunks,
  findChanges,
  searchBudget,
  type HunkConflict,
  type TextChange,
} from './applyHunks.ts';
import {
  findFilesInWorkspace,
  findFittingFile,
  uriForMovedFile,
  uriForNewFile,
  realPathInside,
  readDocumentText,
} from './workspaceFiles.ts';
import { isRisky } from './riskyFiles.ts';
import { sideOf, type FileDiff, type Hunk } from './unifiedDiff.ts';

const MAX_NAMED_FILES = 15;

/**
 * Applies the changes of a diff that the user selects in the editor's preview, as one undo step. First lists the changes
 * that do not fit.
 */
export async function applyDiff(files: readonly FileDiff[]): Promise<void> {
  const plan = new DiffPlan();
  for (const file of files) await plan.add(file);
  if (plan.conflicts.length > 0 && !(await confirmRest(plan))) return;
  await workspace.applyEdit(plan.edit, { isRefactoring: true });
}

async function confirmRest({ edit, conflicts }: DiffPlan): Promise<boolean> {
  const named = conflicts.slice(0, MAX_NAMED_FILES);
  const others = conflicts.length - named.length;
  if (others > 0) named.push(l10n.t('and {0} more', formatNumber(others)));
  const detail = named.join('\n');
  if (edit.size === 0) {
    const none = l10n.t('None of these changes fit this workspace.');
    await showModal(none, detail, []);
    return false;
  }
  const some = l10n.t('Some of these changes don’t fit this workspace.');
  return confirm(some, detail, l10n.t('Preview Remaining Changes'));
}

/** The edits of a diff. Reads nothing outside the workspace. */
class DiffPlan {
  readonly edit = new WorkspaceEdit();
  /** A sentence for each change that does not fit. */
  readonly conflicts: string[] = [];
  /** The URIs of files that have their changes already. */
  readonly #done = new Set<string>();
  readonly #budget = searchBudget();
  readonly #realPaths = new Map<string, string>();

  async add(file: FileDiff): Promise<void> {
    const { oldPath, newPath, hunks } = file;
    if (oldPath === undefined) {
      if (newPath !== undefined) await this.#create(newPath, file);
      else this.conflicts.push(l10n.t('The diff doesn’t name the file it changes.'));
      return;
    }
    const before = await this.#findFile(oldPath, file);
    if (before !== undefined && newPath !== undefined && newPath !== oldPath)
      return this.#move(before, oldPath, newPath, file);
    // The file may already be renamed.
    const uri = before ?? (newPath === oldPath ? undefined : await this.#findFile(newPath, file));
    if (uri === undefined) this.#addMissingFile(oldPath);
    else if (newPath === undefined) await this.#delete(oldPath, uri, hunks);
    else if (this.#isFirst(newPath, uri)) await this.#change(newPath, uri, uri, hunks);
  }

  async #move(before: Uri, oldPath: string, path: string, { hunks }: FileDiff): Promise<void> {
    const uri = await this.#findNewFile(path, () => uriForMovedFile(before, oldPath, path));
    if (uri !== undefined && this.#isFirst(path, before) && this.#isFirst(path, uri)) {
      this.edit.renameFile(before, uri, { overwrite: false }, this.#entryOf([before, uri]));
      if (hunks.length > 0) await this.#change(path, before, uri, hunks);
    }
  }

  async #create(path: string, { hunks }: FileDiff): Promise<void> {
    const isThere = (await this.#filesAt(path)).length > 0;
    const uri = await this.#findNewFile(path, async () =>
      isThere ? undefined : uriForNewFile(path),
    );
    if (uri === undefined || !this.#isFirst(path, uri)) return;
    const lines = hunks.flatMap((hunk) => sideOf(hunk, 'new'));
    const text = lines.map((line) => `${line}\n`).join('');
    const entry = this.#entryOf([uri], [text]);
    this.edit.createFile(uri, { overwrite: false }, entry);
    if (text !== '') this.edit.insert(uri, new Position(0, 0), text, entry);
  }

  /** Deletes a file only if the diff removes all of its lines. */
  async #delete(path: string, uri: Uri, hunks: readonly Hunk[]): Promise<void> {
    if (!this.#isFirst(path, uri)) return;
    const text = await this.#textOf(path, uri);
    if (text === undefined) return;
    if (applyHunks(text, hunks, this.#budget) === '')
      this.edit.deleteFile(uri, {}, this.#entryOf([uri], [text]));
    else this.conflicts.push(l10n.t('{0} has changed, so it isn’t deleted.', nameOf(path)));
  }

  /** @param uri the file's URI after a rename */
  async #change(path: string, before: Uri, uri: Uri, hunks: readonly Hunk[]): Promise<void> {
    const text = await this.#textOf(path, before);
    if (text === undefined) return;
    for (const [index, change] of findChanges(text, hunks, this.#budget).entries()) {
      if (typeof change === 'string')
        this.conflicts.push(hunkConflictMessage(path, hunks, index, change));
      else {
        const { start, end } = change;
        const range = new Range(start.line, start.character, end.line, end.character);
        const entry = this.#entryOf([before, uri], [text, startAfter(text, change)]);
        this.edit.replace(uri, range, change.text, entry);
      }
    }
  }

  async #textOf(path: string, uri: Uri): Promise<string | undefined> {
    const text = await readDocumentText(uri);
    if (text === undefined)
      this.conflicts.push(l10n.t('{0} couldn’t be read as text.', nameOf(path)));
    return text;
  }

  async #findFile(
    path: string | undefined,
    { newPath, hunks }: FileDiff,
  ): Promise<Uri | undefined> {
    const uris = await this.#filesAt(path);
    return findFittingFile(uris, (text) => {
      const changed = applyHunks(text, hunks, this.#budget);
      return newPath === undefined ? changed === '' : changed !== undefined;
    });
  }

  async #filesAt(path: string | undefined): Promise<readonly Uri[]> {
    const found = path !== undefined && isPlain(path) ? await findFilesInWorkspace(path) : [];
    const uris: Uri[] = [];
    for (const uri of found) if (await this.#mayChange(uri)) uris.push(uri);
    return uris;
  }

  /** Returns the URI of a file that can be created, or adds a conflict. */
  async #findNewFile(path: string, find: () => Promise<Uri | undefined>): Promise<Uri | undefined> {
    const uri = isPlain(path) ? await find() : undefined;
    if (uri !== undefined && (await this.#mayChange(uri))) return uri;
    if ((await this.#filesAt(path)).length === 0) this.#addMissingFile(path);
    else this.conflicts.push(l10n.t('{0} already exists.', nameOf(path)));
    return undefined;
  }

  /** Returns whether a file is inside the workspace and not in Git's folder, with links resolved. */
  async #mayChange(uri: Uri): Promise<boolean> {
    const path = await realPathInside(uri);
    if (path === undefined || isOfGit(path)) return false;
    this.#realPaths.set(uri.toString(), path);
    return true;
  }

  /**
   * Labels a change in the preview, which groups risky files under their own label.
   *
   * @param uris the file's URIs before and after the change
   * @param texts the file's texts before and after, of which the first line is enough
   */
  #entryOf(uris: readonly Uri[], texts: readonly string[] = ['']): WorkspaceEditEntryMetadata {
    const paths = uris.flatMap((uri) => {
      const shown = workspace.asRelativePath(uri, false);
      return [shown, this.#realPaths.get(uri.toString()) ?? shown];
    });
    const label = paths.some((path) => texts.some((text) => isRisky(path, text)))
      ? l10n.t('Suggested change to a file that tools run or agents follow')
      : l10n.t('Suggested change');
    return { needsConfirmation: true, label };
  }

  #isFirst(path: string, uri: Uri): boolean {
    const key = uri.toString();
    const isFirst = !this.#done.has(key);
    if (!isFirst) this.conflicts.push(l10n.t('The diff changes {0} twice.', nameOf(path)));
    this.#done.add(key);
    return isFirst;
  }

  #addMissingFile(path: string): void {
    this.conflicts.push(l10n.t('{0} isn’t in this workspace.', nameOf(path)));
  }
}

function hunkConflictMessage(
  path: string,
  hunks: readonly Hunk[],
  index: number,
  why: HunkConflict,
): string {
  const line = hunks[index]?.oldStart;
  const which = [nameOf(path), formatNumber(index + 1), formatNumber(hunks.length)] as const;
  if (why === 'several') return l10n.t('{0}: change {1} of {2} fits in several places.', ...which);
  if (line === undefined) return l10n.t('{0}: change {1} of {2} no longer fits.', ...which);
  return l10n.t(
    '{0}: change {1} of {2}, at line {3}, no longer fits.',
    ...which,
    formatNumber(line),
  );
}

/** Returns the first line of a text after a change; empty if the change is further down. */
function startAfter(text: string, { start, end, text: inserted }: TextChange): string {
  if (start.line > 0 || start.character > 0) return '';
  const last = text.split(/\r?\n/u)[end.line] ?? '';
  return inserted + last.slice(end.character);
}

/** Returns whether a path means the same on every system and is not in Git's folder. Windows gives colons a meaning. */
function isPlain(path: string): boolean {
  return !/[\\:\p{C}]/u.test(path) && !isOfGit(path);
}

/** Returns whether a path is in Git's folder, where hooks run by themselves. */
function isOfGit(path: string): boolean {
  return foldedNames(path).some((name) => /^(?:\.git|git~\d)$/u.test(name));
}

function nameOf(path: string): string {
  return plainLine(path, 120);
}
