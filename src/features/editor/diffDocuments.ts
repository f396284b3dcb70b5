import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { withoutCommands } from '../../platform/dialogs/plainText.ts';
import { mayRunCommands } from './languageIds.ts';

const scheme = 'interns-diff';

/** How many texts are kept, the latest: VS Code asks again for those of a tab that is shown again. */
const maxTexts = 200;

/** The texts that diffs in replies stand for, as read-only documents: `interns-diff:/PATH?HASH`. */
export class DiffDocuments extends DisposableBase implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #changed = this.own(new Emitter<vscode.Uri>());

  readonly onDidChange = this.#changed.event;

  constructor() {
    super();
    this.own(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  /**
   * A document with the text, named and coloured by the path. The same text at the same path is the same document. Where the
   * editor's language for it draws links, none of them runs a command.
   */
  async add(path: string, text: string): Promise<vscode.Uri> {
    const query = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    const uri = vscode.Uri.from({ scheme, path: `/${path.replace(/^\/+/u, '')}`, query });
    const safe = withoutCommands(text);
    this.#keep(uri, safe);
    if (safe === text) return uri;
    // Which language it is depends on the user's settings too: the editor alone knows.
    const { languageId } = await vscode.workspace.openTextDocument(uri);
    if (mayRunCommands(languageId)) return uri;
    this.#keep(uri, text);
    this.#changed.fire(uri);
    return uri;
  }

  #keep(uri: vscode.Uri, text: string): void {
    this.#texts.delete(uri.toString());
    this.#texts.set(uri.toString(), text);
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= maxTexts) break;
      this.#texts.delete(oldest);
    }
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ??
      vscode.l10n.t('This diff is no longer available. Open it again from the conversation.')
    );
  }
}
