import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';

/** Our own language: its default settings wrap lines, which may have thousands of characters. */
const TEXT_LANGUAGE_ID = 'interns-text';

/** Shows long texts of dialogs in read-only editors. */
export class ReadOnlyTexts extends DisposableBase implements vscode.TextDocumentContentProvider {
  readonly #scheme: string;
  readonly #texts = new Map<string, string>();
  readonly #readToEnd = new Set<string>();

  constructor(scheme: string) {
    super();
    this.#scheme = scheme;
    this.own(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
    this.own(
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) =>
        this.#trackEnd(textEditor),
      ),
    );
  }

  /**
   * Opens a text beside the active editor.
   *
   * @param id identifies the text until it is forgotten
   * @param preserveFocus false moves the focus to the text, for a dialog that the user can return to
   */
  async show(id: string, title: string, text: string, preserveFocus = true): Promise<void> {
    this.#texts.set(id, text);
    const path = `/${title.replaceAll(/[\\/]/g, '-')}`;
    const uri = vscode.Uri.from({ scheme: this.#scheme, path, query: id });
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(
      await vscode.languages.setTextDocumentLanguage(document, TEXT_LANGUAGE_ID),
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus, preview: true },
    );
    this.#trackEnd(editor);
  }

  /** Returns whether the end of a text has been visible. */
  wasReadToEnd(id: string): boolean {
    return this.#readToEnd.has(id);
  }

  /** Forgets a text and closes its tab. */
  async forget(id: string): Promise<void> {
    if (!this.#texts.delete(id)) return;
    this.#readToEnd.delete(id);
    await closeTextTabs((uri) => uri.scheme === this.#scheme && uri.query === id);
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    return this.#texts.get(query) ?? vscode.l10n.t('This text is no longer available.');
  }

  #trackEnd({ document, visibleRanges }: vscode.TextEditor): void {
    const { scheme, query } = document.uri;
    if (scheme !== this.#scheme || !this.#texts.has(query)) return;
    const { end } = document.lineAt(document.lineCount - 1).range;
    if (visibleRanges.some((range) => range.contains(end))) this.#readToEnd.add(query);
  }
}

type MatchesText = (uri: vscode.Uri, isDirty: boolean) => boolean;

/** Returns the matching tabs of texts: of all tabs, or of those given. */
export function textTabs(
  matches: MatchesText,
  tabs: readonly vscode.Tab[] = vscode.window.tabGroups.all.flatMap((group) => group.tabs),
): readonly vscode.Tab[] {
  return tabs.filter(
    ({ input, isDirty }) => input instanceof vscode.TabInputText && matches(input.uri, isDirty),
  );
}

/** Closes the matching tabs. VS Code asks about those with unsaved text. */
export async function closeTextTabs(matches: MatchesText): Promise<void> {
  await vscode.window.tabGroups.close(textTabs(matches));
}
