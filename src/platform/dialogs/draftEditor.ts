import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import type { UriTarget } from '../commands/ids.ts';
import type { CommandRegistrar } from '../commands/registrar.ts';
import { UserError } from '../words/report.ts';
import type { DraftFiles } from './draftFiles.ts';
import { closeTextTabs } from './textFiles.ts';

/** How the writing of a text ended. The text is what stood in the editor. */
export interface WrittenText {
  readonly kind: 'used' | 'cancelled';
  readonly text: string;
}

/** What a {@link DraftEditor} is made of. */
interface DraftEditorOptions {
  readonly registrar: CommandRegistrar;
  readonly files: DraftFiles;
  /** The title actions that end the writing. */
  readonly use: 'interns.useInstructions' | 'interns.useText';
  readonly cancel: 'interns.cancelInstructions' | 'interns.cancelText';
  /** Why a text cannot be used, in one sentence; undefined where it can. */
  readonly problem: (text: string) => string | undefined;
  /** Called with a text whose dialog is gone, because the window was reloaded while it was written. */
  readonly orphaned: (uri: vscode.Uri, written: WrittenText) => Promise<void>;
}

/**
 * A text for a dialog in an editor tab of its own, with title actions to use it or to give it up. Saving or closing the
 * tab ends nothing: `show` opens it again. One text is written at a time.
 */
export class DraftEditor extends DisposableBase {
  readonly #options: DraftEditorOptions;
  #writing: { readonly uri: vscode.Uri; readonly end: (written: WrittenText) => void } | undefined;

  constructor(options: DraftEditorOptions) {
    super();
    this.#options = options;
    const { registrar, use, cancel } = options;
    this.own(registrar.register(use, (targets) => this.#finish('used', targets)));
    this.own(registrar.register(cancel, (targets) => this.#finish('cancelled', targets)));
  }

  /** Whether a text is being written, in a tab that may be closed. */
  get isWriting(): boolean {
    return this.#writing !== undefined;
  }

  /**
   * Opens a tab with a text and waits for one of its title actions. What a reload of the window left unfinished at the
   * same address is gone on with instead.
   */
  async write(uri: vscode.Uri, text: string): Promise<WrittenText> {
    const { files } = this.#options;
    if (!(await files.has(uri))) await files.writeFile(uri, new TextEncoder().encode(text));
    const written = new Promise<WrittenText>((resolve) => {
      this.#writing = { uri, end: resolve };
    });
    await this.show();
    return written;
  }

  /** Brings the tab to the front, or opens it again. */
  async show(): Promise<void> {
    if (this.#writing === undefined) return;
    const document = await vscode.workspace.openTextDocument(this.#writing.uri);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Ends the writing of a text as its Cancel does. */
  async cancel(uri: vscode.Uri): Promise<void> {
    if (await this.#options.files.has(uri)) await this.#finish('cancelled', [uri]);
  }

  /** Gives up what was written at an address, and closes its tab; who waits for it waits on. */
  async forget(uri: vscode.Uri): Promise<void> {
    if (!(await this.#options.files.has(uri))) return;
    if (this.#writing?.uri.toString() === uri.toString()) this.#writing = undefined;
    await this.#remove(uri);
  }

  async #finish(kind: WrittenText['kind'], [target]: readonly UriTarget[]): Promise<void> {
    const uri = this.#draftUri(target);
    if (uri === undefined) return;
    const document = await vscode.workspace.openTextDocument(uri);
    const text = document.getText();
    const problem = kind === 'used' ? this.#options.problem(text) : undefined;
    if (problem !== undefined) throw new UserError(problem);
    await this.#remove(uri);
    const writing = this.#writing;
    if (writing?.uri.toString() !== uri.toString())
      return this.#options.orphaned(uri, { kind, text });
    this.#writing = undefined;
    writing.end({ kind, text });
  }

  async #remove(uri: vscode.Uri): Promise<void> {
    // A tab with unsaved text would ask before it closes.
    await (await vscode.workspace.openTextDocument(uri)).save();
    await closeTextTabs((each) => each.toString() === uri.toString());
    await this.#options.files.delete(uri);
  }

  #draftUri(target: UriTarget | undefined): vscode.Uri | undefined {
    const active = vscode.window.activeTextEditor?.document.uri;
    const uri = target === undefined ? active : vscode.Uri.from(target);
    return uri?.scheme === this.#options.files.scheme ? uri : undefined;
  }
}
