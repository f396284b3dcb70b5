/** The plain way: every message of a long conversation drawn with marked and DOMPurify when it is opened. */
import DOMPurify from 'dompurify';
import { marked } from 'marked';
import { followEnd, openScroller } from '../feed.ts';
import { measureLong } from '../long.ts';
import { messageText } from '../workload.ts';

window.showLong = async (messages) => {
  let reply: HTMLElement | undefined;
  let written = '';
  const draw = (element: HTMLElement, markdown: string): void => {
    element.innerHTML = DOMPurify.sanitize(marked.parse(markdown, { async: false }));
  };
  return await measureLong({
    open: () => {
      const log = openScroller();
      for (let index = 0; index < messages; index++) {
        const article = document.createElement('article');
        draw(article, messageText(index));
        log.append(article);
      }
      reply = log.appendChild(document.createElement('article'));
      followEnd();
      return Promise.resolve();
    },
    scroller: () => document.getElementById('scroller')!,
    write: (text) => {
      written += text;
      if (reply !== undefined) draw(reply, written);
      followEnd();
    },
  });
};
