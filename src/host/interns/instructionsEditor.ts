import * as vscode from 'vscode';
import { MAX_INSTRUCTIONS_CHARACTERS, measureText } from '../../api/index.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { UriTarget } from '../commands/ids.ts';
import type { CommandRegistrar } from '../commands/registrar.ts';
import { formatNumber } from '../words/format.ts';
import { UserError } from '../words/report.ts';
import { DRAFT_SCHEME, type DraftFiles } from './draftFiles.ts';
import { instructionsProblem } from './fieldChecks.ts';

/** How the writing of instructions ended. The text is what stood in the editor. */
export interface WrittenInstructions {
  readonly kind: 'used' | 'cancelled';
  readonly text: string;
}

/** Shows a text in an editor, and waits for how its writing ends. */
export type WriteInstructions = (text: string) => Promise<WrittenInstructions>;

/**
 * Called with instructions whose dialog is gone, because the window was reloaded while they were written.
 *
 * @param account The id of the account whose intern they are for.
 */
export type Orphaned = (account: string, written: WrittenInstructions) => Promise<void>;

/**
 * Instructions in an editor tab of their own, with title actions to use them or to give them up, and a count. Saving
 * or closing the tab ends nothing: `show` opens it again.
 */
export class InstructionsEditor implements Disposable {
  readonly #files: DraftFiles;
  readonly #store = new DisposableStore();
  readonly #count: vscode.StatusBarItem;
  #writing:
    { readonly uri: vscode.Uri; readonly end: (written: WrittenInstructions) => void } | undefined;

  constructor(registrar: CommandRegistrar, files: DraftFiles, orphaned: Orphaned) {
    this.#files = files;
    this.#count = this.#store.add(
      vscode.window.createStatusBarItem(
        'interns.instructions',
        vscode.StatusBarAlignment.Right,
        100,
      ),
    );
    this.#count.name = vscode.l10n.t('Length of Instructions');
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(() => this.#showCount()));
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === DRAFT_SCHEME) this.#showCount();
      }),
    );
    this.#store.add(
      registrar.registerAll({
        'interns.useInstructions': (targets) => this.#finish('used', targets, orphaned),
        'interns.cancelInstructions': (targets) => this.#finish('cancelled', targets, orphaned),
      }),
    );
    this.#showCount();
  }

  /** Whether instructions are being written, in a tab that may be closed. */
  get isWriting(): boolean {
    return this.#writing !== undefined;
  }

  /**
   * Opens a tab with a text and waits for one of its title actions. One text is written at a time. What a reload of
   * the window left unfinished is gone on with instead.
   *
   * @param account The id of the account whose intern the text is for.
   */
  async write(account: string, text: string): Promise<WrittenInstructions> {
    const uri = draftOf(account);
    if (!this.#files.has(uri)) await this.#files.writeFile(uri, new TextEncoder().encode(text));
    const written = new Promise<WrittenInstructions>((resolve) => {
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

  /** Gives up what was written for an account, and closes its tab. */
  async forget(account: string): Promise<void> {
    const uri = draftOf(account);
    if (!this.#files.has(uri)) return;
    if (this.#writing?.uri.toString() === uri.toString()) this.#writing = undefined;
    await this.#remove(uri);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #finish(
    kind: WrittenInstructions['kind'],
    [target]: readonly UriTarget[],
    orphaned: Orphaned,
  ): Promise<void> {
    const uri = draftUri(target);
    if (uri === undefined) return;
    const document = await vscode.workspace.openTextDocument(uri);
    const text = document.getText();
    const problem = kind === 'used' ? instructionsProblem(text) : undefined;
    if (problem !== undefined) throw new UserError(problem);
    await this.#remove(uri);
    const writing = this.#writing;
    if (writing?.uri.toString() !== uri.toString()) return orphaned(uri.query, { kind, text });
    this.#writing = undefined;
    writing.end({ kind, text });
  }

  async #remove(uri: vscode.Uri): Promise<void> {
    // A tab with unsaved text would ask before it closes.
    await (await vscode.workspace.openTextDocument(uri)).save();
    await closeTabs(uri);
    await this.#files.delete(uri);
  }

  #showCount(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.uri.scheme !== DRAFT_SCHEME) {
      this.#count.hide();
      return;
    }
    const { characters, max, fit } = measureText(document.getText(), MAX_INSTRUCTIONS_CHARACTERS);
    this.#count.text = vscode.l10n.t(
      '{0} of {1} characters',
      formatNumber(characters),
      formatNumber(max),
    );
    this.#count.backgroundColor =
      fit === 'too-long' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.#count.tooltip =
      fit === 'tight'
        ? vscode.l10n.t('The service may count some of these characters twice and refuse the text.')
        : vscode.l10n.t('Length of the instructions, and how long they may be');
    this.#count.show();
  }
}

/** Where the instructions for an intern of an account are written. A query, since it shows in no tab. */
function draftOf(account: string): vscode.Uri {
  const title = vscode.l10n.t('Instructions of the new intern');
  return vscode.Uri.from({ scheme: DRAFT_SCHEME, path: `/${title}.md`, query: account });
}

function draftUri(target: UriTarget | undefined): vscode.Uri | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  const uri = target === undefined ? active : vscode.Uri.from(target);
  return uri?.scheme === DRAFT_SCHEME ? uri : undefined;
}

async function closeTabs(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
    );
  await vscode.window.tabGroups.close(tabs);
}
