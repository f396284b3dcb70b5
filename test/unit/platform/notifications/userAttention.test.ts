import assert from 'node:assert/strict';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import { UserAttention } from '../../../../src/platform/notifications/userAttention.ts';
import { eventually } from '../../../harness/until.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('UserAttention', () => {
  const folder = useTemporaryFolder();
  const stub = useStubs();
  const open: UserAttention[] = [];
  let log: RecordingLog;

  beforeEach(() => {
    log = new RecordingLog();
  });

  afterEach(() => {
    for (const attention of open.splice(0)) attention.dispose();
    assert.deepEqual(log.failures, []);
  });

  function openWindow(window: string, at = folder.path) {
    const changed = new Emitter<{ readonly focused: boolean }>();
    const state = { focused: false };
    const act = () => {
      stub(vscode.window, { state, onDidChangeWindowState: changed.event });
    };
    act();
    const attention = new UserAttention({ folder: at, window, log });
    open.push(attention);
    return {
      attention,
      focus: (focused: boolean) => {
        state.focused = focused;
        changed.fire({ focused });
      },
      isAway: () => {
        act();
        return attention.isAway();
      },
    };
  }

  it('the user is away while none of three windows has the focus', async () => {
    const windows = ['a', 'b', 'c'].map((name) => openWindow(name));
    for (const { isAway } of windows) assert.equal(await isAway(), true);
  });

  for (const [when, end] of [
    ['it is lost', (window: ReturnType<typeof openWindow>) => window.focus(false)],
    ['the window closes', ({ attention }: ReturnType<typeof openWindow>) => attention.dispose()],
  ] as const)
    it(`the focus of one window counts in all windows until ${when}`, async () => {
      const [first, second] = [openWindow('a'), openWindow('b')];
      first.focus(true);
      assert.equal(await first.isAway(), false);
      await eventually(async () => !(await second.isAway()));
      end(first);
      await eventually(() => second.isAway());
    });

  it('the user may change from one window to another', async () => {
    const [first, second, third] = [openWindow('a'), openWindow('b'), openWindow('c')];
    first.focus(true);
    second.focus(true);
    first.focus(false);
    await eventually(async () => !(await third.isAway()));
    second.focus(false);
    await eventually(() => third.isAway());
  });

  it('the mark of a dead window does not count as focus', async () => {
    const { isAway } = openWindow('a');
    await mkdir(join(folder.path, 'focused'));
    const mark = { window: 'dead', pid: process.pid, at: 0 };
    await writeFile(join(folder.path, 'focused', 'dead.json'), JSON.stringify(mark));
    assert.equal(await isAway(), true);
  });

  it('one of three windows may notify of a question', async () => {
    const windows = ['a', 'b', 'c'].map((name) => openWindow(name));
    const reserve = (id: string) => Promise.all(windows.map((each) => each.attention.reserve(id)));
    assert.equal((await reserve('Question-1')).filter(Boolean).length, 1);
    assert.equal((await reserve('Question-1')).filter(Boolean).length, 0);
    assert.equal((await reserve('question-1')).filter(Boolean).length, 1);
  });

  it('reservations of earlier days are removed', async () => {
    const { attention } = openWindow('a');
    await attention.reserve('old');
    const twoDaysAgo = Date.now() / 1_000 - 48 * 3_600;
    await utimes(join(folder.path, 'notified', 'old'), twoDaysAgo, twoDaysAgo);
    await attention.reserve('new');
    assert.deepEqual(await readdir(join(folder.path, 'notified')), ['new']);
  });

  it('a window notifies if the disk fails', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    const { attention, isAway } = openWindow('a', file);
    assert.equal(await attention.reserve('question-1'), true);
    assert.equal(await isAway(), true);
    assert.ok(log.failures.splice(0).length > 0);
  });
});
