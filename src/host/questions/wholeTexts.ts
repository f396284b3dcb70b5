import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { PendingQuestion } from '../../chat/questions/types.ts';
import { OPTION_LIMIT, TEXT_LIMIT, internName } from './words.ts';

const scheme = 'interns-question';

/** A language of our own, since its default settings wrap lines: an operation may be one line of thousands of characters. */
const language = 'interns-question';

/**
 * What a question asks, to the letter, where its dialog has no room for it: the operation, or the message and the options.
 * Undefined where the dialog says it all.
 */
export function wholeTextOf({ question }: PendingQuestion): string | undefined {
  switch (question.kind) {
    case 'permission':
      return isCut(question.operation ?? '', TEXT_LIMIT) ? (question.operation ?? '') : undefined;
    case 'elicitation': {
      const long = question.fields.filter(({ options }) =>
        options.some((option) => isCut(option, OPTION_LIMIT)),
      );
      if (long.length === 0 && !isCut(question.message, TEXT_LIMIT)) return undefined;
      const lists = long.map(({ name, options }) =>
        [`${name}:`, ...options.map((option) => `- ${option}`)].join('\n'),
      );
      return [question.message, ...lists].join('\n\n');
    }
    case 'unreadable':
      return undefined;
  }
}

/** Whether one line of so many characters says less than the text. */
function isCut(text: string, limit: number): boolean {
  return /[\r\n]/.test(text.trim()) || Array.from(text).length > limit;
}

/** Shows the whole texts of open questions in read-only editors beside their dialogs, which stay as they are. */
export class WholeTexts implements vscode.TextDocumentContentProvider, Disposable {
  readonly #registration: vscode.Disposable;
  readonly #texts = new Map<string, string>();

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  }

  /** Opens a question's whole text beside what is active, which keeps the focus. */
  async show(question: PendingQuestion): Promise<void> {
    const text = wholeTextOf(question);
    if (text === undefined) return;
    this.#texts.set(question.id, text);
    const name = vscode.l10n.t('What {0} asks', internName(question)).replaceAll(/[\\/]/g, '-');
    const uri = vscode.Uri.from({ scheme, path: `/${name}`, query: question.id });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(
      await vscode.languages.setTextDocumentLanguage(document, language),
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true },
    );
  }

  /** Forgets a question that is over, and closes its editor. */
  async forget(question: string): Promise<void> {
    if (!this.#texts.delete(question)) return;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter(({ input }) => isOf(input, question)));
  }

  provideTextDocumentContent({ query }: vscode.Uri): string {
    return this.#texts.get(query) ?? vscode.l10n.t('This question is not at hand any more.');
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }
}

function isOf(input: unknown, question: string): boolean {
  return (
    input instanceof vscode.TabInputText &&
    input.uri.scheme === scheme &&
    input.uri.query === question
  );
}
