import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';

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
export class LastTextEditor implements Disposable {
  readonly #store = new DisposableStore();
  #place: TextPlace | undefined;

  constructor() {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    this.#remember(activeTextEditor ?? visibleTextEditors.find(isForText));
    this.#store.add(vscode.window.onDidChangeActiveTextEditor((editor) => this.#remember(editor)));
    this.#store.add(
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === vscode.window.activeTextEditor) this.#remember(textEditor);
      }),
    );
  }

  /** Where the user is or last was; undefined where there is no such place. */
  get place(): TextPlace | undefined {
    const place = this.#place;
    if (place === undefined) return undefined;
    const visible = visibleEditor(place);
    if (visible !== undefined) return placeOf(visible);
    return isInTab(place.document) ? place : undefined;
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

  dispose(): void {
    this.#store.dispose();
  }

  #remember(editor: vscode.TextEditor | undefined): void {
    if (editor !== undefined && isForText(editor)) this.#place = placeOf(editor);
  }
}

function visibleEditor({ document, column }: TextPlace): vscode.TextEditor | undefined {
  const editors = vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
  return editors.find((editor) => editor.viewColumn === column) ?? editors[0];
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
