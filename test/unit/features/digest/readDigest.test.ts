import assert from 'node:assert/strict';
import type { EntryBody } from '../../../../src/conversation/journal.ts';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import type { Account } from '../../../../src/features/accounts/account.ts';
import type { LinkedText } from '../../../../src/features/chatPanel/chatTexts.ts';
import type { ConversationHead } from '../../../../src/features/conversations/heads.ts';
import { digestText } from '../../../../src/features/digest/digestText.ts';
import { readDigest } from '../../../../src/features/digest/readDigest.ts';
import { permissionCall } from '../../conversation/conversationStage.ts';
import { accountOf } from '../../support/fakeAccounts.ts';

const since = 1_700_000_000_000;
const now = since + 3_600_000;

interface Kept extends Omit<ConversationHead, 'createdAt' | 'intern'> {
  readonly account: string;
  readonly entries: readonly EntryBody[];
}

const run = 'r';
const { id, name, arguments: text } = permissionCall('call-1');
const hostile =
  '[x](command:workbench.action.quit) <b>*bold*</b> https://evil.test $(zap)\n# title';
const prompt: EntryBody = { type: 'prompt', run, text: 'Hi', mode: 'manual' };
const finished: EntryBody = { type: 'finished', run, reason: 'stop' };
const failed: EntryBody = {
  ...{ type: 'failed', run },
  failure: { kind: 'timeout', status: 504, message: '', inStream: false },
};
const cost: EntryBody = {
  ...{ type: 'end', run, session: null, model: null },
  usage: { promptTokens: 1, completionTokens: 1, totalTokens: 2, cost: 0.42 },
};
const asked: EntryBody = {
  ...{ type: 'asked', run, question: 'q' },
  call: { id, name, arguments: text },
};

/** Conversations on record, with something said one after the other since the user left. */
function kept(head: string, state: Kept['state'], ...entries: readonly EntryBody[]): Kept {
  return { id: head, account: 'a1', title: head, at: since + 1, state, entries };
}

/** What is told of conversations, and which records were read for it. */
async function digestOf(all: readonly Kept[]) {
  const read: string[] = [];
  const accounts = { all: ['a1', 'a2'].map((each) => accountOf(each)) };
  const digest = await readDigest(since, now, {
    accounts,
    conversations: {
      list: ({ id: account }: Account) =>
        Promise.resolve(
          all
            .filter((each) => each.account === account)
            .map((each) => ({ ...each, createdAt: 0, intern: 'i' })),
        ),
      isUnderWay: (_account: Account, conversation: string) =>
        Promise.resolve(!conversation.startsWith('dead')),
      read: (_account: Account, conversation: string) => {
        read.push(conversation);
        const { title, at, entries } = all.find((each) => each.id === conversation)!;
        const bodies: readonly EntryBody[] = [
          { type: 'opened', intern: 'i', mode: 'manual' },
          ...entries,
          { type: 'renamed', title },
        ];
        return Promise.resolve(
          Transcript.fold(bodies.map((body, n) => ({ ...body, id: `e${n}`, at: at + n }))),
        );
      },
    },
  });
  return { digest, read, shown: digestText(digest, () => 'ada') };
}

/** Where each link leads, by the line that it stands in. */
function linksOf({ lines, links }: LinkedText): [string, string, string][] {
  return links.map(({ line, from, to, target }) => [
    lines[line]!.trim().slice(0, 12),
    lines[line]!.slice(from, to),
    String(target),
  ]);
}

describe('what happened in all conversations', () => {
  it('reads of 500 records only those in which something may have happened', async () => {
    const old = Array.from({ length: 500 }, (_, n): Kept => ({
      ...kept(`old-${n}`, n % 2 === 0 ? 'idle' : 'failed', prompt, finished),
      at: since - 1_000,
    }));
    const fresh = kept('fresh', 'idle', prompt, finished);
    const asks = { ...kept('asks', 'waiting', prompt, asked), at: since - 1_000 };
    const { digest, read } = await digestOf([...old, fresh, asks]);
    assert.deepEqual(read, ['fresh', 'asks']);
    assert.deepEqual([digest.counts.finished, digest.counts.expired], [1, 1]);
  });

  it('is told of all accounts, what needs its user first, with the sums on top', async () => {
    const { digest, shown } = await digestOf([
      kept('done', 'idle', prompt, cost, finished),
      kept('broken', 'failed', prompt, cost, failed),
      { ...kept('asks', 'waiting', prompt, asked), account: 'a2' },
    ]);
    assert.deepEqual(
      digest.entries.map(({ conversation, account }) => [conversation, account.id]),
      [
        ['asks', 'a2'],
        ['broken', 'a1'],
        ['done', 'a1'],
      ],
    );
    assert.equal(shown.lines[2], '1 finished, 1 failed, 1 expired · $0.84');
    const headings = shown.lines.filter((line) => line.startsWith('#'));
    assert.deepEqual(headings.slice(1), ['## asks', '## broken', '## done']);
  });

  it('tells a run that goes on from one whose window is gone, which its record cannot', async () => {
    const said: EntryBody = { type: 'text', run, text: 'Well' };
    const { shown } = await digestOf([
      kept('alive', 'working', prompt, said),
      kept('dead', 'working', prompt, said),
    ]);
    assert.equal(shown.lines[2], '1 failed, 1 still running');
    assert.ok(shown.lines.some((line) => line.startsWith('- Cut off · ')));
  });

  it('leads from each run and from the last words to their message, and says who decided', async () => {
    const answered: EntryBody = { type: 'answered', question: 'q', how: 'reject_once' };
    const says: EntryBody = { type: 'text', run, text: 'All of it. Really.' };
    const { shown } = await digestOf([
      kept('talk', 'idle', prompt, asked, answered, says, cost, finished),
    ]);
    const target = 'command:interns.openChat?[{"intern":"i","conversation":"talk","message":"r"}]';
    assert.deepEqual(linksOf(shown), [
      ['Last words: ', 'Show message', target],
      ['- Finished ·', 'Show message', target],
    ]);
    const all = shown.lines.join('\n');
    assert.match(all, /Last words: “Really\.”/);
    assert.match(all, /\n {2}- May “shell” run\? · Rejected once \(decided by you\)\n/);
  });

  it('says that nobody decided a question which was answered for nobody, and never that its user did', async () => {
    const answered: EntryBody = {
      ...{ type: 'answered', question: 'q', how: 'reject_once' },
      by: 'nobody',
    };
    const { shown } = await digestOf([kept('talk', 'idle', prompt, asked, answered, finished)]);
    assert.equal(shown.lines[2], '1 finished, 1 unanswered');
    assert.ok(shown.lines.some((line) => line.includes('Nobody answered')));
    assert.doesNotMatch(shown.lines.join('\n'), /by you/);
  });

  it('lets nothing that an intern wrote mark, nest, link or break a line', async () => {
    const talk = kept('talk', 'idle', prompt, { type: 'text', run, text: hostile }, finished);
    const { shown } = await digestOf([{ ...talk, title: hostile }]);
    const all = shown.lines.join('\n');
    assert.equal(shown.lines.filter((line) => line.startsWith('#')).length, 2);
    assert.doesNotMatch(all, /(?<!\\)[[<*`_]|command:|\w:\/\//);
    assert.ok(all.includes('bold'), 'its words are still there');
    assert.ok(shown.lines.every((line) => !line.includes('\n')));
  });

  it('is one sentence where nothing happened', async () => {
    const { shown } = await digestOf([]);
    assert.equal(shown.lines[2], 'Nothing happened in your conversations.');
    assert.deepEqual(shown.links, []);
  });
});
