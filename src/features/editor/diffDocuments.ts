import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { withoutCommands } from '../../platform/dialogs/plainText.ts';

const scheme = 'interns-diff';

/** Names of files that VS Code takes for Markdown, where links can run commands. */
const markdownPath = /\.(?:md|mkd|markd|workbook)\w*$/i;

/** How many texts are kept, the latest: VS Code asks again for those of a tab that is shown again. */
const maxTexts = 200;

/** The texts that diffs in replies stand for, as read-only documents: `interns-diff:/PATH?HASH`. */
export class DiffDocuments extends DisposableBase implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();

  constructor() {
    super();
    this.own(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  /** A document with the text, named and coloured by the path. The same text at the same path is the same document. */
  add(path: string, text: string): vscode.Uri {
    const query = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    const uri = vscode.Uri.from({ scheme, path: `/${path.replace(/^\/+/u, '')}`, query });
    this.#texts.delete(uri.toString());
    const isMarkdown = markdownPath.test(path);
    this.#texts.set(uri.toString(), isMarkdown ? withoutCommands(text) : text);
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= maxTexts) break;
      this.#texts.delete(oldest);
    }
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.#texts.get(uri.toString()) ??
      vscode.l10n.t('This diff is no longer available. Open it again from the conversation.')
    );
  }
}
