/** The page of this extension, whole: messages from a host, transcript, announcer, highlighting. */
import { feed } from '../feed.ts';
import { reply } from '../../../../webview/fixtures/views.ts';
import { BenchHost } from '../host.ts';
import { mixedReply } from '../workload.ts';

const host = new BenchHost(0);

/** How long the page changes nothing once it has drawn all, in milliseconds. */
const quietMs = 500;

window.showReply = (text) =>
  new Promise((resolve) => {
    let timer = setTimeout(resolve, quietMs);
    new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(resolve, quietMs);
    }).observe(document.querySelector('[role=log]')!, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    host.change({ kind: 'add', message: reply('i1', text) });
  });

window.drawReply = async (characters, limitMs) => {
  const { parts, ...header } = reply('i1', '', { state: 'working' });
  host.change({ kind: 'add', message: { ...header, parts } });
  const contender = {
    write: (text: string) => host.change({ kind: 'append', id: 'i1', part: 0, text }),
    end: () => host.change({ kind: 'header', message: { ...header, state: 'done' } }),
  };
  return await feed(contender, mixedReply(characters), limitMs);
};

declare global {
  interface Window {
    /** Shows a whole reply, and waits until it is drawn. */
    showReply: (text: string) => Promise<void>;
  }
}
