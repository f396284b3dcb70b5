import assert from 'node:assert/strict';
import type { JournalEntry, EntryBody } from '../../../../src/conversation/journal.ts';
import {
  createQuestionContext,
  MAX_STATEMENT_CHARACTERS,
} from '../../../../src/conversation/questions/questionContext.ts';
import { AUTO_ANSWER } from '../../../../src/conversation/questions/types.ts';
import { Transcript } from '../../../../src/conversation/transcript.ts';

const run = 'run-1';
const text = (words: string): EntryBody => ({ type: 'text', run, text: words });
const thought = (words: string): EntryBody => ({ type: 'reasoning', run, text: words });

function asked(question: string, operation: string | null = 'shell', of = run): EntryBody {
  const args = JSON.stringify({ kind: 'permission', operation, options: ['allow_once'] });
  const call = { id: `call of ${question}`, name: 'service.provide_input', arguments: args };
  return { type: 'asked', run: of, question, call };
}

const answered = (question: string, how: string): EntryBody => ({
  type: 'answered',
  question,
  how,
});

/** The context of the last question after these entries. */
const contextAfter = (...bodies: readonly EntryBody[]) => contextOf(-1, bodies);

/** The context of one of the open questions after these entries. */
function contextOf(index: number, bodies: readonly EntryBody[]) {
  const first: EntryBody[] = [
    { type: 'opened', intern: 'i', mode: 'manual' },
    { type: 'prompt', run, text: 'Go', mode: 'manual' },
  ];
  const entries = [...first, ...bodies].map((body, id): JournalEntry => ({
    ...body,
    id: `${id}`,
    at: id,
  }));
  const transcript = Transcript.fold(entries);
  const question = transcript.openQuestions.at(index);
  assert.ok(question);
  return createQuestionContext(transcript, question);
}

const saidBefore = (...bodies: readonly EntryBody[]): string =>
  contextAfter(...bodies, asked('q')).said;

describe('the context of a question', () => {
  it('the context of a question shows the last two sentences before it, with code verbatim', () => {
    const words = '# Plan\n\nOne. I have **looked** at `a.b c`. Now I\n';
    assert.equal(saidBefore(text(`${words}- run \`rm -rf *_*\`.`)), 'Now I run rm -rf *_*.');
    assert.equal(
      saidBefore(text('One. Two! Three: this\n\n```sh\nls. x.\n```\n')),
      'Two! Three: this',
    );
    assert.equal(saidBefore(text('One. Two. Run:\n\n- `npm test`\n')), 'Two. Run: npm test');
    assert.equal(saidBefore(text('One'), thought('x'), text('Two.')), 'One Two.');
    assert.equal(saidBefore(text('Only this')), 'Only this');
  });

  it('the context of a question shows reasoning only if there is no text', () => {
    assert.equal(saidBefore(thought('I think. I am.')), 'I think. I am.');
    assert.equal(saidBefore(text('I say.'), thought('I think.')), 'I say.');
    assert.equal(saidBefore(text('```\nx.\n```\n\n---\n')), '');
    assert.equal(saidBefore(), '');
  });

  it('the context of a question shows only what was written since the last question', () => {
    const before = [text('For one.'), asked('p'), answered('p', 'allow_once')];
    assert.equal(saidBefore(...before, thought('For another.')), 'For another.');
    assert.equal(saidBefore(...before), 'For one.');
    assert.equal(saidBefore(...before, text('\n\n')), 'For one.');
  });

  it('the context of a question shows nothing that was written after it', () => {
    const bodies = [text('For one.'), asked('p'), text('For another.'), asked('q')];
    assert.equal(contextOf(0, bodies).said, 'For one.');
    assert.equal(contextOf(1, bodies).said, 'For another.');
  });

  it('the context of a question limits the length of its text', () => {
    const long = `${'word '.repeat(200_000)}end.`;
    assert.ok(Array.from(saidBefore(text(long))).length <= MAX_STATEMENT_CHARACTERS);
    const whole = '😀'.repeat(MAX_STATEMENT_CHARACTERS);
    assert.equal(saidBefore(text(whole)), whole);
    assert.equal(saidBefore(text(`${whole}😀`)), `${whole.slice(0, -2)}…`);
    assert.equal(saidBefore(text(`${'word '.repeat(90)}end. Short.`)), 'Short.');
  });

  it('the context of a question counts known decisions on its operation, in other runs too', () => {
    const again = 'run-2';
    const context = contextAfter(
      ...[asked('a'), answered('a', 'allow_once'), asked('b'), answered('b', 'allow_always')],
      text('Words are no decision.'),
      ...[asked('c'), answered('c', 'reject_once'), asked('d'), answered('d', 'cancel')],
      ...[asked('e', 'read_file'), answered('e', 'reject_once')],
      asked('f'),
      { type: 'answering', question: 'f', how: 'allow_once' },
      { type: 'closed', question: 'f', why: 'maybe-answered' },
      asked('automatic'),
      { type: 'answered', question: 'automatic', how: 'reject_once', by: AUTO_ANSWER },
      { type: 'prompt', run: again, text: 'Again', mode: 'manual' },
      asked('g', 'shell', again),
    );
    assert.deepEqual(context, { said: '', allowed: 2, rejected: 1 });
  });

  it('the context of a question counts no operations without a name', () => {
    const context = contextAfter(asked('a', null), answered('a', 'allow_once'), asked('b', null));
    assert.deepEqual(context, { said: '', allowed: 0, rejected: 0 });
  });
});
