import { h } from './dom.ts';
import type { PageStrings } from '../protocol/strings.ts';

/** The shortest time between two announcements, in milliseconds: each would cut the one before short. */
const interval = 1200;
/** Characters that an announcement holds at most; a screen reader reads the rest in the transcript. */
const longest = 600;
/** Characters of a reply that may wait to be said, at most: what happens is to be heard when it happens. */
const mostWaiting = 1200;
const sentenceEnd = /[.!?…:](?=\s|$)["')\]]*|[。！？]|\n/g;

/**
 * Says what happens to those who cannot see it: whole sentences of a growing reply, and what state a run is in. The
 * transcript is not a live region itself, because one announces every token, and often twice.
 */
export class Announcer {
  readonly element: HTMLElement = h('div', { class: 'visually-hidden', role: 'status' });
  readonly #strings: PageStrings;
  #unfinished = '';
  /** What is to be said next: the page's own sentences, and those of the reply. */
  #waiting: { readonly text: string; readonly isOwn: boolean }[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #inCode = false;

  constructor(strings: PageStrings) {
    this.#strings = strings;
  }

  /** Says a sentence of the page's own. */
  say(sentence: string): void {
    this.#waiting.push({ text: sentence, isOwn: true });
    this.#schedule();
  }

  /** Says at once what holds for a moment only, and what waits after it. */
  sayNow(sentence: string): void {
    clearTimeout(this.#timer);
    this.#waiting.unshift({ text: sentence, isOwn: true });
    this.#speak();
  }

  /** Takes a reply's next piece of Markdown. */
  read(markdown: string): void {
    this.#unfinished += markdown;
    let end = 0;
    for (const match of this.#unfinished.matchAll(sentenceEnd)) {
      const next = match.index + match[0].length;
      if (next === this.#unfinished.length && match[0] !== '\n') break;
      this.#sentence(this.#unfinished.slice(end, next));
      end = next;
    }
    this.#unfinished = this.#unfinished.slice(end);
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** The reply has ended: what is left of it is a sentence too. */
  endReply(): void {
    if (!this.#inCode) this.#sentence(this.#unfinished);
    this.#unfinished = '';
    this.#inCode = false;
    if (this.#waiting.length > 0) this.#schedule();
  }

  #sentence(markdown: string): void {
    if (/^\s*(?:```|~~~)/.test(markdown)) {
      this.#inCode = !this.#inCode;
      if (this.#inCode) this.#enqueue(this.#strings.codeAnnounced);
      return;
    }
    const text = this.#inCode ? '' : speakable(markdown);
    if (text !== '') this.#enqueue(text);
  }

  /** Of a reply that comes faster than it can be said, the latest sentences are. */
  #enqueue(text: string): void {
    this.#waiting.push({ text, isOwn: false });
    let length = this.#waiting.reduce((sum, waiting) => sum + waiting.text.length, 0);
    this.#waiting = this.#waiting.filter((waiting, index) => {
      const isKept = waiting.isOwn || length <= mostWaiting || index === this.#waiting.length - 1;
      if (!isKept) length -= waiting.text.length;
      return isKept;
    });
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#speak(), interval);
  }

  #speak(): void {
    this.#timer = undefined;
    let text = '';
    while (this.#waiting.length > 0 && text.length < longest)
      text += `${this.#waiting.shift()?.text ?? ''} `;
    this.element.textContent = text.trim();
    if (this.#waiting.length > 0) this.#schedule();
  }
}

/** A sentence without its markup. */
function speakable(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(?:#{1,6}|[-*+>]|\d+[.)])\s+/, '')
    .replace(/[*_`~|]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
