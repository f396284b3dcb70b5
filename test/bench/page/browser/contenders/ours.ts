/** The page of this extension, whole: messages from a host, transcript, announcer, highlighting. */
import { feed } from '../feed.ts';
import { BenchHost } from '../host.ts';
import { mixedReply } from '../workload.ts';

const host = new BenchHost(0);

window.drawReply = async (characters, limitMs) => {
  const shell = {
    kind: 'intern',
    id: 'i1',
    at: 0,
    author: 'ada',
    facts: [],
    details: [],
    completion: null,
  } as const;
  const parts = [{ kind: 'text', text: '' } as const];
  host.change({ kind: 'add', message: { ...shell, state: 'working', parts } });
  const contender = {
    write: (text: string) => host.change({ kind: 'append', id: 'i1', part: 0, text }),
    end: () => host.change({ kind: 'shell', message: { ...shell, state: 'done' } }),
  };
  return await feed(contender, mixedReply(characters), limitMs);
};
