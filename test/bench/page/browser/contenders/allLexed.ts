/** The usual way: all lexed each frame, and the blocks that changed drawn with marked and DOMPurify. */
import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { feed, followEnd, openScroller } from '../feed.ts';
import { mixedReply } from '../workload.ts';

window.drawReply = async (characters, limitMs) => {
  const reply = openScroller();
  const drawn: string[] = [];
  let written = '';
  const contender = {
    write: (piece: string) => {
      written += piece;
      marked.lexer(written).forEach((token, index) => {
        if (drawn[index] === token.raw) return;
        drawn[index] = token.raw;
        const block = reply.children[index] ?? reply.appendChild(document.createElement('div'));
        block.innerHTML = DOMPurify.sanitize(marked.parser([token]));
      });
      followEnd();
    },
    end: () => undefined,
  };
  return await feed(contender, mixedReply(characters), limitMs);
};
