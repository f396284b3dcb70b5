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
});
