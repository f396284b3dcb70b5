import assert from 'node:assert/strict';
import { INTERACTION_DEADLINE_MS } from '../../../src/base/limits.ts';
import {
  digestOf,
  hasNews,
  needsUser,
  sumOfCounts,
  type ConversationDigest,
  type DigestCounts,
} from '../../../src/conversation/digest.ts';
import type { Entry, EntryBody } from '../../../src/conversation/journal.ts';
import { Transcript } from '../../../src/conversation/transcript.ts';
import { outcomeWords } from '../../../src/features/digest/digestWords.ts';
import { permissionCall } from './conversationStage.ts';

const { id, name, arguments: text } = permissionCall('call-1');
const failure = { kind: 'timeout', status: 504, message: '', inStream: false };

/** When the user left, and how far from it the entries are, in ms. */
const left = 1_000_000;
const hour = 3_600_000;

/** Entries, each at so many ms after the user left. */
function recorded(...timed: readonly (readonly [number, EntryBody])[]): Transcript {
  const opened: Entry = { type: 'opened', id: 'e', at: 0, intern: 'intern_1', mode: 'manual' };
  const rest = timed.map(([after, body], n): Entry => ({ ...body, id: `e${n}`, at: left + after }));
  return Transcript.fold([opened, ...rest]);
}

function digest(...timed: readonly (readonly [number, EntryBody])[]) {
  return digestOf(recorded(...timed), left, left + hour);
}

const prompt = (run: string): EntryBody => ({ type: 'prompt', run, text: 'Hi', mode: 'manual' });
const says = (run: string, said: string): EntryBody => ({ type: 'text', run, text: said });
const finished = (run: string): EntryBody => ({ type: 'finished', run, reason: 'stop' });
const asked = (run: string, question: string): EntryBody => ({
  ...{ type: 'asked', run, question },
  call: { id, name, arguments: text },
});
const paused = (run: string): EntryBody => ({ type: 'finished', run, reason: 'tool_calls' });
const ended = (run: string, cost?: number): EntryBody => ({
  ...{ type: 'end', run, session: null, model: null },
  usage: { promptTokens: 1, completionTokens: 1, totalTokens: 2, cost },
});

/** The counts that are not 0. */
function counted(of: ConversationDigest | undefined): Partial<DigestCounts> {
  return Object.fromEntries(Object.entries(of?.counts ?? {}).filter(([, count]) => count !== 0));
}

describe('what happened in a conversation while its user was away', () => {
  it('tells each way in which a run ended', () => {
    const ways: readonly (readonly [EntryBody, Partial<DigestCounts>])[] = [
      [finished('r'), { finished: 1 }],
      [{ type: 'failed', run: 'r', failure }, { failed: 1 }],
      [{ type: 'finished', run: 'r', reason: 'error', failure }, { failed: 1 }],
      [{ type: 'stopped', run: 'r' }, { stopped: 1 }],
    ];
    for (const [end, counts] of ways)
      assert.deepEqual(counted(digest([-5, prompt('r')], [5, end])), counts, end.type);
  });

  it('leaves out what ended before, by a millisecond, and what was only renamed since', () => {
    const before = [
      [-9, prompt('r')],
      [-1, finished('r')],
    ] as const;
    assert.equal(digest(...before), undefined);
    assert.equal(digest(...before, [9, { type: 'renamed', title: 'Mine' }]), undefined);
    assert.deepEqual(counted(digest([-9, prompt('r')], [0, finished('r')])), { finished: 1 });
    const both = digest(...before, [3, prompt('s')], [4, finished('s')]);
    assert.deepEqual(
      both?.runs.map(({ message, at }) => [message, at]),
      [['s', left + 4]],
    );
  });

  it('tells of a run that was cut off before but found so since: its user cannot have known', () => {
    const cut = digest([-9, prompt('r')], [-8, says('r', 'So')], [hour, { type: 'cut', run: 'r' }]);
    assert.deepEqual(counted(cut), { failed: 1 });
  });

  it('calls a run that goes on no news, and leaves out one that was silent all the time', () => {
    const going = digest([-9, prompt('r')], [9, says('r', 'Well')]);
    assert.deepEqual(counted(going), { running: 1 });
    assert.equal(hasNews(going!.counts), false);
    assert.equal(digest([-9, prompt('r')], [-8, says('r', 'Well')]), undefined);
  });

  it('tells a question that waits from one that nobody answered in time, though nothing on record closes that', () => {
    const late = hour - INTERACTION_DEADLINE_MS;
    const waiting = digest([-9, prompt('r')], [late + 1, asked('r', 'q')], [late + 1, paused('r')]);
    assert.deepEqual(counted(waiting), { waiting: 1 });
    const expired = digest([-9, prompt('r')], [late, asked('r', 'q')], [late, paused('r')]);
    assert.deepEqual(counted(expired), { expired: 1 });
    for (const { counts } of [waiting!, expired!]) assert.ok(needsUser(counts));
  });

  it('tells of a question that was asked before and ran out since, and of none that had run out by then', () => {
    const questionAt = (at: number) =>
      digest([at - 1, prompt('r')], [at, asked('r', 'q')], [at, paused('r')]);
    assert.deepEqual(counted(questionAt(1 - INTERACTION_DEADLINE_MS)), { expired: 1 });
    assert.equal(questionAt(-INTERACTION_DEADLINE_MS), undefined);
  });

  it('counts an answered question neither as waiting nor as expired, one that is over for the service as expired, and a refusal for nobody as unanswered', () => {
    const questioned = [[1, prompt('r')] as const, [2, asked('r', 'q')] as const];
    const answered: EntryBody = { type: 'answered', question: 'q', how: 'allow_once' };
    const over = digest(...questioned, [3, answered], [4, finished('r')]);
    assert.deepEqual(counted(over), { finished: 1 });
    assert.deepEqual(
      over?.runs[0]?.questions.map(({ fate, part }) => [fate, part.how]),
      [['settled', 'allow_once']],
    );
    const gone: EntryBody = { type: 'closed', question: 'q', why: 'gone' };
    const lost = digest(...questioned, [3, gone], [4, finished('r')]);
    assert.deepEqual(counted(lost), { finished: 1, expired: 1 });
    const forNobody: EntryBody = { ...answered, how: 'reject_once', by: 'nobody' };
    const refused = digest(...questioned, [3, forNobody], [4, finished('r')]);
    assert.deepEqual(counted(refused), { finished: 1, unanswered: 1 });
    const stopped = digest(...questioned, [4, { type: 'stopped', run: 'r' }]);
    assert.deepEqual(counted(stopped), { stopped: 1 });
  });

  it('says that an answer may have been received when no window sends it any more', () => {
    const sent: readonly (readonly [number, EntryBody])[] = [
      [1, prompt('r')],
      [2, asked('r', 'q')],
      [2, paused('r')],
      [3, { type: 'answering', question: 'q', how: 'allow_once' }],
    ];
    const words = (isUnderWay: boolean) => {
      const entries = sent.map(([at, body], index) => ({ ...body, id: `${index}`, at: left + at }));
      const runs = digestOf(Transcript.fold(entries), left, left + hour, isUnderWay)?.runs;
      return runs?.[0]?.questions.map(outcomeWords);
    };
    assert.deepEqual(words(false), ['Your answer may have been received. You can answer again.']);
    assert.deepEqual(words(true), ['Sending your answer']);
  });

  it('sums what the responses cost that ended since, each of a run that asked, and no other ones', () => {
    const runs = digest(
      ...([
        [-9, prompt('a')],
        [-8, ended('a', 5)],
        [-7, finished('a')],
      ] as const),
      ...([
        [1, prompt('b')],
        [2, finished('b')],
        [2, ended('b', 0.1)],
      ] as const),
      ...([
        [3, prompt('c')],
        [4, ended('c')],
        [4, finished('c')],
      ] as const),
      ...([
        [5, prompt('d')],
        [6, asked('d', 'q')],
        [6, paused('d')],
        [6, ended('d', 0.2)],
      ] as const),
      ...([
        [7, { type: 'answered', question: 'q', how: 'x' }],
        [8, ended('d', 0.2)],
      ] as const),
    );
    assert.equal(runs?.counts.cost, 0.5);
    assert.equal(sumOfCounts([runs.counts, { ...runs.counts, cost: 0.1 }]).cost, 0.6);
    assert.equal(sumOfCounts([]).finished, 0);
  });

  it('gives the last sentence that the intern wrote, as it is read, and where', () => {
    const wrote = digest(
      ...([
        [1, prompt('r')],
        [2, says('r', '# Done\n\nAll 3.5 l are used. **Every plant** is `wet`.\n\n---\n')],
      ] as const),
      ...([
        [3, finished('r')],
        [4, prompt('s')],
        [5, finished('s')],
      ] as const),
    );
    assert.deepEqual(wrote?.lastWords, { message: 'r', sentence: 'Every plant is wet.' });
    assert.equal(digest([1, prompt('r')], [2, finished('r')])?.lastWords, undefined);
  });
});
