import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';

/** A place in a document where the user last was. */
export interface TextPlace {
  readonly document: vscode.TextDocument;
  readonly selections: readonly vscode.Selection[];
  readonly column: vscode.ViewColumn | undefined;
}

const cellScheme = 'vscode-notebook-cell';

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

  constructor() {
    super();
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    this.#remember(activeTextEditor ?? visibleTextEditors.find(isForText));
    this.own(vscode.window.onDidChangeActiveTextEditor((editor) => this.#remember(editor)));
  }

  /** Where the user is or last was; undefined where there is no such place. */
  get place(): TextPlace | undefined {
    const editor = this.#editor;
    if (editor === undefined) return undefined;
    const visible = visibleEditor(editor);
    if (visible !== undefined) return placeOf(visible);
    return isInTab(editor.document) ? placeOf(editor) : undefined;
  }

  /** Options that open something beside that place, rather than over the chat; none where its group is closed. */
  get where(): ColumnOptions {
    const column = this.place?.column;
    const isOpen = vscode.window.tabGroups.all.some(({ viewColumn }) => viewColumn === column);
    return column !== undefined && isOpen ? { viewColumn: column } : {};
  }

  /** The editor of a place, shown again where it is hidden. Takes the focus. */
  async show({ document, selections: [selection] }: TextPlace): Promise<vscode.TextEditor> {
    const options = { ...this.where, ...(selection && { selection }) };
    return vscode.window.showTextDocument(document, options);
  }

  #remember(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined && isForText(editor)) this.#editor = editor;
  }
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

function placeOf({ document, selections, viewColumn }: vscode.TextEditor): TextPlace {
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
