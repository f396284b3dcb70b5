import assert from 'node:assert/strict';
import { PageFaults } from '../../../../src/features/chatPanel/page/pageFaults.ts';
import { RecordingLog } from '../../support/recordingLog.ts';

describe('faults of a page', () => {
  it('are logged on one short line each, with nothing in them that could forge another', () => {
    const log = new RecordingLog();
    new PageFaults(log).failed(`boom\n[error] forged \u202eline\u0007${'x'.repeat(10_000)}`);
    const [line = ''] = log.lines;
    assert.match(line, /The chat page failed \[boom \[error\] forged line/u);
    assert.ok(line.length < 400, `${line.length} characters`);
    assert.doesNotMatch(line, /[\p{Cc}\u202e]/u);
  });

  it('fill no log: after twenty it says once that there are more', () => {
    const log = new RecordingLog();
    const faults = new PageFaults(log);
    for (let fault = 0; fault < 1000; fault++) faults.failed(`fault ${fault}`);
    for (let fault = 0; fault < 1000; fault++) faults.unreadable();
    assert.equal(log.lines.length, 21);
    assert.match(log.lines[20] ?? '', /no more of it is logged/u);
  });
});
