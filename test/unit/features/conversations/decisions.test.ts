import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type EntryBody, type JournalEntry } from '../../../../src/conversation/journal.ts';
import { AUTO_ANSWER } from '../../../../src/conversation/questions/types.ts';
import { recordPath } from '../../../../src/features/conversations/conversationRecord.ts';
import { decisionsIn, isDecisionLine } from '../../../../src/features/conversations/decisions.ts';
import { exportDecisions } from '../../../../src/features/conversations/exportDecisions.ts';
import type { Account } from '../../../../src/features/accounts/account.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';
import { pathsIn } from '../../support/pathsIn.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ASKED_AT = Date.UTC(2026, 10, 25, 10);

const q = { question: 'q1' };
const failure = { kind: 'timeout', status: 504, message: 'CANARY', inStream: false };
const busy = { ...failure, kind: 'busy', status: 409 };
const allow = { ...q, how: 'allow_once' };
const autoReject = { ...q, how: 'reject_once', by: AUTO_ANSWER } as const;
const closed = (why: Extract<EntryBody, { type: 'closed' }>['why']) =>
  ({ type: 'closed', ...q, why }) as const;

/** The entries that may follow a question. */
const events = {
  allow: { type: 'answering', ...allow },
  allowed: { type: 'answered', ...allow },
  'auto-reject': { type: 'answering', ...autoReject },
  'auto-rejected': { type: 'answered', ...autoReject },
  lost: { type: 'refused', ...q, failure, isLost: true },
  refused: { type: 'refused', ...q, failure: busy },
  gone: closed('gone'),
  expired: closed('expired'),
  abandoned: closed('abandoned'),
  'given-up': closed('given-up'),
  'maybe-answered': closed('maybe-answered'),
  'run-ended': closed('run-ended'),
} satisfies Readonly<Record<string, EntryBody>>;

const permission = { kind: 'permission', operation: 'git push', options: ['allow_once'] };

/** Returns the record of a question that is asked a minute before the first of the given entries. */
function recordOf(bodies: readonly EntryBody[], args: object = permission, askedAt = ASKED_AT) {
  const call = { id: 'call', name: 'service.provide_input', arguments: JSON.stringify(args) };
  const run = 'run';
  const first: readonly EntryBody[] = [
    { type: 'opened', intern: 'intern_1', mode: 'manual' },
    { type: 'prompt', run, text: 'CANARY prompt', sent: 'CANARY sent', mode: 'manual' },
    { type: 'text', run, text: 'CANARY "type":"asked"' },
    { type: 'asked', run, ...q, call },
    { type: 'finished', run, reason: 'tool_calls' },
  ];
  return [...first, ...bodies].map((body, index): JournalEntry => {
    const minutes = Math.max(0, index - first.length + 1);
    return { ...body, id: `entry-${index}`, at: askedAt + minutes * MINUTE_MS };
  });
}

describe('decisionsIn', () => {
  const cases = `
    an answer that was accepted: allow allowed => allow_once by user at 1, confirmed
    an automatic answer: auto-reject auto-rejected => reject_once by policy at 1, confirmed
    an answer that was lost: allow lost => allow_once by user at 1
    an answer that another one followed: allow lost auto-reject auto-rejected => reject_once by policy at 3, confirmed
    a lost answer before one that the service refused: allow lost auto-reject maybe-answered => allow_once by user at 1
    an answer whose window is gone: allow => allow_once by user at 1
    an answer on its way when the run was stopped: allow abandoned => allow_once by user at 1
    a lost answer to a question that was given up: allow lost given-up => allow_once by user at 1
    a question that was given up in time: given-up => none by unknown at 1
    an answer after the service had closed the question: allow gone => none by unknown at 2
    a refused answer that was not received: allow refused => pending by unknown
    a question that closed after its deadline: refused refused refused refused gone => none by expired at 5
    a question that an earlier version let expire: expired => none by expired at 1
    a run that ended before an answer: run-ended => none by unknown at 1
    an open question: => pending by unknown`;
  for (const [, title, names = '', expected] of cases.matchAll(/^ *(.*): (.*)=> (.*)$/gm))
    it(`the decision for ${title} is: ${expected}`, () => {
      const bodies = names.match(/\S+/g)?.map((name) => events[name as keyof typeof events]) ?? [];
      const [decision] = decisionsIn(recordOf(bodies), ASKED_AT + 4 * MINUTE_MS);
      assert.ok(decision);
      const { outcome, decidedBy, decidedAt, confirmed } = decision;
      const at = decidedAt === null ? '' : ` at ${(Date.parse(decidedAt) - ASKED_AT) / MINUTE_MS}`;
      assert.equal(`${outcome} by ${decidedBy}${at}${confirmed ? ', confirmed' : ''}`, expected);
    });

  it('a question without a record of its end counts as expired after its deadline', () => {
    const [decision] = decisionsIn(recordOf([]), ASKED_AT + 5 * MINUTE_MS);
    assert.deepEqual([decision?.outcome, decision?.decidedBy], ['none', 'expired']);
  });

  it('decisions need only the lines that isDecisionLine selects', () => {
    const entries = recordOf([events.allow, events.lost, events.gone]);
    const needed = entries.filter((entry) => isDecisionLine(JSON.stringify(entry)));
    assert.equal(entries.length - needed.length, 2);
    assert.deepEqual(decisionsIn(needed, ASKED_AT), decisionsIn(entries, ASKED_AT));
  });
});

describe('Export Decisions…', () => {
  const stub = useStubs();
  const folder = useTemporaryFolder();
  const messages: string[] = [];
  let file: string;

  beforeEach(() => {
    messages.splice(0);
    file = join(folder.path, 'decisions.jsonl');
  });

  /** Exports the decisions of conversations, by ID. Returns the lines of the file. */
  async function run(
    records: Readonly<Record<string, readonly JournalEntry[] | 'a folder'>>,
    script: readonly Move[] = ['Key of account-1', 'In the last 30 days'],
    cancelAfter = Infinity,
  ): Promise<readonly Record<string, unknown>[]> {
    const fake = new FakeAccounts(ASKED_AT + DAY_MS);
    const account = {
      ...fake.account,
      store: {
        ...fake.account.store,
        paths: { ...pathsIn(folder.path), conversations: folder.path },
      },
    };
    let reports = 0;
    let cancel = (): void => undefined;
    const token = { onCancellationRequested: (listener: () => void) => (cancel = listener) };
    const report = (): void => {
      if (++reports === cancelAfter) cancel();
    };
    const say = (message: string) => Promise.resolve(void messages.push(message));
    stub(vscode.window, {
      withProgress: (_: unknown, task: (...given: unknown[]) => unknown) => task({ report }, token),
      showSaveDialog: () => Promise.resolve(vscode.Uri.from({ scheme: 'file', path: file })),
      showInformationMessage: say,
      showWarningMessage: say,
    });
    stub(vscode.workspace, {
      fs: { writeFile: ({ path }: vscode.Uri, bytes: Uint8Array) => writeFile(path, bytes) },
    });
    for (const [id, record] of Object.entries(records)) {
      const path = recordPath(account, id);
      if (record === 'a folder') await mkdir(path);
      else await writeFile(path, record.map((entry) => JSON.stringify(entry)).join('\n'));
    }
    await exportDecisions({
      ...fake.ports,
      accounts: { ...fake.accounts, all: [account, fake.other], active: account },
      dialogs: new ScriptedDialogs(script),
      interns: { name: () => 'ada', list: () => Promise.resolve([]) },
      conversations: {
        flush: () => Promise.resolve(),
        list: ({ id }: Account) =>
          Promise.resolve(
            id === account.id ? Object.keys(records).map((each) => headOf(each)) : [],
          ),
      },
    } as unknown as Parameters<typeof exportDecisions>[0]);
    const text = await readFile(file, 'utf8').catch(() => '');
    const lines = text.match(/.+/g) ?? [];
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  const headOf = (id: string) => ({ id, intern: 'intern_1', at: ASKED_AT });

  it('an exported decision has names, times and outcome, but no value and no text', async () => {
    const form = {
      kind: 'elicitation',
      message: 'CANARY message',
      fields: [{ name: 'email', type: 'string', description: 'CANARY', default: 'CANARY' }],
      value: 'CANARY',
    };
    const accept = { question: 'q1', how: 'accept' };
    const taken: EntryBody[] = [
      { type: 'answering', ...accept },
      { type: 'answered', ...accept },
    ];
    const extra = { ...permission, message: 'CANARY', details: 'CANARY' };
    const lines = await run({
      form: recordOf(taken, form),
      allowed: recordOf([events.allow, events.lost], extra),
    });
    const of = {
      intern: 'intern_1',
      internName: 'ada',
      askedAt: '2026-11-25T10:00:00.000Z',
      decidedAt: '2026-11-25T10:01:00.000Z',
      decidedBy: 'user',
    };
    assert.deepEqual(lines, [
      {
        ...of,
        conversation: 'form',
        kind: 'elicitation',
        fields: ['email'],
        outcome: 'accept',
        confirmed: true,
      },
      {
        ...of,
        conversation: 'allowed',
        kind: 'permission',
        operation: 'git push',
        outcome: 'allow_once',
        confirmed: false,
      },
    ]);
    assert.doesNotMatch(await readFile(file, 'utf8'), /CANARY/);
    assert.deepEqual(messages, ['Exported decisions: 2.']);
  });

  it('the export takes the account and the time range that the user selects', async () => {
    const old = recordOf([], permission, ASKED_AT - 40 * DAY_MS);
    assert.equal((await run({ old })).length, 0);
    assert.deepEqual(messages, ['No questions were asked in this period.']);
    assert.equal((await run({ old }, ['Key of account-1', 'At any time'])).length, 1);
    await run({ old }, ['Key of account-2', 'At any time']);
    assert.equal(messages.at(-1), 'No questions were asked in this period.');
  });

  it('the export names the number of conversations that it could not read', async () => {
    const lines = await run({ broken: 'a folder', good: recordOf([]) });
    assert.equal(lines.length, 1);
    assert.deepEqual(messages, ['Exported decisions: 1. Conversations that couldn’t be read: 1.']);
  });

  it('a canceled export writes no file', async () => {
    const lines = await run({ one: recordOf([]), two: recordOf([]) }, undefined, 1);
    assert.deepEqual([lines, messages], [[], []]);
  });
});
