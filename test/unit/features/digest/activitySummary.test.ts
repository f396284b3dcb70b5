import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import type { ConversationRow } from '../../../../src/features/conversations/conversationList.ts';
import type { ConversationHead } from '../../../../src/features/conversations/heads.ts';
import { changedSince, listedState } from '../../../../src/features/conversations/listOrder.ts';
import { startActivitySummary } from '../../../../src/features/digest/activitySummary.ts';
import type { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { eventually } from '../../../harness/until.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import type { FakeClock } from '../../support/fakeClock.ts';
import { noWatcher, useTemporaryFolder } from '../../support/folders.ts';
import { stubJapaneseComma, useStubs } from '../../support/stubEditor.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('the activity summary', () => {
  const folder = useTemporaryFolder();
  const stub = useStubs();
  let clock: FakeClock;
  const focus = new Emitter<{ focused: boolean }>();
  let item: { text: string; isShown: boolean; command: string };
  let notified: string[];
  let heads: ConversationHead[];
  let registrar: CommandRegistrar;
  let summary: ReturnType<typeof startActivitySummary>;
  /** The button of the notification that the user selects. */
  let pressed: string | undefined;
  let reads: number;
  /** The times since which the view showed changes. */
  let shown: number[];

  beforeEach(() => {
    const fake = new FakeAccounts();
    ({ clock, registrar } = fake);
    item = { text: '', isShown: false, command: '' };
    [notified, heads, shown, reads] = [[], [], [], 0];
    pressed = undefined;
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
    const rows = () =>
      heads.map((head) => ({ head, ...listedState(head, new Map(), clock.now()) }));
    summary = startActivitySummary({
      ...{ ...fake.ports, registrar, watch: noWatcher },
      context: { globalStorageUri: { fsPath: folder.path } },
      settings: { digestAfterMinutes: 10 },
      reportUnreadable: () => undefined,
      list: {
        load: () => Promise.resolve(),
        changedSince: (since: number) => {
          reads += 1;
          return rows().filter((row) => changedSince(row, since)) as ConversationRow[];
        },
      },
      view: { showChanges: (since: number) => Promise.resolve(void shown.push(since)) },
    } as unknown as Parameters<typeof startActivitySummary>[0]);
    clock.advance(1_000);
  });

  afterEach(() => {
    summary.dispose();
  });

  function add(id: string, state: ConversationHead['state'], ago: number): void {
    heads.push({ id, intern: 'i', title: id, createdAt: 0, at: clock.now() - ago, state });
  }

  /** Leaves all windows for an hour, during which `meanwhile` runs. Returns when the user left. */
  async function beAway(meanwhile: () => void): Promise<number> {
    const before = reads;
    const leftAt = clock.now();
    focus.fire({ focused: false });
    await summary.flush();
    clock.advance(hour);
    meanwhile();
    focus.fire({ focused: true });
    clock.advance(1_000);
    await eventually(() => reads > before);
    await new Promise((resolve) => setImmediate(resolve));
    return leftAt;
  }

  it('the status bar shows one line after an absence until the summary is opened', async () => {
    const leftAt = await beAway(() => add('done', 'idle', minute));
    assert.deepEqual([item.text, item.isShown], ['$(history) 1 finished', true]);
    assert.deepEqual(notified, [], 'nothing is left to do');
    await registrar.run(item.command, []);
    assert.equal(item.isShown, false);
    assert.deepEqual(shown, [leftAt]);
  });

  it('a notification appears if a chat needs the user after an absence', async () => {
    add('before', 'failed', minute);
    await beAway(() => undefined);
    assert.deepEqual([item.isShown, notified], [false, []]);
    pressed = 'Show Activity Summary';
    const leftAt = await beAway(() => {
      add('asks', 'waiting', minute);
      add('asked', 'waiting', 30 * minute);
      add('broken', 'failed', minute);
      add('done', 'idle', minute);
      add('running', 'working', minute);
    });
    const line = '1 finished, 1 failed, 1 not answered, 1 waiting';
    assert.equal(item.text, `$(history) ${line}`);
    assert.deepEqual(notified, [`While you were away: ${line}`]);
    await eventually(() => shown.length === 1);
    assert.deepEqual(shown, [leftAt]);
  });

  it('the counts of the activity summary have the comma of the language', async () => {
    stubJapaneseComma(stub);
    await beAway(() => {
      add('broken', 'failed', minute);
      add('done', 'idle', minute);
    });
    assert.equal(item.text, '$(history) 1 finished、1 failed');
  });

  it('the activity summary counts a question asked just before the user left', async () => {
    add('asked', 'waiting', minute);
    await beAway(() => undefined);
    assert.equal(item.text, '$(history) 1 not answered');
  });
});
