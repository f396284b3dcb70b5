import { l10n } from 'vscode';
import type { ReadableQuestion } from '../../api/index.ts';
import { DisposableBase } from '../../base/disposable.ts';
import type { PendingQuestion } from '../../conversation/questions/types.ts';
import { undeceptive, visibleText } from '../../platform/dialogs/plainText.ts';
import { ReadOnlyTexts } from '../../platform/dialogs/readOnlyTexts.ts';
import { TEXT_LIMIT } from '../../platform/words/operations.ts';
import { OPTION_LIMIT, internName } from './words.ts';

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
export class WholeTexts extends DisposableBase {
  readonly #texts = this.own(new ReadOnlyTexts('interns-question'));
  readonly #shown = new Set<string>();

  /** Opens a question's whole text beside what is active, which keeps the focus. */
  async show(question: PendingQuestion): Promise<void> {
    const text = wholeTextOf(question.question);
    if (text === undefined) return;
    await this.#texts.show(question.id, l10n.t('What {0} asks', internName(question)), text);
    this.#shown.add(question.id);
  }

  /** Whether a question's whole text has been opened here. */
  wasShown(question: string): boolean {
    return this.#shown.has(question);
  }

  /** Forgets a question that is over, and closes its editor. */
  async forget(question: string): Promise<void> {
    this.#shown.delete(question);
    await this.#texts.forget(question);
  }
}
