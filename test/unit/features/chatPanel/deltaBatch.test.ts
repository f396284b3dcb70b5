import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change } from '../../../../src/protocol/view.ts';
import { FakeExchange } from '../../conversation/fakeExchange.ts';
import { ChatWindow } from '../../support/chatWindow.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { eventually } from '../../../harness/until.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import { useStubs } from '../../support/stubEditor.ts';

/** The number of deltas, and the time between two in ms. */
const deltas = 300;
const everyMs = 10;

describe('streamed text', () => {
  const stub = useStubs();
  const folder = useTemporaryFolder();
  let window: ChatWindow;

  afterEach(() => {
    window.dispose();
  });

  it('streamed text costs one entry and one message to the page every 30 ms', async () => {
    const clock = new FakeClock();
    let exchange: FakeExchange | undefined;
    window = new ChatWindow({
      stub,
      clock,
      folder: folder.path,
      client: () => ({
        streamChat: (_intern, chat, options) =>
          (exchange = new FakeExchange(chat, options ?? {})).stream(),
      }),
    });
    const conversation = window.start();
    conversation.send({ type: 'submit', prompt: { text: 'Go', sent: 'Go', attachments: [] } });
    await eventually(() => exchange !== undefined);
    await window.conversations.flush();
    exchange!.open().say({ kind: 'role' }, { kind: 'text', text: 'First. ' });
    await new Promise(setImmediate);

    const { state } = conversation;
    const changes: Change[][] = [];
    let otherNews = 0;
    window.otherCalls = 0;
    window.onPageMessage.event((message) => {
      if (message.type !== 'changes') assert.fail(message.type);
      changes.push([...message.body.changes]);
    });
    window.conversations.onDidChange(() => (otherNews += 1));
    conversation.onDidChange((change) => (otherNews += change.stateChanged ? 1 : 0));
    for (let delta = 0; delta < deltas; delta += 1) {
      exchange!.say({ kind: 'text', text: `word ${delta} ` });
      await new Promise(setImmediate);
      window.pagesLive();
      clock.advance(everyMs);
    }
    await window.conversations.flush();

    const batches = Math.ceil((deltas * everyMs) / 30);
    const kinds = changes.map((each) => each.map(({ kind }) => kind).join());
    assert.deepEqual([kinds.length, ...new Set(kinds)], [batches, 'append']);
    assert.deepEqual([window.otherCalls, otherNews], [0, 0]);
    assert.equal(conversation.state, state, 'the machine took no step');
    const record = await readFile(
      join(folder.path, 'conversations', `${conversation.id}.jsonl`),
      'utf8',
    );
    const texts = record.split('\n').filter((line) => line.includes('"type":"text"'));
    assert.equal(texts.length, 1 + batches);
    const [part] = conversation.transcript.lastReply?.parts ?? [];
    assert.ok(part?.kind === 'text' && part.text.endsWith(`word ${deltas - 1} `));
  });
});
