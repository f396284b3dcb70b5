import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import { DraftEditor, type WrittenText } from '../../platform/dialogs/draftEditor.ts';
import { DraftFiles, inMemory } from '../../platform/dialogs/draftFiles.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { closeTextTabs } from '../../platform/dialogs/textFiles.ts';

/** Texts of answers: a scheme of their own, since they are kept nowhere. An answer's values go only to the service. */
export const ANSWER_SCHEME = 'interns-answer';

/** The longest name of a tab, in characters. */
const NAME_LIMIT = 60;

/** Takes a field's text of several lines in an editor tab. */
export class AnswerEditor extends DisposableBase {
  readonly #editor: DraftEditor;
  readonly #scheme: string;

  /** @param now epoch ms */
  constructor(registrar: CommandRegistrar, scheme: string, now: () => number) {
    super();
    this.#scheme = scheme;
    this.#editor = this.own(
      new DraftEditor({
        registrar,
        files: this.own(new DraftFiles(scheme, inMemory(now))),
        use: 'interns.useText',
        cancel: 'interns.cancelText',
        problem: () => undefined,
        orphaned: (_, { kind, text }) => (kind === 'used' ? showUnused(text) : Promise.resolve()),
      }),
    );
    // What a reload of the window left of a tab is empty, unless its text was not saved.
    void closeTextTabs((uri, isDirty) => uri.scheme === scheme && !isDirty);
  }

  /**
   * Opens a tab with a text and waits until its user is done with it.
   *
   * @param name what the text is for
   * @param signal ends the writing as its Cancel does
   */
  async write(name: string, text: string, signal: AbortSignal): Promise<WrittenText> {
    const file = plainLine(name, NAME_LIMIT).replaceAll(/[\\/]/g, '-');
    const uri = vscode.Uri.from({ scheme: this.#scheme, path: `/${file}.txt` });
    const abort = () => void this.#editor.cancel(uri);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const written = await this.#editor.write(uri, text);
      return { ...written, text: written.text.replaceAll('\r\n', '\n') };
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}

/** Keeps a text whose dialog went with a reload of the window where its user can copy it from. */
async function showUnused(text: string): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text }));
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The dialog that this text was for is gone. Answer the question to open it again.',
    ),
  );
}
