import * as vscode from 'vscode';
import type { RunDigest } from '../../conversation/digest.ts';
import { failureFacts } from '../../conversation/machine/failures.ts';
import { markdownLine } from '../../platform/dialogs/plainText.ts';
import { explainFailure } from '../../platform/words/failures.ts';
import { formatDateTime } from '../../platform/words/format.ts';
import { accountName } from '../accounts/accountWords.ts';
import type { LinkedText, TextLink } from '../chatPanel/chatTexts.ts';
import { questionView } from '../conversations/questionView.ts';
import type { Digest, DigestEntry } from './readDigest.ts';
import { digestLine, outcomeWords, runWords } from './digestWords.ts';

/** Longest title, sentence and question, in characters. */
const TITLE_LIMIT = 80;
const SENTENCE_LIMIT = 300;

/** A piece of a line: words that stand for themselves, or that lead to a message. */
type Piece = string | { readonly words: string; readonly target: vscode.Uri };

/** Lines as they are put together, with the places of their links. */
class Lines implements LinkedText {
  readonly lines: string[] = [];
  readonly links: TextLink[] = [];

  /** Adds a line of pieces with dots between them; those that are empty are left out. */
  add(start: string, ...pieces: readonly Piece[]): void {
    let text = start;
    for (const piece of pieces) {
      const words = typeof piece === 'string' ? piece : piece.words;
      if (words === '') continue;
      if (text !== start) text += ' · ';
      const from = text.length;
      text += words;
      if (typeof piece !== 'string')
        this.links.push({ line: this.lines.length, from, to: text.length, target: piece.target });
    }
    this.lines.push(text);
  }
}

/**
 * What happened, as Markdown to be read in an editor: a heading a conversation, and under it its runs and questions with
 * links to their messages. All that interns wrote is inert.
 *
 * @param internName the name of an intern of a conversation
 */
export function digestText(
  { since, entries, counts }: Digest,
  internName: (entry: DigestEntry) => string,
): LinkedText {
  const text = new Lines();
  const { l10n } = vscode;
  text.add('# ', l10n.t('What happened since {0}', formatDateTime(since)));
  text.add('');
  text.add('', digestLine(counts) || l10n.t('Nothing happened in your conversations.'));
  const hint = l10n.t('To follow a link with the keyboard, go to it and run Open Link.');
  if (entries.length > 0) {
    text.add('');
    text.add('', hint);
  }
  const withAccount = new Set(entries.map(({ account }) => account.id)).size > 1;
  for (const entry of entries) addConversation(text, entry, internName(entry), withAccount);
  text.add('');
  return text;
}

function addConversation(
  text: Lines,
  entry: DigestEntry,
  name: string,
  withAccount: boolean,
): void {
  const { l10n } = vscode;
  const { title, account, counts, runs, lastWords } = entry;
  text.add('');
  text.add('## ', markdownLine(title, TITLE_LIMIT) || l10n.t('Untitled'));
  text.add('');
  text.add(
    '',
    markdownLine(name, TITLE_LIMIT),
    withAccount ? markdownLine(accountName(account.record), TITLE_LIMIT) : '',
    digestLine(counts),
  );
  if (lastWords !== undefined) {
    const sentence = markdownLine(lastWords.sentence, SENTENCE_LIMIT);
    text.add('');
    text.add('', l10n.t('Last words: “{0}”', sentence), linkTo(entry, lastWords.message));
  }
  text.add('');
  for (const run of runs) addRun(text, entry, run);
}

function addRun(text: Lines, entry: DigestEntry, run: RunDigest): void {
  text.add('- ', runWords(run), formatDateTime(run.at), reasonOf(run), linkTo(entry, run.message));
  for (const question of run.questions) {
    const { title, detail } = questionView(question.part, false);
    const asked = question.part.question.kind === 'permission' ? title : detail || title;
    text.add(
      '  - ',
      markdownLine(asked, SENTENCE_LIMIT),
      markdownLine(outcomeWords(question), SENTENCE_LIMIT),
    );
  }
}

/** Why a run failed; empty where it did not, or where nobody knows. */
function reasonOf({ failure }: RunDigest): string {
  return failure === null
    ? ''
    : markdownLine(explainFailure(failureFacts(failure)).title, SENTENCE_LIMIT);
}

function linkTo({ intern, conversation }: DigestEntry, message: string): Piece {
  const query = JSON.stringify([{ intern, conversation, message }]);
  return {
    words: vscode.l10n.t('Show message'),
    target: vscode.Uri.from({ scheme: 'command', path: 'interns.openChat', query }),
  };
}
