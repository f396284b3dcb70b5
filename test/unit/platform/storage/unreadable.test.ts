import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createReportUnreadable } from '../../../../src/platform/storage/unreadable.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { eventually } from '../../../harness/until.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('createReportUnreadable', () => {
  const stub = useStubs();
  let messages: string[];
  let ran: unknown[][];

  beforeEach(() => {
    messages = [];
    ran = [];
    stub(vscode.window, {
      showWarningMessage: (message: string, button: string) => {
        messages.push(message);
        return Promise.resolve(button);
      },
    });
    stub(vscode.commands, {
      executeCommand: (...given: unknown[]) => Promise.resolve(ran.push(given)),
    });
    stub(vscode.Uri, { file: (path: string) => path });
  });

  it('a window notifies once about unreadable files and offers to open their folder', async () => {
    const clock = new FakeClock();
    const log = new RecordingLog();
    const report = createReportUnreadable(log, clock);
    const files = ['a', 'b', 'c'].map((name) => join('storage', `${name}.json`));
    for (const [at, together] of [files.slice(0, 1), files.slice(1), files].entries()) {
      for (const file of together) report(file);
      clock.advance(500);
      await eventually(() => ran.length >= Math.min(at + 1, 2));
    }
    assert.equal(messages.length, 2);
    assert.match(messages[0] ?? '', /^Couldn’t read a\.json/);
    assert.match(messages[1] ?? '', /^Couldn’t read 2 files/);
    assert.deepEqual(ran[0]?.slice(0, 2), ['vscode.openFolder', 'storage']);
    assert.equal(log.lines.length, 3);
  });
});
