import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableBase } from '../../base/disposable.ts';
import { foldedNames } from '../../base/pathNames.ts';

/** A place in a document where the user last was. */
export interface EditorLocation {
  readonly document: vscode.TextDocument;
  readonly selections: readonly vscode.Selection[];
  readonly column: vscode.ViewColumn | undefined;
}

const cellScheme = 'vscode-notebook-cell';

/** A pause in milliseconds after which a key is meant for the editor that has the focus, and not for what had it before. */
const pauseMs = 1_000;

/** The group of editors to open something in; the active one where left out. */
export interface ColumnOptions {
  readonly viewColumn?: vscode.ViewColumn;
}

/**
 * Remembers the text editor that was last active: while a chat has the focus, VS Code names none as active.
 *
 * Only editors of files and drafts count, not those of output panels or boxes. One that is no longer in sight is
 * still remembered by its document and selections while it has a tab.
 */
export class LastTextEditor extends DisposableBase {
  /** Its selections are those that it had last, in sight or not. */
  #editor: vscode.TextEditor | undefined;
  /** Files that the user has not used since something else showed them, with the time since which no key was pressed. */
  readonly #unused = new Map<string, number>();
  readonly #clock: Pick<Clock, 'monotonic'>;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    super();
    this.#clock = clock;
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    this.#remember(activeTextEditor ?? visibleTextEditors.find(isForText));
    // A page may have opened them before the window was reloaded.
    for (const { document } of visibleTextEditors) this.markShownByPage(document.uri);
    this.own(vscode.window.onDidChangeActiveTextEditor((editor) => this.#remember(editor)));
    this.own(vscode.window.onDidChangeTextEditorSelection((change) => this.#selected(change)));
  }

  /** Where the user is or last was; undefined where there is no such place. */
  get location(): EditorLocation | undefined {
    const editor = this.#editor;
    if (editor === undefined) return undefined;
    const visible = visibleEditor(editor);
    if (visible !== undefined) return locationOf(visible);
    return isInTab(editor.document) ? locationOf(editor) : undefined;
  }

  /**
   * Returns whether the user activated the editor of a place. A file that a page has shown counts only after the user has
   * clicked in it or moved its cursor: that it became active proves nothing.
   */
  isActivatedByUser({ document }: EditorLocation): boolean {
    return !this.#unused.has(keyOf(document.uri));
  }

  /** Must be called before a file is shown because a page asks for it. */
  markShownByPage(uri: vscode.Uri): void {
    this.#unused.set(keyOf(uri), this.#clock.monotonic());
  }

  /** Options that open something beside that place, rather than over the chat; none where its group is closed. */
  get columnOptions(): ColumnOptions {
    const column = this.location?.column;
    const isOpen = vscode.window.tabGroups.all.some(({ viewColumn }) => viewColumn === column);
    return column !== undefined && isOpen ? { viewColumn: column } : {};
  }

  /** The editor of a place, shown again where it is hidden. Takes the focus. */
  async show({ document, selections: [selection] }: EditorLocation): Promise<vscode.TextEditor> {
    const options = { ...this.columnOptions, ...(selection && { selection }) };
    return vscode.window.showTextDocument(document, options);
  }

  #remember(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined && isForText(editor)) this.#editor = editor;
  }

  /** Keys that follow the opening without a pause were typed for the chat: it was the page that moved the focus. */
  #selected({ textEditor, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const key = keyOf(textEditor.document.uri);
    const quietSince = this.#unused.get(key);
    if (quietSince === undefined) return;
    const { Mouse, Keyboard } = vscode.TextEditorSelectionChangeKind;
    const now = this.#clock.monotonic();
    const isPause = now - quietSince >= pauseMs;
    if (kind === Mouse || (kind === Keyboard && isPause)) this.#unused.delete(key);
    else if (kind === Keyboard) this.#unused.set(key, now);
  }
}

/** Equal for all addresses that VS Code may show one file by, and for a notebook and its cells. */
function keyOf({ path }: vscode.Uri): string {
  return foldedNames(path).join('/');
}

/** The editor itself, or another one of the same document, as VS Code makes when it shows one again. */
function visibleEditor(last: vscode.TextEditor): vscode.TextEditor | undefined {
  const editors = vscode.window.visibleTextEditors.filter(
    ({ document }) => document === last.document,
  );
  return editors.find(({ viewColumn }) => viewColumn === last.viewColumn) ?? editors[0];
}

/** VS Code keeps a document for minutes after its last tab was closed. */
function isInTab({ uri }: vscode.TextDocument): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) =>
    urisOf(input).some((shown) =>
      // A cell has the path of its notebook.
      uri.scheme === cellScheme ? shown.path === uri.path : shown.toString() === uri.toString(),
    ),
  );
}

function urisOf(input: unknown): readonly vscode.Uri[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook)
    return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}

function locationOf({ document, selections, viewColumn }: vscode.TextEditor): EditorLocation {
  return { document, selections, column: viewColumn };
}

function isForText({ document: { uri } }: vscode.TextEditor): boolean {
  const { scheme } = uri;
  return (
    scheme === 'untitled' ||
    scheme === cellScheme ||
    vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined
  );
}
