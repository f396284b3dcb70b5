import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/disposable.ts';
import type { StubEditor } from './stubEditor.ts';

const nothing = { dispose: () => undefined };

/** Fake text editors. Their texts come from the registered file systems. */
export class StubTabs {
  /** The URIs of the tabs in the order of opening; the text of an untitled one. */
  readonly open: (vscode.Uri | string)[] = [];
  /** Messages that were shown. */
  readonly said: string[] = [];
  readonly #files = new Map<string, vscode.FileSystemProvider>();
  readonly #unsaved = new Map<string, string>();
  readonly #changed = new Emitter<Pick<vscode.TabChangeEvent, 'closed'>>();

  constructor(stub: StubEditor) {
    stub(vscode.window, {
      onDidChangeActiveTextEditor: () => nothing,
      showTextDocument: (document: vscode.TextDocument) => {
        const { uri } = document;
        const tab = uri.scheme === 'untitled' ? document.getText() : uri;
        if (!this.open.some((each) => String(each) === String(tab))) this.open.push(tab);
        return Promise.resolve({ document, visibleRanges: [] });
      },
      showInformationMessage: (message: string) => Promise.resolve(void this.said.push(message)),
      tabGroups: {
        all: [this.#group()],
        close: (tabs: readonly vscode.Tab[]) => this.#close(tabs),
        onDidChangeTabs: this.#changed.event,
      },
    });
    stub(vscode.workspace, {
      registerFileSystemProvider: (scheme: string, files: vscode.FileSystemProvider) => {
        this.#files.set(scheme, files);
        return nothing;
      },
      onDidChangeTextDocument: () => nothing,
      openTextDocument: (given: vscode.Uri | { readonly content: string }) =>
        'content' in given
          ? { uri: vscode.Uri.from({ scheme: 'untitled' }), getText: () => given.content }
          : this.#document(given),
    });
  }

  /** The URI of the last tab with a file. */
  get uri(): vscode.Uri {
    const uri = this.open.findLast((tab) => typeof tab !== 'string');
    if (uri === undefined) throw new Error('No tab is open');
    return uri;
  }

  /** Changes the text of a file without saving it. */
  type(uri: vscode.Uri, text: string): void {
    this.#unsaved.set(uri.toString(), text);
  }

  /** Saves the last text and closes its tab, as a user does. */
  async saveAndClose(): Promise<void> {
    const { uri } = this;
    await (await vscode.workspace.openTextDocument(uri)).save();
    await this.#close(this.#group().tabs.filter(({ input }) => input.uri === uri));
  }

  #group() {
    const { open } = this;
    return {
      get tabs() {
        const uris = open.filter((tab) => typeof tab !== 'string');
        return uris.map((uri) => ({ input: new vscode.TabInputText(uri), isDirty: false }));
      },
    };
  }

  #close(tabs: readonly Pick<vscode.Tab, 'input'>[]): Promise<boolean> {
    for (const { input } of tabs) {
      const { uri } = input as vscode.TabInputText;
      this.open.splice(this.open.indexOf(uri), 1);
    }
    this.#changed.fire({ closed: tabs as readonly vscode.Tab[] });
    return Promise.resolve(true);
  }

  async #document(uri: vscode.Uri) {
    const files = this.#files.get(uri.scheme);
    const saved = async () => new TextDecoder().decode(await files?.readFile(uri));
    const text = this.#unsaved.get(uri.toString()) ?? (await saved());
    const save = async () => {
      await files?.writeFile(uri, new TextEncoder().encode(text), {
        create: true,
        overwrite: true,
      });
      return true;
    };
    const lineAt = () => ({ range: {} });
    return { uri, getText: () => text, save, lineCount: 1, lineAt };
  }
}
