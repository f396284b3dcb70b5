import { Sentences } from '../../base/sentences.ts';
import type { OpenQuestion } from '../machine/state.ts';
import type { Part, QuestionPart } from '../messages.ts';
import type { Transcript } from '../transcript.ts';
import { CANCEL, mayAllow } from './permission.ts';
import type { QuestionContext } from './types.ts';

/** Longest that is kept of what an intern said, in characters: of sentences that are longer together, the last one. */
export const SAID_LIMIT = 400;

/** How much of the end of a text is searched for its last sentences, in UTF-16 units. */
const searchedEnd = 65_536;

/** What was said and decided before a question of a conversation. */
export function questionContextOf(
  transcript: Transcript,
  { id, run, question }: Pick<OpenQuestion, 'id' | 'run' | 'question'>,
): QuestionContext {
  const parts = transcript.reply(run)?.parts ?? [];
  const at = parts.findIndex((part) => part.kind === 'question' && part.id === id);
  const said = lastWords(at < 0 ? parts : parts.slice(0, at));
  const operation = question.kind === 'permission' ? question.operation : null;
  const ways = operation === null ? [] : answersTo(operation, transcript);
  const allowed = ways.filter(mayAllow).length;
  const rejected = ways.filter((how) => !mayAllow(how) && how !== CANCEL).length;
  return { said, allowed, rejected };
}

/** The ways in which users answered questions for an operation. */
function answersTo(operation: string, { messages }: Transcript): readonly string[] {
  return messages
    .flatMap((message) => (message.kind === 'reply' ? message.parts : []))
    .filter((part): part is QuestionPart => part.kind === 'question')
    .filter(({ question }) => question.kind === 'permission' && question.operation === operation)
    .filter(({ by }) => by === null)
    .flatMap(({ ending, how }) => (ending === 'answered' && how !== null ? [how] : []));
}

/** What was written last: since the question before, or before that one where nothing was written in between. */
function lastWords(parts: readonly Part[]): string {
  const asked = parts.findLastIndex(({ kind }) => kind === 'question');
  const written = parts.slice(asked + 1);
  const words = lastSentences(written, 'text', 2) || lastSentences(written, 'reasoning', 2);
  return words !== '' || asked < 0 ? words : lastWords(parts.slice(0, asked));
}

/** The last sentences in parts of a kind, as text of at most {@link SAID_LIMIT} characters; empty where there are none. */
function lastSentences(parts: readonly Part[], kind: 'text' | 'reasoning', count: number): string {
  const texts = parts.flatMap((part) => (part.kind === kind ? [part.text] : []));
  const reader = new Sentences({ inLine: (code) => code, block: '' });
  const read = [...reader.take(texts.join('\n\n').slice(-searchedEnd)), ...reader.end()];
  const sentences: string[] = [];
  for (const each of read) {
    // What a colon announces is the same sentence, for a reader.
    const isGoingOn = sentences.at(-1)?.endsWith(':') === true;
    if (isGoingOn) sentences.push(`${sentences.pop() ?? ''} ${each}`);
    else sentences.push(each);
  }
  const last = sentences.slice(-count).join(' ');
  return last.length <= SAID_LIMIT ? last : shortened(sentences.at(-1) ?? '');
}

function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length <= SAID_LIMIT
    ? text
    : `${characters.slice(0, SAID_LIMIT - 1).join('')}…`;
}
