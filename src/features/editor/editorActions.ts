import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { hiddenCharacters, withoutHiddenCharacters } from '../../base/hiddenCharacters.ts';
import { parseLink, type FileLink, type LinkPosition } from '../../base/links.ts';
import { confirm, showModal } from '../../platform/dialogs/confirm.ts';
import {
  beginningOf,
  plainLine,
  visibleText,
  withoutCommands,
} from '../../platform/dialogs/plainText.ts';
import { warn } from '../../platform/dialogs/statusMessage.ts';
import type { Log } from '../../platform/log/log.ts';
import { formatNumber } from '../../platform/text/format.ts';
import { DiffDocuments, openDiff } from './openDiff.ts';
import { LANGUAGES_WITH_LINKS, languageIdOf } from './languages.ts';
import type { ColumnOptions, EditorLocation, LastTextEditor } from './lastTextEditor.ts';
import { applyDiff } from './applyDiff.ts';
import { isRisky } from './riskyFiles.ts';
import { parseUnifiedDiff, type FileDiff } from './unifiedDiff.ts';
import { findInWorkspace, realPathInside } from './workspaceFiles.ts';

/** The actions of code blocks and links in a reply. */
export class ReplyActions extends DisposableBase {
  readonly #log: Log;
  readonly #lastEditor: LastTextEditor;
  readonly #documents = this.own(new DiffDocuments());

  constructor(lastEditor: LastTextEditor, log: Log) {
    super();
    this.#lastEditor = lastEditor;
    this.#log = log;
  }

  /** Copies code, after a question about hidden characters. */
  async copyCode(code: string): Promise<void> {
    const agreed = await confirmHiddenCharacters(code);
    if (agreed !== undefined) await vscode.env.clipboard.writeText(agreed);
  }

  /**
   * Replaces the selections of the last text editor. Because untrusted text may control the page, code goes only into an
   * editor that the user activated, and into a risky file only after a question.
   */
  async insertAtCursor(code: string): Promise<void> {
    const { location } = this.#lastEditor;
    if (!vscode.workspace.isTrusted)
      warn(vscode.l10n.t('Code can be inserted only in a trusted workspace.'));
    else if (location === undefined)
      warn(vscode.l10n.t('Open a file and place the cursor where the code should go.'));
    else if (!this.#lastEditor.isActivatedByUser(location))
      warn(
        vscode.l10n.t(
          'Place the cursor in {0} where the code should go, then insert it again.',
          shownName(location),
        ),
      );
    else {
      const agreed = await confirmHiddenCharacters(code);
      if (agreed === undefined) return;
      if ((await isRiskyLocation(location)) && !(await confirmInsert(location, agreed))) return;
      const { version } = location.document;
      await insertInto(location, agreed, this.#lastEditor.columnOptions);
      // VS Code reports success for a read-only editor, too.
      if (location.document.version === version)
        warn(vscode.l10n.t('The code wasn’t inserted. This editor is read-only.'));
    }
  }

  /** Opens an untitled document. `language` is the first word of a Markdown info string, or empty. */
  async newFile(code: string, language: string): Promise<void> {
    const id = await languageIdOf(language);
    // Plain text disables `command:` links without changing the code. An explicit language keeps VS Code from guessing.
    const mayLink = id === undefined || LANGUAGES_WITH_LINKS.has(id);
    const shown = mayLink && withoutCommands(code) !== code ? 'plaintext' : id;
    const content = { content: code, ...(shown !== undefined && { language: shown }) };
    const document = await vscode.workspace.openTextDocument(content);
    const options = { preview: false, ...this.#lastEditor.columnOptions };
    await vscode.window.showTextDocument(document, options);
  }

  async openDiff(diff: string): Promise<void> {
    const files = readDiff(diff)?.filter(({ hunks }) => hunks.length > 0);
    if (files?.length === 0) warn(vscode.l10n.t('This diff has no changes to show.'));
    else if (files) await openDiff(files, this.#documents, this.#lastEditor.columnOptions);
  }

  async applyDiff(diff: string): Promise<void> {
    const files = readDiff(diff);
    if (files === undefined) return;
    if (files.length === 0) warn(vscode.l10n.t('This diff has no changes to apply.'));
    else if (vscode.workspace.workspaceFolders === undefined)
      warn(vscode.l10n.t('Open the folder with this diff’s files, then apply it again.'));
    else if (!vscode.workspace.isTrusted)
      warn(vscode.l10n.t('A diff can be applied only in a trusted workspace.'));
    else await applyDiff(files);
  }

  /**
   * Opens a web or mail address, or a file of the workspace at its line. VS Code asks before it opens a web address of an
   * untrusted domain. Mail addresses and servers on this machine, about which it never asks, are asked about here.
   */
  async openLink(href: string): Promise<void> {
    const link = parseLink(href);
    switch (link.kind) {
      case 'web':
        if (link.isTrusted) return openAfterQuestion(link.url);
        // VS Code's question shows the whole address only if it is passed as text.
        await vscode.commands.executeCommand('vscode.open', link.url);
        return;
      case 'mail':
        return openAfterQuestion(link.url);
      case 'file':
        return this.#openFile(link);
      case 'refused':
        this.#log.warn('Refused a link of a reply', undefined, link.scheme.slice(0, 40));
        warn(
          vscode.l10n.t(
            'Couldn’t open the link. Use a workspace file, email or web address without a user name.',
          ),
        );
    }
  }

  /** Returns the paths, with or without a line, that lead to files of the workspace. */
  async locate(paths: readonly string[]): Promise<readonly string[]> {
    const isFile = await Promise.all(paths.map(isFileLink));
    return paths.filter((_, index) => isFile[index] === true);
  }

  async #openFile({ path, authority, position }: FileLink): Promise<void> {
    const found = await findInWorkspace(path, authority);
    if (found === undefined) {
      warn(vscode.l10n.t('{0} isn’t in this workspace.', plainLine(path, 120)));
    } else if (found.isFolder) {
      await vscode.commands.executeCommand('revealInExplorer', found.uri);
    } else {
      const selection = position && { selection: selectionOf(position) };
      const options = { ...this.#lastEditor.columnOptions, ...selection };
      this.#lastEditor.markShownByPage(found.uri);
      await vscode.commands.executeCommand('vscode.open', found.uri, options);
    }
  }
}

async function isFileLink(href: string): Promise<boolean> {
  const link = parseLink(href);
  if (link.kind !== 'file' || link.authority !== '') return false;
  return (await findInWorkspace(link.path))?.isFolder === false;
}

async function openAfterQuestion(url: string): Promise<void> {
  const question = vscode.l10n.t('Open this address?');
  // A remote window forwards the port of a local server only for a URI.
  if (await confirm(question, url, vscode.l10n.t('Open'), 'information'))
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

function selectionOf({ line, column, endLine }: LinkPosition): vscode.Range {
  const start = new vscode.Position(line - 1, column - 1);
  return new vscode.Range(start, endLine > line ? new vscode.Position(endLine, 0) : start);
}

/** Asks whether to remove hidden characters. Returns the code to use; undefined if the user left. */
async function confirmHiddenCharacters(code: string): Promise<string | undefined> {
  const count = hiddenCharacters(code).length;
  if (count === 0) return code;
  const remove = vscode.l10n.t('Remove Hidden Characters');
  const keep = vscode.l10n.t('Keep Hidden Characters');
  const question =
    count === 1
      ? vscode.l10n.t('The code has 1 hidden character.')
      : vscode.l10n.t('The code has {0} hidden characters.', formatNumber(count));
  const detail = vscode.l10n.t(
    'Hidden characters can make code do something other than what you see.',
  );
  const chosen = await showModal(question, detail, [remove, keep]);
  if (chosen === undefined) return undefined;
  return chosen === keep ? code : withoutHiddenCharacters(code);
}

/** The most code that the question shows, so that the dialog's buttons stay visible. */
const MAX_SHOWN_CODE = { lines: 10, characters: 600 } as const;

/** Returns whether the file is risky by its path or its real path, or is outside the workspace through a link. */
async function isRiskyLocation({ document }: EditorLocation): Promise<boolean> {
  if (document.isUntitled) return false;
  const { uri } = notebookOf(document) ?? document;
  const realPath = await realPathInside(uri);
  const isInFolder = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  if (realPath === undefined && isInFolder) return true;
  const paths = [vscode.workspace.asRelativePath(uri, false), realPath ?? uri.path];
  return paths.some((path) => isRisky(path, document.lineAt(0).text));
}

/** Returns the notebook that a document is a cell of. */
function notebookOf(document: vscode.TextDocument): vscode.NotebookDocument | undefined {
  return vscode.workspace.notebookDocuments.find((each) =>
    each.getCells().some((cell) => cell.document === document),
  );
}

async function insertInto(
  { document, selections }: EditorLocation,
  code: string,
  where: ColumnOptions,
): Promise<void> {
  const notebook = notebookOf(document);
  if (notebook === undefined) {
    const [selection] = selections;
    const options = { ...where, ...(selection && { selection }) };
    const editor = await vscode.window.showTextDocument(document, options);
    // Unlike a plain edit, a snippet adopts the indentation of the line.
    await editor.insertSnippet(new vscode.SnippetString().appendText(code), selections);
    return;
  }
  // A cell that is shown by itself opens in another tab, which is read-only.
  await vscode.window.showNotebookDocument(notebook, where);
  const edit = new vscode.WorkspaceEdit();
  for (const range of selections) edit.replace(document.uri, range, code);
  await vscode.workspace.applyEdit(edit);
}

function confirmInsert(location: EditorLocation, code: string): Promise<boolean> {
  const start = beginningOf(code, MAX_SHOWN_CODE);
  const why = vscode.l10n.t('Tools run this file, or agents follow it. The code starts with:');
  return confirm(
    vscode.l10n.t('Insert code into {0}?', shownName(location)),
    [why, `${visibleText(start)}${start === code ? '' : '…'}`].join('\n\n'),
    vscode.l10n.t('Insert'),
  );
}

function shownName({ document }: EditorLocation): string {
  return plainLine(vscode.workspace.asRelativePath(document.uri), 120);
}

/** The largest diff, in UTF-16 units and in files. */
const MAX_DIFF = { characters: 1_000_000, files: 100 } as const;

/** Parses a diff. Warns and returns undefined if it is too large. */
function readDiff(diff: string): readonly FileDiff[] | undefined {
  const files = diff.length > MAX_DIFF.characters ? undefined : parseUnifiedDiff(diff);
  if (files !== undefined && files.length <= MAX_DIFF.files) return files;
  warn(
    vscode.l10n.t(
      'This diff is too large (at most {0} characters and {1} files). Copy it instead.',
      formatNumber(MAX_DIFF.characters),
      formatNumber(MAX_DIFF.files),
    ),
  );
  return undefined;
}
