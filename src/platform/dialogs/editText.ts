import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import type { UriTarget } from '../commands/ids.ts';
import type { CommandRegistrar } from '../commands/registrar.ts';
import { UserError } from '../text/reportFailure.ts';
import type { DraftFiles } from './draftFiles.ts';
import { plainLine } from './plainText.ts';
import { closeTextTabs, textTabs } from './readOnlyTexts.ts';

export interface DraftName {
  /** Name of the tab. Its extension sets the language. */
  readonly name: string;
  /** Account whose drafts hold the text; kept in memory if left out. */
  readonly account?: string | undefined;
}

interface TextToEdit extends DraftName {
  /** Initial text; if empty, a stored draft of the same name is continued. */
  readonly text: string;
  readonly problem?: ((text: string) => string | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** True if the text is `closed` when the user closes its tab; otherwise the tab can be reopened. */
  readonly endsWithTab?: boolean;
}

/** The text as used, as it was before it was discarded, or as it was when the signal or the user closed the tab. */
export interface EditedText {
  readonly kind: 'used' | 'discarded' | 'closed';
  readonly text: string;
}

/** Opens an editor for a text, and waits until it is used, discarded or closed. */
export type EditText = (text: TextToEdit) => Promise<EditedText>;

interface OpenText extends TextToEdit {
  readonly uri: vscode.Uri;
  readonly end: (edited: EditedText) => void;
}

const MAX_NAME_CHARACTERS = 60;

/**
 * Edits long texts of dialogs in tabs with the actions `Use This Text` and `Discard`. Closing a tab neither uses nor
 * discards its text.
 */
export class TextEditing extends DisposableBase {
  readonly #files: DraftFiles;
  readonly #open = new Map<string, OpenText>();
  /** The URIs of texts whose tabs are closing. */
  readonly #removing = new Set<string>();
  #resume: ((account: string, text: string) => Promise<boolean>) | undefined;

  constructor(registrar: CommandRegistrar, files: DraftFiles) {
    super();
    this.#files = files;
    registrar.register({
      'interns.useText': ([target]) => this.#finish('used', this.#find(target)),
      'interns.discardText': ([target]) => this.#finish('discarded', this.#find(target)),
    });
    // A reload leaves tabs of texts that were in memory. Only tabs with unsaved text still have it.
    void closeTextTabs(
      ({ scheme, query }, isDirty) => scheme === files.scheme && query === '' && !isDirty,
    );
  }

  readonly editText: EditText = async (given) => {
    const { text, signal, account } = given;
    const uri = this.uriOf(account === undefined ? { name: this.unusedName(given.name) } : given);
    if (text !== '' || !(await this.#files.has(uri))) await this.#files.write(uri, text);
    const edited = new Promise<EditedText>((resolve) => {
      this.#open.set(uri.toString(), { ...given, uri, end: resolve });
    });
    const close = () => void this.#finish('closed', uri);
    const isSame = (each: vscode.Uri) => each.toString() === uri.toString();
    signal?.addEventListener('abort', close, { once: true });
    const tabs = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
      if (given.endsWithTab !== true || textTabs(isSame, closed).length === 0) return;
      // One is left if the tab was moved.
      if (textTabs(isSame).length === 0) close();
    });
    try {
      await show(uri);
      if (signal?.aborted === true) close();
      return await edited;
    } catch (failure) {
      // Nothing waits for the text anymore.
      this.#open.delete(uri.toString());
      throw failure;
    } finally {
      tabs.dispose();
      signal?.removeEventListener('abort', close);
    }
  };

  /** Shows the tab of a text that is being edited. Returns whether there is one. */
  async show(name: string): Promise<boolean> {
    const { path } = this.uriOf({ name });
    const open = [...this.#open.values()].find(({ uri }) => uri.path === path);
    if (open !== undefined) await show(open.uri);
    return open !== undefined;
  }

  isOpen(draft: DraftName): boolean {
    return this.#open.has(this.uriOf(draft).toString());
  }

  /** Returns a name, with a number in front if another text without an account is being edited under it. */
  unusedName(name: string): string {
    let unused = name;
    for (let number = 2; this.isOpen({ name: unused }); number++) unused = `${number} ${name}`;
    return unused;
  }

  /**
   * Sets what happens when a text of an account is used after a reload has closed its dialog.
   *
   * @param resume returns false if it can't use the text; the user can copy it then
   */
  setResume(resume: (account: string, text: string) => Promise<boolean>): void {
    this.#resume = resume;
  }

  /** Stores a text for the next time it is edited. */
  async save(draft: DraftName, text: string): Promise<void> {
    await this.#files.write(this.uriOf(draft), text);
  }

  /**
   * Removes a text and closes its tab. A dialog that waits for the text waits forever.
   *
   * @param text if given, another text stays
   */
  async forget(draft: DraftName, text?: string): Promise<void> {
    const uri = this.uriOf(draft);
    if (!(await this.#files.has(uri))) return;
    const stored = new TextDecoder().decode(await this.#files.readFile(uri));
    if (text === undefined || text === stored) await this.#remove(uri);
  }

  uriOf({ name, account = '' }: DraftName): vscode.Uri {
    const path = `/${plainLine(name, MAX_NAME_CHARACTERS).replaceAll(/[\\/]/g, '-')}`;
    return vscode.Uri.from({ scheme: this.#files.scheme, path, query: account });
  }

  async #finish(kind: EditedText['kind'], uri: vscode.Uri | undefined): Promise<void> {
    const key = String(uri);
    const open = this.#open.get(key);
    if (uri === undefined || (kind === 'closed' && open === undefined)) return;
    if (this.#removing.has(key)) return;
    const document = await vscode.workspace.openTextDocument(uri);
    const text = document.getText().replaceAll('\r\n', '\n');
    const problem = kind === 'used' ? open?.problem?.(text) : undefined;
    if (problem !== undefined) throw new UserError(problem);
    // A first click may have ended the edit meanwhile. A second one must not use the text for another dialog.
    if (this.#removing.has(key) || this.#open.get(key) !== open) return;
    await this.#remove(uri);
    open?.end({ kind, text: kind === 'discarded' ? open.text : text });
    if (open !== undefined || kind !== 'used') return;
    const isUsed = uri.query !== '' && (await this.#resume?.(uri.query, text)) === true;
    if (!isUsed) await showUnused(text);
  }

  async #remove(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    this.#open.delete(key);
    this.#removing.add(key);
    try {
      // A tab with unsaved text would ask the user before it closes.
      await (await vscode.workspace.openTextDocument(uri)).save();
      await closeTextTabs((each) => each.toString() === key);
      await this.#files.delete(uri);
    } finally {
      this.#removing.delete(key);
    }
  }

  /** Returns the text that a command was called on, else the one in the active editor. */
  #find(target: UriTarget | undefined): vscode.Uri | undefined {
    const active = vscode.window.activeTextEditor?.document.uri;
    const uri = target === undefined ? active : vscode.Uri.from(target);
    return uri?.scheme === this.#files.scheme ? uri : undefined;
  }
}

async function show(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: false });
}

/** Shows a text whose dialog was closed by a reload, so that the user can copy it. */
async function showUnused(text: string): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text }));
  void vscode.window.showInformationMessage(
    vscode.l10n.t('A reload closed the dialog for this text. Copy the text from here.'),
  );
}
