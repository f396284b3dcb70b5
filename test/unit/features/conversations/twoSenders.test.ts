import assert from 'node:assert/strict';
import { eventually } from '../../../harness/until.ts';
import {
  isIdle,
  openIn,
  startIn,
  submit,
  talk,
  useConversationWindows,
} from '../../support/conversationWindows.ts';

describe('two windows that send in one conversation', () => {
  const { openWindow } = useConversationWindows();

  it('two prompts that are sent at once run one after the other', async () => {
    const [first, second] = [openWindow('a'), openWindow('b')];
    const here = startIn(first);
    await talk(here, 'echo One', first.conversations);
    const there = await openIn(second, here.id);
    submit(here, 'slow 1');
    submit(there, 'slow 1');
    const runsIn = ({ transcript: { messages } }: typeof here) =>
      messages.flatMap((message) =>
        message.kind === 'reply' ? [[message.state, JSON.stringify(message.parts)]] : [],
      );
    const isOver = (each: typeof here) => isIdle(each)() && runsIn(each).length === 3;
    await eventually(() => isOver(here) && isOver(there));
    const said = JSON.stringify([{ kind: 'text', text: 'steady steady steady 1 s.\n' }]);
    for (const each of [here, there])
      assert.deepEqual(runsIn(each).slice(1), [
        ['done', said],
        ['done', said],
      ]);
  });

  it('no prompt that waits is lost if two windows of a workspace save theirs at once', async () => {
    const [first, second] = [openWindow('a'), openWindow('a', { window: 'second' })];
    const here = startIn(first);
    submit(here, 'stall');
    await first.conversations.flush();
    const there = await openIn(second, here.id);
    for (const number of [1, 2, 3, 4]) {
      submit(here, `echo Here ${number}`);
      submit(there, `echo There ${number}`);
      await Promise.all([first.drafts.flush(), second.drafts.flush()]);
    }
    const queued = (await openIn(openWindow('a', { window: 'third' }), here.id)).state.queue;
    assert.equal(new Set(queued.map(({ text }) => text)).size, 8);
    assert.deepEqual([here.state.queue.length, there.state.queue.length], [4, 4]);
  });
});
