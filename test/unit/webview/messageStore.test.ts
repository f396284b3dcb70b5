import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { MessageStore } from '../../../src/webview/messageStore.ts';
import { prompt, snapshot } from '../../webview/fixtures/views.ts';

describe('MessageStore', () => {
  it('a response to a request before a snapshot ends no request after it', async () => {
    const ignore = (): void => undefined;
    const listener = { added: ignore, replaced: ignore, appended: ignore, statusChanged: ignore };
    const store = new MessageStore(ignore, listener);
    const view = snapshot({ earlier: 9 });
    store.applySnapshot(1, view);
    store.want(0, 9, 'last');
    store.applySnapshot(2, view);
    const located = store.locate('m5');
    store.addHistory(0, []);
    await setImmediate();
    store.addHistory(5, [prompt('m5', 'x')]);
    assert.equal(await located, 5);
  });
});
