import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';

/** A place in a document where the user last was. */
export interface TextPlace {
  readonly document: vscode.TextDocument;
  readonly selections: readonly vscode.Selection[];
  readonly column: vscode.ViewColumn | undefined;
}

/** The group of editors to open something in; the active one where left out. */
export interface ColumnOptions {
  readonly viewColumn?: vscode.ViewColumn;
}

/**
 * Remembers the text editor that was last active: while a chat has the focus, VS Code names none as active.
 *
 * Only editors of files and drafts count, not those of output panels or boxes. One that is no longer in sight is
 * still remembered by its document and selections until that document is closed.
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
    this.#store.add(
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (this.#place?.document === document) this.#place = undefined;
      }),
    );
  }

  /** Where the user is or last was; undefined where there is no such place. */
  get place(): TextPlace | undefined {
    const place = this.#place;
    if (place === undefined) return undefined;
    const visible = visibleEditor(place);
    return visible === undefined ? place : placeOf(visible);
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

function placeOf({ document, selections, viewColumn }: vscode.TextEditor): TextPlace {
  return { document, selections, column: viewColumn };
}

function isForText({ document: { uri } }: vscode.TextEditor): boolean {
  const { scheme } = uri;
  return (
    scheme === 'untitled' ||
    scheme === 'vscode-notebook-cell' ||
    vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined
  );
}
