/** streaming-markdown as its README uses it: no highlighting, no sanitizing. */
import { default_renderer, parser, parser_end, parser_write } from 'streaming-markdown';
import { feed, followEnd, openScroller } from '../feed.ts';
import { mixedReply } from '../workload.ts';

window.drawReply = async (characters, limitMs) => {
  const stream = parser(default_renderer(openScroller()));
  const contender = {
    write: (piece: string) => {
      parser_write(stream, piece);
      followEnd();
    },
    end: () => parser_end(stream),
  };
  return await feed(contender, mixedReply(characters), limitMs);
};
