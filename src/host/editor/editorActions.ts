import * as v from 'valibot';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { plainText } from '../dialogs/plainText.ts';
import type { Log } from '../log/log.ts';
import { formatNumber } from '../words/format.ts';
import { reportFailure } from '../words/report.ts';
import { DiffDocuments } from './diffDocuments.ts';
import { languageIdOf, type LanguageContribution } from './languageIds.ts';
import { LastTextEditor } from './lastTextEditor.ts';
import { largestDiff, openDiff } from './openDiff.ts';
import { leadsToFile, openLink } from './openLink.ts';
import type { ReplyActions } from './types.ts';

/** What code blocks and links of a reply do in this window. What fails is logged and told to the user here. */
export class EditorActions implements ReplyActions, Disposable {
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #lastEditor = this.#store.add(new LastTextEditor());
  readonly #documents = this.#store.add(new DiffDocuments());

  constructor(log: Log) {
    this.#log = log;
  }

  insertAtCursor(code: string): Promise<void> {
    return this.#do('Insert at cursor', async () => {
      const { place } = this.#lastEditor;
      if (place === undefined) {
        tell(vscode.l10n.t('Open a file and put the cursor where the code should go.'));
        return;
      }
      const editor = await this.#lastEditor.show(place);
      // A snippet without variables: unlike a plain edit it takes on the indentation of the line.
      const snippet = new vscode.SnippetString().appendText(code);
      const isInserted = await editor.insertSnippet(snippet, place.selections);
      if (!isInserted) tell(vscode.l10n.t('The code was not inserted: the editor is read-only.'));
    });
  }

  newFile(code: string, language: string): Promise<void> {
    return this.#do('New file', async () => {
      const id = languageIdOf(language, await vscode.languages.getLanguages(), contributions());
      const document = await vscode.workspace.openTextDocument({
        content: code,
        ...(id !== undefined && { language: id }),
      });
      await vscode.window.showTextDocument(document, {
        preview: false,
        ...this.#lastEditor.where,
      });
    });
  }

  openDiff(diff: string): Promise<void> {
    return this.#do('Open diff', async () => {
      switch (await openDiff(diff, this.#documents, this.#lastEditor.where)) {
        case 'shown':
          return;
        case 'empty':
          tell(vscode.l10n.t('There is no change in this diff that could be shown.'));
          return;
        case 'too-large':
          tell(
            vscode.l10n.t(
              'This diff is too large to be opened: at most {0} characters and {1} files. Copy it instead.',
              formatNumber(largestDiff.characters),
              formatNumber(largestDiff.files),
            ),
          );
          return;
      }
    });
  }

  copy(text: string): Promise<void> {
    return this.#do('Copy', () => vscode.env.clipboard.writeText(text));
  }

  openLink(href: string): Promise<void> {
    return this.#do('Open link', async () => {
      const outcome = await openLink(href, this.#lastEditor.where);
      switch (outcome.kind) {
        case 'opened':
        case 'left':
          return;
        case 'refused':
          this.#log.warn(`Refused a link of a reply, scheme "${outcome.scheme.slice(0, 40)}"`);
          tell(
            vscode.l10n.t(
              'This link was not opened. Replies may lead to web and mail addresses and to files of the workspace.',
            ),
          );
          return;
        case 'not-in-workspace':
          tell(vscode.l10n.t('{0} is not in this workspace.', outcome.path));
          return;
      }
    });
  }

  async locate(paths: readonly string[]): Promise<readonly string[]> {
    const isFile = await Promise.all(paths.map((path) => leadsToFile(path)));
    return paths.filter((_, index) => isFile[index] === true);
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #do(what: string, work: () => Thenable<void>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      reportFailure(this.#log, what, failure);
    }
  }
}

function tell(message: string): void {
  void vscode.window.showWarningMessage(plainText(message));
}

const words = v.optional(v.array(v.string()), []);
const languageSchema = v.object({ id: v.string(), aliases: words, extensions: words });
const manifestSchema = v.object({ contributes: v.object({ languages: v.array(v.unknown()) }) });

/** The languages of all extensions, as their manifests name them; what is malformed there is left out. */
function contributions(): readonly LanguageContribution[] {
  return vscode.extensions.all.flatMap(({ packageJSON }) => {
    const manifest = v.safeParse(manifestSchema, packageJSON);
    const languages = manifest.success ? manifest.output.contributes.languages : [];
    return languages.flatMap((language) => {
      const result = v.safeParse(languageSchema, language);
      return result.success ? [result.output] : [];
    });
  });
}
