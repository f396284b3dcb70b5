import assert from 'node:assert/strict';
import type { EntryBody, StoredFailure } from '../../../src/conversation/journal.ts';
import { shortTitle } from '../../../src/base/shortTitle.ts';
import { findMaybeReceived } from '../../../src/conversation/messages.ts';
import { Transcript } from '../../../src/conversation/transcript.ts';
import { asked, fold, stamped } from './entries.ts';
import { permissionCall } from './fakeExchange.ts';

const failure = { kind: 'timeout', status: 504, message: '', inStream: false };
const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 };

function prompt(run: string, typed = 'Hello'): EntryBody {
  return { type: 'prompt', run, text: typed, mode: 'manual' };
}

/** The kinds of the changes, one word each. */
function told(transcript: Transcript, body: EntryBody, n: number): string[] {
  return transcript
    .apply({ ...body, id: `told-${n}`, at: n * 1_000 })
    .map((change) =>
      [
        change.kind,
        'message' in change ? change.message.kind : '',
        'id' in change ? change.id : '',
        'part' in change ? change.part : '',
        'text' in change ? change.text : '',
      ]
        .filter((word) => word !== '')
        .join(' '),
    );
}

describe('the changes of a transcript', () => {
  function follows(...steps: readonly (readonly [EntryBody, readonly string[]])[]): Transcript {
    const transcript = new Transcript();
    for (const [n, [body, changes]] of steps.entries())
      assert.deepEqual(told(transcript, body, n + 1), changes, body.type);
    return transcript;
  }

  it('a change names the messages, parts, headers and settings that changed', () => {
    const transcript = follows(
      [{ type: 'opened', intern: 'intern_1', mode: 'manual' }, ['meta']],
      [{ type: 'renamed', title: 'Mine' }, ['meta']],
      [{ type: 'mode', mode: 'self-drive' }, ['meta']],
      [{ type: 'consented' }, ['meta']],
      [{ type: 'notice', notice: 'edited' }, ['add notice']],
      [prompt('r1'), ['add prompt', 'add reply', 'meta']],
      [{ type: 'reasoning', run: 'r1', text: 'Hm' }, ['part r1 0']],
      [{ type: 'reasoning', run: 'r1', text: ', well' }, ['append r1 0 , well']],
      [{ type: 'text', run: 'r1', text: 'So' }, ['part r1 0', 'part r1 1']],
      [{ type: 'text', run: 'r1', text: ' be it' }, ['append r1 1  be it']],
      [{ type: 'reasoning', run: 'r1', text: 'And?' }, ['part r1 2']],
      [asked('r1', 'q1'), ['part r1 2', 'part r1 3']],
      [{ type: 'reasoning', run: 'r1', text: 'More' }, ['part r1 4']],
      [{ type: 'finished', run: 'r1', reason: 'tool_calls' }, ['part r1 4', 'header r1']],
      [{ type: 'answering', question: 'q1', how: 'allow_once' }, ['part r1 3']],
      [{ type: 'refused', question: 'q1', failure }, ['part r1 3']],
      [{ type: 'answered', question: 'q1', how: 'allow_once' }, ['part r1 3', 'header r1']],
      [{ type: 'closed', question: 'q1', why: 'gone' }, ['part r1 3']],
      [{ type: 'told', question: 'q1' }, ['part r1 3']],
      [{ type: 'text', run: 'r1', text: 'Done' }, ['part r1 5']],
      [{ type: 'reasoning', run: 'r1', text: 'Last' }, ['part r1 6']],
      [{ type: 'finished', run: 'r1', reason: 'stop' }, ['part r1 6', 'header r1', 'meta']],
      [{ type: 'end', run: 'r1', session: 's1', model: 'm', usage }, ['header r1', 'meta']],
    );
    assert.deepEqual(
      [transcript.intern, transcript.title, transcript.mode, transcript.consented],
      ['intern_1', 'Mine', 'self-drive', true],
    );
    assert.deepEqual([transcript.session, transcript.updatedAt], ['s1', 23_000]);
    assert.equal(transcript.question('q1')?.isReportedToIntern, true);
    const { parts, model, usage: counted, endedAt, state } = transcript.reply('r1')!;
    assert.deepEqual([model, counted, endedAt, state], ['m', usage, 22_000, 'done']);
    assert.deepEqual(
      parts.map((part) => ('text' in part ? part.text : part.stage)),
      ['Hm, well', 'So be it', 'And?', 'over', 'More', 'Done', 'Last'],
    );
    assert.deepEqual(
      parts.flatMap((part) => (part.kind === 'reasoning' ? [[part.startedAt, part.endedAt]] : [])),
      [
        [7_000, 9_000],
        [11_000, 12_000],
        [13_000, 14_000],
        [21_000, 22_000],
      ],
    );
  });

  it('an entry that was applied before changes nothing', () => {
    const transcript = fold(prompt('r1'), { type: 'text', run: 'r1', text: 'Once' });
    const [, echo] = stamped(prompt('r1'), { type: 'text', run: 'r1', text: 'Once' });
    assert.deepEqual(transcript.apply(echo!), []);
    assert.deepEqual(transcript.lastReply?.parts, [{ kind: 'text', text: 'Once' }]);
  });

  it('a queued prompt that two windows send at the same moment shows once', () => {
    const transcript = fold(prompt('r1'), { type: 'text', run: 'r1', text: 'Once' });
    assert.deepEqual(told(transcript, prompt('r1'), 3), []);
    assert.equal(transcript.messages.length, 2);
    assert.deepEqual(transcript.lastReply?.parts, [{ kind: 'text', text: 'Once' }]);
  });

  it('an entry of a run or a question whose beginning is lost changes nothing', () => {
    follows(
      [{ type: 'text', run: 'lost', text: 'x' }, []],
      [{ type: 'lapsed', run: 'lost' }, []],
      [asked('lost', 'q'), []],
      [{ type: 'answered', question: 'q', how: 'allow_once' }, []],
      [{ type: 'finished', run: 'lost', reason: 'tool_calls' }, []],
      [{ type: 'stopped', run: 'lost' }, []],
      [{ type: 'end', run: 'lost', session: 's1', model: null, usage: null }, ['meta']],
    );
  });

  it('a change names a prompt whose self-drive expired before it was sent', () => {
    const driven = { ...prompt('r1'), mode: 'self-drive' } as EntryBody;
    const transcript = fold(driven);
    assert.deepEqual(told(transcript, { type: 'lapsed', run: 'r1' }, 2), ['prompt e0']);
    const { lastPrompt, lastReply } = transcript;
    assert.deepEqual([lastPrompt?.mode, lastReply?.mode], ['manual', 'manual']);
  });

  it('an entry ends a run as failed, stopped, or cut at its last entry', () => {
    const endings = [
      [{ type: 'finished', run: 'r1', reason: 'error', failure }, 'failed', failure, 3_000],
      [{ type: 'failed', run: 'r1', failure }, 'failed', failure, 3_000],
      [{ type: 'stopped', run: 'r1' }, 'stopped', null, 3_000],
      [{ type: 'cut', run: 'r1' }, 'cut', null, 2_000],
    ] as const;
    for (const [ending, state, why, at] of endings) {
      const transcript = fold(prompt('r1'), { type: 'text', run: 'r1', text: 'x' });
      assert.deepEqual(told(transcript, ending, 3), ['header r1', 'meta']);
      const reply = transcript.lastReply!;
      assert.deepEqual([reply.state, reply.failure, reply.endedAt], [state, why, at]);
    }
  });
});

describe('a transcript', () => {
  it('a transcript without entries is empty and manual', () => {
    const empty = new Transcript();
    const { intern, mode, title, consented, session, updatedAt } = empty;
    const facts = [intern, mode, title, consented, session, updatedAt];
    assert.deepEqual(facts, ['', 'manual', '', false, null, 0]);
    assert.deepEqual([empty.lastReply, empty.openQuestions], [undefined, []]);
  });

  it('the first prompt is the title of a transcript unless it is renamed', () => {
    const edited: EntryBody = { type: 'notice', notice: 'edited' };
    const entries = [edited, prompt('r1', 'First'), prompt('r2', 'Next')];
    const renamed: EntryBody = { type: 'renamed', title: 'Mine' };
    assert.equal(fold(...entries).title, 'First');
    assert.equal(fold(...entries, renamed).title, 'Mine');
    assert.equal(fold(...entries, renamed, { ...renamed, title: '' }).title, 'First');
  });

  it('a transcript finds the prompt, the reply and the questions of each run', () => {
    const transcript = fold(
      prompt('r1', 'First'),
      asked('r1', 'q1'),
      asked('r1', 'q2'),
      prompt('r2', 'Next'),
      asked('r2', 'q3'),
    );
    const runs = ['r1', 'r2', 'r3'];
    const prompts = runs.map((run) => transcript.prompt(run)?.text);
    assert.deepEqual(prompts, ['First', 'Next', undefined]);
    const replies = runs.map((run) => transcript.reply(run)?.id);
    assert.deepEqual(replies, ['r1', 'r2', undefined]);
    assert.equal(transcript.lastPrompt?.text, 'Next');
    const questions = ['q1', 'q2', 'q3', 'q4'].map((question) => transcript.question(question));
    const found = questions.map((part) => part && `${part.kind} ${part.id} ${part.run}`);
    assert.deepEqual(found, ['question q1 r1', 'question q2 r1', 'question q3 r2', undefined]);
  });

  it('a transcript lists the prompts of the user without those of agents', () => {
    const byAgent: EntryBody = { type: 'notice', notice: 'by-agent' };
    const answer: EntryBody = { type: 'text', run: 'r1', text: 'Hello' };
    const transcript = fold(
      prompt('r1', 'A'),
      answer,
      byAgent,
      prompt('r2', 'B'),
      prompt('r3', 'C'),
    );
    assert.deepEqual(transcript.ownPrompts, ['A', 'C']);
  });

  it('a transcript lists the questions of the last run that are pending or being answered', () => {
    const transcript = fold(
      prompt('r1'),
      asked('r1', 'old'),
      prompt('r2'),
      { type: 'text', run: 'r2', text: 'x' },
      ...['pending', 'answering', 'answered', 'closed'].map((state) => asked('r2', state)),
      { type: 'answering', question: 'answering', how: 'allow_once' },
      { type: 'answered', question: 'answered', how: 'allow_once' },
      { type: 'closed', question: 'closed', why: 'gone' },
    );
    assert.deepEqual(
      transcript.openQuestions.map((part) => part.id),
      ['pending', 'answering'],
    );
  });

  it('a reply is working again after an answer', () => {
    const sent = { sent: 'Hello, with a file', attachments: [{ label: 'a.ts', size: 3 }] };
    const transcript = fold(
      { type: 'prompt', run: 'r1', text: 'Hello', mode: 'manual', ...sent },
      asked('r1', 'q1'),
      { type: 'finished', run: 'r1', reason: 'tool_calls' },
    );
    const { text: typed, sent: whole, attachments } = transcript.lastPrompt!;
    assert.deepEqual([typed, { sent: whole, attachments }], ['Hello', sent]);
    assert.equal(transcript.lastReply?.state, 'waiting');
    transcript.apply({ type: 'answered', question: 'q1', how: 'decline', id: 'later', at: 9_000 });
    assert.equal(transcript.lastReply.state, 'working');
    assert.deepEqual(transcript.question('q1')?.call, permissionCall('call-1'));
  });

  it('a transcript loses its session only when a new one begins', () => {
    const end = { type: 'end', run: 'r1', session: 's1', model: 'm', usage } as const;
    const begun = [prompt('r1'), end];
    const later = { ...end, session: null, model: null, usage: null };
    const { session, lastReply } = fold(...begun, later);
    assert.deepEqual([session, lastReply?.model, lastReply?.usage], ['s1', 'm', usage]);
    assert.equal(fold(...begun, { type: 'notice', notice: 'edited' }).session, 's1');
    assert.equal(fold(...begun, { type: 'notice', notice: 'new-session' }).session, null);
  });

  it('an intern forgets a conversation without its session only if a run may have begun', () => {
    const refused = { kind: 'server-error', status: 500, message: '', inStream: false };
    const failed = (why: StoredFailure): EntryBody => ({
      type: 'failed',
      run: 'r1',
      failure: why,
    });
    const isForgotten = (...later: readonly EntryBody[]) =>
      fold(prompt('r1'), ...later).isForgotten;
    assert.equal(fold().isForgotten, false);
    assert.equal(isForgotten(failed(refused)), false);
    assert.equal(isForgotten(failed({ ...refused, kind: 'network', code: 'ECONNREFUSED' })), false);
    assert.equal(isForgotten(failed(failure)), true);
    assert.equal(isForgotten(failed({ ...refused, inStream: true })), true);
    assert.equal(isForgotten({ type: 'stopped', run: 'r1' }), true);
    assert.equal(isForgotten(failed(refused), prompt('r2'), { type: 'stopped', run: 'r2' }), true);
    // The notice of the new session is above the second prompt already.
    const retried = [{ type: 'stopped', run: 'r1' }, prompt('r2')] as const;
    assert.equal(isForgotten(...retried, { type: 'failed', run: 'r2', failure: refused }), false);
  });

  it('a question keeps the failure of an answer until the next one is sent', () => {
    const answering: EntryBody = { type: 'answering', question: 'q1', how: 'allow_once' };
    const entries = [prompt('r1'), asked('r1', 'q1'), answering] as const;
    const refused: EntryBody = { type: 'refused', question: 'q1', failure };
    const part = (...more: readonly EntryBody[]) => {
      const { stage, answer, failure: why } = fold(...entries, ...more).question('q1')!;
      return { stage, how: answer?.how, why };
    };
    assert.deepEqual(part(), { stage: 'sending', how: 'allow_once', why: null });
    assert.deepEqual(part(refused), { stage: 'refused', how: 'allow_once', why: failure });
    assert.deepEqual(part(refused, answering), part());
  });

  it('a conversation leaves the archive after a prompt or a question', () => {
    const archived: EntryBody = { type: 'listed', as: 'archived' };
    const done: EntryBody = { type: 'finished', run: 'r1', reason: 'stop' };
    assert.equal(fold(prompt('r1'), done, archived).listedAs, 'archived');
    assert.equal(fold(prompt('r1'), archived, asked('r1', 'q1')).listedAs, 'plain');
    assert.equal(fold(prompt('r1'), archived, prompt('r2')).listedAs, 'plain');
    assert.equal(fold({ type: 'listed', as: 'pinned' }, prompt('r1')).listedAs, 'pinned');
  });

  const settings: readonly EntryBody[] = [
    { type: 'listed', as: 'archived' },
    { type: 'renamed', title: 'Release' },
    { type: 'mode', mode: 'self-drive' },
    { type: 'consented' },
    { type: 'cost-limit', usd: 1 },
    { type: 'unanswered', then: 'refuse' },
  ];
  for (const setting of settings)
    it(`the entry "${setting.type}" does not change when a transcript was updated`, () => {
      const done: EntryBody = { type: 'finished', run: 'r1', reason: 'stop' };
      assert.equal(fold(prompt('r1'), done, setting).updatedAt, 2_000);
    });

  it('a transcript ignores answers to a question that is not on record', () => {
    const transcript = fold(
      prompt('r1'),
      { type: 'answering', question: 'q', how: 'allow_once' },
      { type: 'refused', question: 'q', failure },
    );
    assert.deepEqual(transcript.openQuestions, []);
    assert.equal(findMaybeReceived(transcript.question('q'), false), null);
  });

  it('a transcript has the time of its latest entry, whatever their order', () => {
    const transcript = new Transcript();
    for (const at of [5_000, 3_000])
      transcript.apply({ type: 'notice', notice: 'edited', id: `n${at}`, at });
    assert.deepEqual(
      transcript.messages.map((message) => message.at),
      [5_000, 3_000],
    );
    assert.equal(transcript.updatedAt, 5_000);
  });
});

describe('the first words of a prompt', () => {
  it('the title shortens a prompt to one line of at most 60 characters, cut between words', () => {
    assert.equal(shortTitle('  Why\n\tnot  now? '), 'Why not now?');
    assert.equal(shortTitle('x'.repeat(60)), 'x'.repeat(60));
    assert.equal(shortTitle('x'.repeat(61)), `${'x'.repeat(60)}…`);
    assert.equal(shortTitle(`x${'🙂'.repeat(60)}`), `x${'🙂'.repeat(59)}…`);
    const words = (before: number) => `${'a'.repeat(before)} ${'b'.repeat(80)}`;
    assert.equal(shortTitle(words(31)), `${'a'.repeat(31)}…`);
    assert.equal(shortTitle(words(30)), `${words(30).slice(0, 60)}…`);
  });
});
