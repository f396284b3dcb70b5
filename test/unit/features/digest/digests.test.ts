import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/event.ts';
import type { Entry, EntryBody } from '../../../../src/conversation/journal.ts';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import type { LinkedText } from '../../../../src/features/chatPanel/chatTexts.ts';
import { Digests } from '../../../../src/features/digest/index.ts';
import { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { formatDateTime } from '../../../../src/platform/words/format.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { noWatcher, useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { ScriptedPrompts } from '../../support/scriptedPrompts.ts';
import { useStubs } from '../../support/stubEditor.ts';
import { eventually } from '../../../harness/until.ts';

const hour = 3_600_000;

describe('a user who comes back', () => {
  const folder = useTemporaryFolder();
  const stub = useStubs();
  let clock: FakeClock;
  let focus: Emitter<{ focused: boolean }>;
  let item: { text: string; isShown: boolean };
  let notified: string[];
  let shown: LinkedText[];
  let registrar: CommandRegistrar;
  let prompts: ScriptedPrompts;
  let digests: Digests;
  /** How the one run of the one conversation ended while its user was away; undefined: before that. */
  let ending: EntryBody | undefined;
  let lists: number;

  beforeEach(() => {
    clock = new FakeClock();
    focus = new Emitter();
    item = { text: '', isShown: false };
    notified = [];
    shown = [];
    ending = undefined;
    lists = 0;
    prompts = new ScriptedPrompts(['Since I was away', 'Since yesterday', 'Since last week']);
    stub(vscode.window, {
      state: { focused: true },
      onDidChangeWindowState: focus.event,
      createStatusBarItem: () =>
        Object.assign(item, {
          show: () => (item.isShown = true),
          hide: () => (item.isShown = false),
          dispose: () => undefined,
        }),
      showInformationMessage: (text: string) => Promise.resolve(void notified.push(text)),
    });
    const { accounts, account } = new FakeAccounts();
    const log = new RecordingLog();
    registrar = new CommandRegistrar(log, accounts);
    digests = new Digests({
      ...{ accounts, clock, log, prompts, registrar, watch: noWatcher },
      context: { globalStorageUri: { fsPath: folder.path } },
      interns: { name: () => 'ada', list: () => Promise.resolve([]) },
      settings: { digestAfterMinutes: 10 },
      reportUnreadable: () => undefined,
      conversations: {
        list: ({ id }: { id: string }) => {
          lists += 1;
          const head = { id: 'c', intern: 'i', title: 't', createdAt: 0, at: clock.now() };
          return Promise.resolve(id === account.id ? [{ ...head, state: 'idle' }] : []);
        },
        read: () => Promise.resolve(transcript()),
      },
      texts: { showLinked: (_name: string, text: LinkedText) => Promise.resolve(shown.push(text)) },
    } as unknown as ConstructorParameters<typeof Digests>[0]);
  });

  afterEach(() => {
    digests.dispose();
  });

  function transcript(): Transcript {
    const begun: EntryBody = { type: 'prompt', run: 'r', text: 'Hi', mode: 'manual' };
    const at = (body: EntryBody | undefined, when: number): Entry[] =>
      body === undefined ? [] : [{ ...body, id: body.type, at: when }];
    return Transcript.fold([...at(begun, 0), ...at(ending, clock.now() - hour / 2)]);
  }

  /** The user is away for an hour, and comes back. */
  async function beAway(): Promise<void> {
    const before = lists;
    focus.fire({ focused: false });
    await digests.flush();
    clock.advance(hour);
    focus.fire({ focused: true });
    clock.advance(1_000);
    await eventually(() => lists === before + 2);
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('sees one quiet line of what happened, which opens it and goes', async () => {
    ending = { type: 'finished', run: 'r', reason: 'stop' };
    await beAway();
    assert.deepEqual(item, { ...item, text: '$(history) 1 finished', isShown: true });
    assert.deepEqual(notified, [], 'nothing is left to do');
    const { command, arguments: given } = (item as unknown as vscode.StatusBarItem)
      .command as vscode.Command;
    await registrar.run(command, given ?? []);
    assert.equal(shown[0]?.lines[2], '1 finished');
    assert.equal(item.isShown, false);
  });

  it('is notified where something needs them, and told nothing where nothing happened', async () => {
    await beAway();
    assert.deepEqual([item.isShown, notified], [false, []]);
    const failure = { kind: 'timeout', status: 504, message: '', inStream: false };
    ending = { type: 'failed', run: 'r', failure };
    await beAway();
    assert.deepEqual(notified, ['While you were away: 1 failed']);
  });

  it('can ask for it at any time: since the last absence, since yesterday, since last week', async () => {
    const left = clock.now();
    ending = { type: 'finished', run: 'r', reason: 'stop' };
    await beAway();
    for (let time = 0; time < 3; time += 1) await registrar.run('interns.showDigest', []);
    const day = new Date(clock.now());
    const daysAgo = (days: number) =>
      new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime();
    assert.deepEqual(
      shown.map(({ lines }) => lines[0]),
      [left, daysAgo(1), daysAgo(7)].map((at) => `# What happened since ${formatDateTime(at)}`),
    );
  });
});
