import assert from 'node:assert/strict';
import { globalFetch, type FetchLike } from '../../../../src/api/index.ts';
import { createResponses } from '../../../../src/features/conversations/conversationResponses.ts';
import { chatInit } from '../../support/keeperRequests.ts';
import { conversationOptions } from '../../support/accountWindow.ts';
import { startHeldServer } from '../../support/heldServer.ts';
import { RecordingLog } from '../../support/recordingLog.ts';

describe('the request of a conversation', () => {
  const { account } = conversationOptions('/folder', 'http://127.0.0.1:1/api/v1', 'window');
  const log = new RecordingLog();
  const response = new Response('');

  it('a request is sent once the record is on disk', async () => {
    const sent: string[] = [];
    const send: FetchLike = (url) => {
      sent.push(url);
      return Promise.resolve(response);
    };
    const keeper = {
      fetchTo: () => send,
      fetchFrom: () => globalFetch,
    };
    let write: () => void = () => undefined;
    const recorded = new Promise<void>((resolve) => (write = resolve));
    const responses = createResponses(account, 'c1', { keeper, log, window: 'window' });
    const request = responses.fetch(
      'r1',
      false,
      () => recorded,
      () => undefined,
    );
    const sending = request?.('here', chatInit());
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(sent, []);
    write();
    assert.equal(await sending, response);
    assert.deepEqual(sent, ['here']);
  });

  it('a request that is stopped before its record is on disk is not sent', async () => {
    await using server = await startHeldServer();
    const stop = new AbortController();
    const recorded = () => {
      stop.abort();
      return Promise.resolve();
    };
    const responses = createResponses(account, 'c1', { log, window: 'window' });
    const request = responses.fetch('r1', false, recorded, () => undefined);
    const sending = request?.(server.url, chatInit({ signal: stop.signal }));
    await assert.rejects(async () => sending, { name: 'AbortError' });
    assert.deepEqual(server.requests, []);
  });
});
