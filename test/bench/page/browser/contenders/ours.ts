/** The page of this extension, whole: messages from a host, transcript, announcer, highlighting. */
import { feed } from '../feed.ts';
import { reply } from '../../../../webview/fixtures/views.ts';
import { BenchHost } from '../host.ts';
import { mixedReply } from '../workload.ts';

const host = new BenchHost(0);

window.drawReply = async (characters, limitMs) => {
  const { parts, ...header } = reply('i1', '', { state: 'working' });
  host.change({ kind: 'add', message: { ...header, parts } });
  const contender = {
    write: (text: string) => host.change({ kind: 'append', id: 'i1', part: 0, text }),
    end: () => host.change({ kind: 'header', message: { ...header, state: 'done' } }),
  };
  return await feed(contender, mixedReply(characters), limitMs);
};
