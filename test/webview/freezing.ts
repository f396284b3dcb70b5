import { longestTask } from '../harness/tasks.ts';
import { longestMs } from './attacks.ts';
import { ChatPage } from './chatPage.ts';
import { reply } from './fixtures/views.ts';

/** The pieces of a reply that does not come at once. */
const pieces = 3;

/** The time of {@link parseReference} on a free machine, in milliseconds. */
const referenceMs = 30;

/** How often a reply that took longer is measured again. */
const mostTraces = 3;

/** The number of elements that show how a reply is drawn. A megabyte of list items would take minutes on a busy machine. */
const mostElements = 5_000;

/** How a reply is shown; `plainly` as in a page after one that hung. */
export type Way = 'at once' | 'in pieces' | 'plainly';

/** Shows a reply, and returns the page's longest task until it is drawn, in milliseconds; 0 if none took 50. */
export async function freezeOf(chat: ChatPage, text: string, way: Way): Promise<number> {
  await draw(chat, text, way);
  let ms = await chat.longestTask();
  // Other load on the machine makes a task longer. A trace shows the page's own work, and the shortest of several is
  // closest to it.
  for (let traces = 0; ms > longestMs && traces < mostTraces; traces++)
    ms = Math.min(ms, await tracedIn(text, way));
  return ms;
}

/** Like {@link freezeOf}, in a new page. A busy machine is also slower: its time is scaled to that of a free one. */
async function tracedIn(text: string, way: Way): Promise<number> {
  await using fresh = await ChatPage.open();
  await fresh.show();
  const slowness = (await longestTask(fresh.page, () => parseReference(fresh))) / referenceMs;
  const ms = await longestTask(fresh.page, () => draw(fresh, text, way));
  return ms / Math.max(1, slowness);
}

/** Lets the page do work of a known size, in one task. */
async function parseReference(chat: ChatPage): Promise<void> {
  await chat.page.evaluate(() => {
    const html = '<p>a <b>b</b> <code>c</code></p>'.repeat(10_000);
    new DOMParser().parseFromString(html, 'text/html');
  });
}

async function draw(chat: ChatPage, text: string, way: Way): Promise<void> {
  if (way !== 'in pieces') {
    await chat.snapshot({ messages: [reply('i1', text)], isPlain: way === 'plainly' });
  } else {
    await chat.show(reply('i1', '', { state: 'working' }));
    const length = Math.ceil(text.length / pieces);
    for (let at = 0; at < text.length; at += length)
      await chat.change({ kind: 'append', id: 'i1', part: 0, text: text.slice(at, at + length) });
  }
  await chat.rest(undefined, mostElements);
}
