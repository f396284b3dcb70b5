/** streamdown in React, as its README uses it, without its highlighting. */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import { Streamdown } from 'streamdown';
import { feed, followEnd, openScroller } from '../feed.ts';
import { mixedReply } from '../workload.ts';

window.drawReply = async (characters, limitMs) => {
  const root = createRoot(openScroller());
  let written = '';
  const contender = {
    write: (piece: string) => {
      written += piece;
      flushSync(() => root.render(createElement(Streamdown, null, written)));
      followEnd();
    },
    end: () => undefined,
  };
  return await feed(contender, mixedReply(characters), limitMs);
};
