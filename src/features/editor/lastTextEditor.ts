import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableBase } from '../../base/disposable.ts';
import { foldedNames } from '../../base/pathNames.ts';

export type EditorLocation = Pick<vscode.TextEditor, 'document' | 'selections' | 'viewColumn'>;

const NOTEBOOK_CELL_SCHEME = 'vscode-notebook-cell';

/** The pause in typing, in ms, after which a key is meant for the editor that just got the focus. */
const TYPING_PAUSE_MS = 1_000;

export type ColumnOptions = Pick<vscode.TextDocumentShowOptions, 'viewColumn'>;

/**
 * Remembers the text editor that was last active, because VS Code has no active one while a chat has the focus. Only
 * editors of files and untitled documents count. A hidden editor counts while its document has a tab.
 */
export class LastTextEditor extends DisposableBase {
  /** Its selections stay readable after it is hidden. */
  #editor: vscode.TextEditor | undefined;
  /** When a page showed each file that the user has not used since, or a key was last pressed in it (monotonic clock). */
  readonly #unused = new Map<string, number>();
  readonly #clock: Pick<Clock, 'monotonic'>;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    super();
    this.#clock = clock;
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    this.#remember(activeTextEditor ?? visibleTextEditors.find(isForText));
    // A page may have shown them before the window reloaded.
    for (const { document } of visibleTextEditors) this.markShownByPage(document.uri);
    this.own(vscode.window.onDidChangeActiveTextEditor((editor) => this.#remember(editor)));
    this.own(
      vscode.window.onDidChangeTextEditorSelection((change) => this.#handleSelection(change)),
    );
  }

  get location(): EditorLocation | undefined {
    const last = this.#editor;
    const column = last && columnOf(last.document);
    const editor = last && (visibleEditor(last) ?? (column === undefined ? undefined : last));
    if (editor === undefined) return undefined;
    // The editor of a cell has no column.
    const { document, selections, viewColumn = column } = editor;
    return { document, selections, viewColumn };
  }

  /**
   * Returns whether the user, not a page, activated the editor. A file that a page has shown counts only after the user
   * clicks in it or moves its cursor.
   */
  isActivatedByUser({ document }: EditorLocation): boolean {
    return !this.#unused.has(keyOf(document.uri));
  }

  /** Must be called before a file is shown because a page asks for it. */
  markShownByPage(uri: vscode.Uri): void {
    this.#unused.set(keyOf(uri), this.#clock.monotonic());
  }

  /** Options to open something in the column of the last editor instead of over the chat. */
  get columnOptions(): ColumnOptions {
    const column = this.location?.viewColumn;
    const isOpen = vscode.window.tabGroups.all.some(({ viewColumn }) => viewColumn === column);
    return column !== undefined && isOpen ? { viewColumn: column } : {};
  }

  #remember(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined && isForText(editor)) this.#editor = editor;
  }

  /** Ignores keys that follow the opening without a pause, because they were typed for the chat. */
  #handleSelection({ textEditor, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const key = keyOf(textEditor.document.uri);
    const lastKeyAt = this.#unused.get(key);
    if (lastKeyAt === undefined) return;
    const { Mouse, Keyboard } = vscode.TextEditorSelectionChangeKind;
    const now = this.#clock.monotonic();
    const isPause = now - lastKeyAt >= TYPING_PAUSE_MS;
    if (kind === Mouse || (kind === Keyboard && isPause)) this.#unused.delete(key);
    else if (kind === Keyboard) this.#unused.set(key, now);
  }
}

/** Returns the same key for all URIs of a file, and for a notebook and its cells. */
function keyOf({ path }: vscode.Uri): string {
  return foldedNames(path).join('/');
}

/** Returns the editor, or another one of its document, because VS Code makes a new one when it shows a tab again. */
function visibleEditor(last: vscode.TextEditor): vscode.TextEditor | undefined {
  const editors = vscode.window.visibleTextEditors.filter(
    ({ document }) => document === last.document,
  );
  return editors.find(({ viewColumn }) => viewColumn === last.viewColumn) ?? editors[0];
}

/** Returns the column of a document's tab. VS Code keeps documents for minutes after the last one is closed. */
function columnOf({ uri }: vscode.TextDocument): vscode.ViewColumn | undefined {
  const isShown = (shown: vscode.Uri) =>
    // A cell has the path of its notebook.
    uri.scheme === NOTEBOOK_CELL_SCHEME
      ? shown.path === uri.path
      : shown.toString() === uri.toString();
  const isIn = ({ input }: vscode.Tab) => urisOf(input).some(isShown);
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(isIn))?.viewColumn;
}

function urisOf(input: unknown): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook)
    return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}

function isForText({ document: { uri } }: vscode.TextEditor): boolean {
  const { scheme } = uri;
  return (
    scheme === 'untitled' ||
    scheme === NOTEBOOK_CELL_SCHEME ||
    vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined
  );
}
