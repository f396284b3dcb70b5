import * as vscode from 'vscode';
import type { ReadableQuestion } from '../../api/index.ts';
import { DisposableBase } from '../../base/disposable.ts';
import type { PendingQuestion } from '../../conversation/questions/types.ts';
import { undeceptive, visibleText } from '../../platform/dialogs/plainText.ts';
import { closeTextTabs } from '../../platform/dialogs/textFiles.ts';
import { TEXT_LIMIT } from '../../platform/words/operations.ts';
import { OPTION_LIMIT, internName } from './words.ts';

const scheme = 'interns-question';

/** A language of our own, since its default settings wrap lines: an operation may be one line of thousands of characters. */
const language = 'interns-question';

/**
 * What a question asks, to the letter, where its dialog has no room for it: the operation, or the message and the options.
 * Undefined where the dialog says it all.
 */
export function wholeTextOf(question: ReadableQuestion): string | undefined {
  switch (question.kind) {
    case 'permission': {
      const operation = question.operation ?? '';
      const long = question.options.filter((option) => isCut(visibleText(option), OPTION_LIMIT));
      if (long.length === 0 && !isCut(visibleText(operation), TEXT_LIMIT)) return undefined;
      return [operation, ...long].map(visibleText).join('\n\n');
    }
    case 'elicitation': {
      const long = question.fields.filter(
        ({ options, description = '' }) =>
          isCut(description, TEXT_LIMIT) || options.some((option) => isCut(option, OPTION_LIMIT)),
      );
      if (long.length === 0 && !isCut(question.message, TEXT_LIMIT)) return undefined;
      const lists = long.map(({ name, options, description = '' }) =>
        [`${name}: ${description}`.trim(), ...options.map((option) => `- ${option}`)].join('\n'),
      );
      return undeceptive([question.message, ...lists].join('\n\n'));
    }
  }
}

/** Whether one line of so many characters says less than the text. */
function isCut(text: string, limit: number): boolean {
  return /[\r\n]/.test(text.trim()) || Array.from(text).length > limit;
}

/** Shows the whole texts of open questions in read-only editors beside their dialogs, which stay as they are. */
export class WholeTexts extends DisposableBase implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  readonly #shown = new Set<string>();

  constructor() {
    super();
    this.own(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  /** Opens a question's whole text beside what is active, which keeps the focus. */
  async show(question: PendingQuestion): Promise<void> {
    const text = wholeTextOf(question.question);
    if (text === undefined) return;
    this.#texts.set(question.id, text);
    const name = vscode.l10n.t('What {0} asks', internName(question)).replaceAll(/[\\/]/g, '-');
    const uri = vscode.Uri.from({ scheme, path: `/${name}`, query: question.id });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(
      await vscode.languages.setTextDocumentLanguage(document, language),
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true },
    );
    this.#shown.add(question.id);
  }

  /** Whether a question's whole text has been opened here. */
  wasShown(question: string): boolean {
    return this.#shown.has(question);
  }

  /** Forgets a question that is over, and closes its editor. */
  async forget(question: string): Promise<void> {
    if (!this.#texts.delete(question)) return;
    this.#shown.delete(question);
    await closeTextTabs((uri) => uri.scheme === scheme && uri.query === question);
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    return this.#texts.get(query) ?? vscode.l10n.t('This question is no longer available.');
  }
}
