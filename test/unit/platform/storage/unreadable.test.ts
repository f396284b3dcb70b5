import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createReportUnreadable } from '../../../../src/platform/storage/unreadable.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { eventually } from '../../../harness/until.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('files that cannot be read', () => {
  const stub = useStubs();
  let said: string[];
  let ran: unknown[][];

  beforeEach(() => {
    said = [];
    ran = [];
    stub(vscode.window, {
      showWarningMessage: (message: string, button: string) => {
        said.push(message);
        return Promise.resolve(button);
      },
    });
    stub(vscode.commands, {
      executeCommand: (...given: unknown[]) => Promise.resolve(ran.push(given)),
    });
    stub(vscode.Uri, { file: (path: string) => path });
  });

  it('are told of once each, many in one notification, with a way to open their folder', async () => {
    const clock = new FakeClock();
    const log = new RecordingLog();
    const tell = createReportUnreadable(log, clock);
    const files = ['a', 'b', 'c'].map((name) => join('storage', `${name}.json`));
    for (const [at, together] of [files.slice(0, 1), files.slice(1), files].entries()) {
      for (const file of together) tell(file);
      clock.advance(500);
      await eventually(() => ran.length >= Math.min(at + 1, 2));
    }
    assert.equal(said.length, 2);
    assert.match(said[0] ?? '', /^a\.json cannot be read/);
    assert.match(said[1] ?? '', /^2 files cannot be read/);
    assert.deepEqual(ran[0]?.slice(0, 2), ['vscode.openFolder', 'storage']);
    assert.equal(log.lines.length, 3);
  });
});
