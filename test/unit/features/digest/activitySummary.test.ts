import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import type { ConversationHead } from '../../../../src/features/conversations/heads.ts';
import { ActivitySummary } from '../../../../src/features/digest/activitySummary.ts';
import type { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { eventually } from '../../../harness/until.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import type { FakeClock } from '../../support/fakeClock.ts';
import { noWatcher, useTemporaryFolder } from '../../support/folders.ts';
import { LEAVE, ScriptedDialogs } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('ActivitySummary', () => {
  const folder = useTemporaryFolder();
  const stub = useStubs();
  let clock: FakeClock;
  const focus = new Emitter<{ focused: boolean }>();
  let item: { text: string; isShown: boolean; command: string };
  let notified: string[];
  let opened: unknown[];
  let heads: ConversationHead[];
  let underWay: string[];
  let registrar: CommandRegistrar;
  let dialogs: ScriptedDialogs;
  let summary: ActivitySummary;
  /** The button of the notification that the user selects. */
  let pressed: string | undefined;
  let reads: number;

  beforeEach(() => {
    const fake = new FakeAccounts();
    ({ clock, registrar } = fake);
    item = { text: '', isShown: false, command: '' };
    [notified, opened, heads, underWay] = [[], [], [], []];
    pressed = undefined;
    reads = 0;
    dialogs = new ScriptedDialogs([LEAVE]);
    stub(vscode.window, {
      state: { focused: true },
      onDidChangeWindowState: focus.event,
      createStatusBarItem: () =>
        Object.assign(item, {
          show: () => (item.isShown = true),
          hide: () => (item.isShown = false),
          dispose: () => undefined,
        }),
      showInformationMessage: (text: string) => {
        notified.push(text);
        return Promise.resolve(pressed);
      },
    });
    registrar.register('interns.openChat', (targets) => opened.push(...targets));
    summary = new ActivitySummary({
      ...{ ...fake.ports, registrar, watch: noWatcher },
      get dialogs() {
        return dialogs;
      },
      context: { globalStorageUri: { fsPath: folder.path } },
      interns: { name: () => 'ada', list: () => Promise.resolve([]) },
      settings: { digestAfterMinutes: 10 },
      reportUnreadable: () => undefined,
      conversations: {
        list: ({ id }: { id: string }) => {
          reads += 1;
          return Promise.resolve(heads.filter(() => id === fake.account.id));
        },
        isUnderWay: (_: unknown, id: string) => Promise.resolve(underWay.includes(id)),
      },
    } as unknown as ConstructorParameters<typeof ActivitySummary>[0]);
  });

  afterEach(() => {
    summary.dispose();
  });

  function add(id: string, state: ConversationHead['state'], ago: number, more: object = {}): void {
    const at = clock.now() - ago;
    heads.push({ id, intern: 'i', title: id, createdAt: 0, at, state, ...more });
  }

  /** Opens the list and returns its rows. */
  async function list(): Promise<readonly string[]> {
    dialogs = new ScriptedDialogs([LEAVE]);
    await registrar.run('interns.showDigest', [{ since: 0 }]);
    return dialogs.shown[0]?.texts ?? [];
  }

  /** Leaves all windows for an hour, during which `meanwhile` runs. */
  async function beAway(meanwhile: () => void): Promise<void> {
    const before = reads;
    focus.fire({ focused: false });
    await summary.flush();
    clock.advance(hour);
    meanwhile();
    focus.fire({ focused: true });
    clock.advance(1_000);
    await eventually(() => reads >= before + 2);
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('the activity summary groups conversations by outcome, the newest first', async () => {
    const at = clock.now() - 3 * minute;
    add('old', 'idle', hour);
    add('new', 'idle', 3 * minute, { cost: { at, spent: 0.42, days: {} } });
    add('stale cost', 'idle', 2 * hour, { cost: { at: 0, spent: 9, days: {} } });
    add('broken', 'failed', 3 * minute);
    add('asks', 'waiting', 3 * minute);
    add('asked', 'waiting', 5 * minute);
    assert.deepEqual(
      (await list()).map((row) => row.replace(' · Key of account-1 · workspace-1', '')),
      [
        'Waiting for you',
        'asks | ada · Waiting for you · 3 minutes ago',
        'Not answered',
        'asked | ada · Not answered · 5 minutes ago',
        'Failed',
        'broken | ada · Failed · 3 minutes ago',
        'Finished',
        'new | ada · Finished · 3 minutes ago · $0.42',
        'old | ada · Finished · 1 hour ago',
        'stale cost | ada · Finished · 2 hours ago',
      ],
    );
  });

  it('the activity summary leaves out active runs and archived conversations', async () => {
    underWay = ['running'];
    add('running', 'working', minute);
    add('interrupted', 'working', minute);
    add('put away', 'idle', minute, { listed: 'archived' });
    add('asks', 'waiting', minute, { listed: 'archived' });
    const titles = (await list()).map((row) => row.split(' | ')[0]);
    assert.deepEqual(titles, ['Waiting for you', 'asks', 'Failed', 'interrupted']);
  });

  it('an activity summary without conversations says so', async () => {
    assert.deepEqual(await list(), ['No activity to show.']);
  });

  it('the activity summary opens the selected chat', async () => {
    add('talk', 'idle', minute);
    dialogs = new ScriptedDialogs(['talk']);
    await registrar.run('interns.showDigest', []);
    assert.deepEqual(opened, [{ intern: 'i', conversation: 'talk' }]);
  });

  it('the status bar shows one line after an absence until the summary is opened', async () => {
    await beAway(() => add('done', 'idle', minute));
    assert.deepEqual([item.text, item.isShown], ['$(history) 1 finished', true]);
    assert.deepEqual(notified, [], 'nothing is left to do');
    await registrar.run(item.command, []);
    assert.equal(item.isShown, false);
  });

  it('a notification appears if a chat needs the user after an absence', async () => {
    add('before', 'failed', minute);
    await beAway(() => undefined);
    assert.deepEqual([item.isShown, notified], [false, []]);
    pressed = 'Show Activity Summary';
    await beAway(() => {
      add('asks', 'waiting', minute);
      add('asked', 'waiting', 30 * minute);
      add('broken', 'failed', minute);
      add('done', 'idle', minute);
    });
    const line = '1 finished, 1 failed, 1 not answered, 1 waiting';
    assert.equal(item.text, `$(history) ${line}`);
    assert.deepEqual(notified, [`While you were away: ${line}`]);
    await eventually(() => dialogs.shown.length === 1);
  });

  it('the activity summary goes by the time of a question, not of a later change', async () => {
    add('asked', 'waiting', minute, { question: { askedAt: clock.now() - 5 * minute } });
    assert.equal((await list())[0], 'Not answered');
  });

  it('the activity summary counts a question asked just before the user left', async () => {
    add('asked', 'waiting', minute);
    await beAway(() => undefined);
    assert.equal(item.text, '$(history) 1 not answered');
  });
});
