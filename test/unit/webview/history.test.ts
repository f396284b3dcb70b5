import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { History } from '../../../src/webview/transcript/history.ts';

describe('History', () => {
  it('a response to a request before a snapshot ends no request after it', async () => {
    const known = new Map<string, number>();
    const messages = { count: 9, at: () => undefined, indexOf: (id: string) => known.get(id) };
    const history = new History(() => undefined, messages);
    history.want(0, 9, 'last');
    history.stopWaiting();
    const located = history.locate('m5');
    history.handleHistory();
    await setImmediate();
    known.set('m5', 5);
    history.handleHistory();
    assert.equal(await located, 5);
  });
});
