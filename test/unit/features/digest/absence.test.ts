import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import { AbsenceTracker } from '../../../../src/features/digest/absence.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { noWatcher, useTemporaryFolder } from '../../support/folders.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { useStubs } from '../../support/stubEditor.ts';

const minute = 60_000;
const settled = 1_000;

describe('Absence', () => {
  const folder = useTemporaryFolder();
  const stub = useStubs();
  let clock: FakeClock;
  let minutes: number;
  let log: RecordingLog;
  let reports: [window: string, minutesAgo: number][];
  const open: AbsenceTracker[] = [];

  beforeEach(() => {
    clock = new FakeClock();
    log = new RecordingLog();
    minutes = 10;
    reports = [];
  });

  afterEach(() => {
    for (const absence of open.splice(0)) absence.dispose();
    assert.deepEqual(log.failures, []);
  });

  function openWindow(name: string, focused = true) {
    const changed = new Emitter<vscode.WindowState>();
    stub(vscode.window, { state: { focused }, onDidChangeWindowState: changed.event });
    const absence = new AbsenceTracker({
      ...{ folder: folder.path, clock, log, watch: noWatcher, reportUnreadable: () => undefined },
      settings: { digestAfterMinutes: minutes },
      onReturn: (since) => reports.push([name, Math.round((clock.now() - since) / minute)]),
    });
    open.push(absence);
    if (focused) clock.advance(settled);
    const focus = async (isFocused: boolean) => {
      changed.fire({ focused: isFocused, active: isFocused });
      await absence.whenIdle();
    };
    const leave = () => focus(false);
    /** The window gets the focus for `ms`. */
    const come = async (ms = settled) => {
      await focus(true);
      clock.advance(ms);
      await absence.whenIdle();
    };
    /** The user leaves the window, and comes back after `ms`. */
    const beAway = async (ms: number) => {
      await leave();
      clock.advance(ms);
      await come();
    };
    return { absence, leave, come, beAway };
  }

  it('the user gets one report after an absence as long as the setting', async () => {
    const { beAway } = openWindow('a');
    await beAway(10 * minute - 1);
    assert.deepEqual(reports, []);
    await beAway(10 * minute);
    assert.deepEqual(reports.splice(0), [['a', 10]]);
    await beAway(0);
    assert.deepEqual(reports, []);
  });

  it('the focus of another window counts as presence', async () => {
    const [a, b] = [openWindow('a'), openWindow('b', false)];
    await a.leave();
    await b.come();
    clock.advance(60 * minute);
    // A window may get the focus before the other one loses it.
    const coming = a.come(0);
    await b.leave();
    await coming;
    await a.come();
    assert.deepEqual(reports, [], 'the user was at the other window');
    await a.leave();
    clock.advance(30 * minute);
    await b.come();
    await b.leave();
    await a.come();
    assert.deepEqual(reports, [['b', 30]]);
  });

  it('a return of less than a second does not end an absence', async () => {
    const window = openWindow('a');
    await window.leave();
    clock.advance(30 * minute);
    await window.come(settled - 1);
    await window.leave();
    clock.advance(minute);
    assert.deepEqual(reports, []);
    await window.come();
    assert.deepEqual(reports, [['a', 31]]);
  });

  it('a reload neither ends an absence nor reports it twice', async () => {
    const first = openWindow('first');
    await first.leave();
    clock.advance(20 * minute);
    await first.absence.flush();
    const second = openWindow('second', false);
    clock.advance(20 * minute);
    await second.come();
    assert.deepEqual(reports.splice(0), [['second', 40]]);
    clock.advance(60 * minute);
    await second.absence.flush();
    const third = openWindow('third', false);
    await third.come();
    assert.deepEqual(reports, []);
  });

  it('a window that opens with the focus reports the absence before it', async () => {
    await openWindow('first').absence.flush();
    clock.advance(20 * minute - settled);
    await openWindow('second').absence.whenIdle();
    assert.deepEqual(reports, [['second', 20]]);
  });

  it('the setting 0 turns off the report of an absence', async () => {
    minutes = 0;
    await openWindow('a').beAway(60 * minute);
    assert.deepEqual(reports, []);
    assert.equal(clock.waiting, 0);
  });

  it('the activity summary lists what changed since the user left, also with the setting 0', async () => {
    minutes = 0;
    const { absence, beAway } = openWindow('a');
    const leftAt = clock.now();
    await beAway(60 * minute);
    assert.equal(await absence.lastActiveAt(), leftAt);
  });
});
