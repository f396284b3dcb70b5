import { longestTask } from '../harness/tasks.ts';
import { longestMs } from './attacks.ts';
import { ChatPage } from './chatPage.ts';
import { reply } from './fixtures/views.ts';

/** In how many pieces a reply comes that does not come at once. */
const pieces = 3;

/** How often a reply is looked at again that took longer. */
const mostTraces = 3;

export type Way = 'at once' | 'in pieces';

/** Shows a reply, and gives the time of the page's longest task until it is drawn, in milliseconds; 0 where none took 50. */
export async function freezeOf(chat: ChatPage, text: string, way: Way): Promise<number> {
  await draw(chat, text, way);
  let ms = await chat.longestTask();
  // A machine that is busy with something else makes a task long: a trace tells what the page itself worked, and of
  // several the shortest is the nearest to that.
  for (let traces = 0; ms > longestMs && traces < mostTraces; traces++)
    ms = Math.min(ms, await tracedIn(text, way));
  return ms;
}

/** Like {@link freezeOf}, in a new page. */
async function tracedIn(text: string, way: Way): Promise<number> {
  await using fresh = await ChatPage.open();
  await fresh.show();
  return await longestTask(fresh.page, () => draw(fresh, text, way));
}

async function draw(chat: ChatPage, text: string, way: Way): Promise<void> {
  if (way === 'at once') {
    await chat.show(reply('i1', text));
  } else {
    await chat.show(reply('i1', '', { state: 'working' }));
    const length = Math.ceil(text.length / pieces);
    for (let at = 0; at < text.length; at += length)
      await chat.change({ kind: 'append', id: 'i1', part: 0, text: text.slice(at, at + length) });
  }
  const isColored = /```\w/.test(text);
  await chat.rest(isColored ? undefined : 60);
}
