import { truncate } from '../../base/characters.ts';
import { SentenceSplitter } from '../../base/sentences.ts';
import type { OpenQuestion } from '../machine/state.ts';
import type { Part, QuestionPart } from '../messages.ts';
import type { Transcript } from '../transcript.ts';
import { CANCEL_CHOICE, mayAllow } from './permission.ts';
import type { QuestionContext } from './types.ts';

/** Maximum number of characters that are kept of what an intern said. If two sentences have more, the last is kept. */
export const MAX_STATEMENT_CHARACTERS = 400;

/** How much of the end of a text is searched for sentences, in UTF-16 units. */
const MAX_SEARCHED_CHARACTERS = 65_536;

export function createQuestionContext(
  transcript: Transcript,
  { id, run, question }: Pick<OpenQuestion, 'id' | 'run' | 'question'>,
): QuestionContext {
  const parts = transcript.reply(run)?.parts ?? [];
  const index = parts.findIndex((part) => part.kind === 'question' && part.id === id);
  const said = lastStatement(index < 0 ? parts : parts.slice(0, index));
  const operation = question.kind === 'permission' ? question.operation : null;
  const answers = operation === null ? [] : recordedAnswersTo(operation, transcript);
  const allowed = answers.filter(mayAllow).length;
  const rejected = answers.filter((how) => !mayAllow(how) && how !== CANCEL_CHOICE).length;
  return { said, allowed, rejected };
}

/** Returns the user's answers to questions for an operation, each as its permission option. */
function recordedAnswersTo(operation: string, { messages }: Transcript): readonly string[] {
  return messages
    .flatMap((message) => (message.kind === 'reply' ? message.parts : []))
    .filter((part): part is QuestionPart => part.kind === 'question')
    .filter(({ question }) => question.kind === 'permission' && question.operation === operation)
    .filter(({ ending }) => ending === 'answered')
    .flatMap(({ answer }) => (answer === null || answer.by !== undefined ? [] : [answer.how]));
}

/** Returns what was written since the last question, or before it if nothing was. */
function lastStatement(parts: readonly Part[]): string {
  const asked = parts.findLastIndex(({ kind }) => kind === 'question');
  const written = parts.slice(asked + 1);
  const words = lastSentences(written, 'text') || lastSentences(written, 'reasoning');
  return words !== '' || asked < 0 ? words : lastStatement(parts.slice(0, asked));
}

/** Returns the last two sentences. */
function lastSentences(parts: readonly Part[], kind: 'text' | 'reasoning'): string {
  const texts = parts.flatMap((part) => (part.kind === kind ? [part.text] : []));
  const splitter = new SentenceSplitter({ inLine: (code) => code, block: '' });
  const found = splitter.end(texts.join('\n\n').slice(-MAX_SEARCHED_CHARACTERS));
  const sentences: string[] = [];
  for (const each of found) {
    // The splitter ends a sentence at each line break. After a colon, the next line continues the sentence.
    const announced = sentences.at(-1)?.endsWith(':') === true ? sentences.pop() : undefined;
    sentences.push(announced === undefined ? each : `${announced} ${each}`);
  }
  const last = sentences.slice(-2).join(' ');
  if (last.length <= MAX_STATEMENT_CHARACTERS) return last;
  return truncate(sentences.at(-1) ?? '', MAX_STATEMENT_CHARACTERS);
}
