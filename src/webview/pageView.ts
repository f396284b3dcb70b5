import type { HostMessages } from '../protocol/messages.ts';
import type { PageStrings } from '../protocol/strings.ts';
import type { Change, MessageView, SnapshotView, StatusView } from '../protocol/view.ts';
import { Announcer } from './announcer.ts';
import { Composer } from './composer/composer.ts';
import type { Post } from './connection.ts';
import { h, setText } from './dom.ts';
import { handleEscape } from './escape.ts';
import { FileLinks } from './fileLinks.ts';
import { Find } from './find.ts';
import { Highlighter } from './highlight/highlighter.ts';
import { handleClicks } from './clicks.ts';
import { Narrator } from './narrator.ts';
import type { Page } from './page.ts';
import { Presence } from './presence.ts';
import { Surroundings } from './status/surroundings.ts';
import { Store } from './store.ts';
import { Ticker } from './ticker.ts';
import { Transcript } from './transcript/transcript.ts';
import { Words } from './words.ts';

/** The page once its words are known: puts the parts together and hands each what is new. */
export class PageView {
  readonly transcript: Transcript;
  readonly composer: Composer;
  readonly find: Find;
  readonly #page: Page;
  readonly #store: Store;
  readonly #surroundings: Surroundings;
  readonly #presence: Presence;
  readonly #narrator: Narrator;
  readonly #title = h('h1', { class: 'visually-hidden' });
  #status: StatusView | undefined;

  constructor(root: HTMLElement, post: Post, strings: PageStrings, signal: AbortSignal) {
    const scroller = h('div', { class: 'scroller', tabindex: '-1' });
    const announcer = new Announcer(strings);
    this.#page = {
      post: (type, body) => {
        if (type === 'send') this.#sending();
        post(type, body);
      },
      words: new Words(strings),
      ticker: new Ticker(),
      colouring: new Highlighter(scroller),
      files: new FileLinks(post),
      announcer,
    };
    this.#narrator = new Narrator(announcer, this.#page.words);
    this.#store = new Store({
      reset: (snapshot) => this.#reset(snapshot),
      added: (message) => this.#added(message),
      replaced: (message) => this.#replaced(message),
      appended: (id, part, text) => this.#appended(id, part, text),
      statusChanged: (status) => this.#setStatus(status),
    });
    this.transcript = new Transcript(this.#page, scroller, this.#store);
    this.composer = new Composer(this.#page);
    this.#surroundings = new Surroundings(this.#page, this.composer);
    this.find = new Find(this.#page, this.transcript, () => this.composer.focus());
    const foot = h('div', { class: 'foot' }, this.#surroundings.element, this.composer.element);
    const main = h('main', {}, this.#title, this.find.element, this.transcript.element, foot);
    root.replaceChildren(main, announcer.element);
    document.documentElement.lang = strings.locale;
    this.#presence = new Presence(post, () => this.composer.text !== '', signal);
    handleClicks(scroller, this.#page, signal);
    this.#handleKeys(signal);
  }

  applySnapshot({ seq, now, view, keep }: HostMessages['snapshot']): void {
    this.#page.ticker.setNow(now);
    this.composer.setConversation(keep.conversation);
    this.#store.applySnapshot(seq, view);
  }

  /** The host has what was posted up to `at`, and said what time it is: `now`, epoch ms. */
  heard(at: number, now: number): void {
    this.#page.ticker.setNow(now);
    this.composer.confirm(at);
  }

  applyChanges(seq: number, changes: readonly Change[]): void {
    if (!this.#store.applyChanges(seq, changes))
      this.#page.post('hello', { have: this.#store.have });
  }

  addHistory(from: number, messages: readonly MessageView[]): void {
    this.#store.addHistory(from, messages);
    this.transcript.historyArrived();
  }

  showLocated({ paths, found }: HostMessages['located']): void {
    this.#page.files.show(paths, found);
  }

  setHostAlive(alive: boolean): void {
    this.#surroundings.setHostAlive(alive);
    this.composer.setHostAlive(alive);
    if (alive) this.#page.post('hello', { have: this.#store.have });
  }

  /** A prompt that goes out at once brings its user to the end: that is where the answer will be. */
  #sending(): void {
    if (this.#status?.canStop !== true) this.transcript.toEnd();
  }

  #reset(view: SnapshotView): void {
    this.#setStatus(view.status);
    this.composer.begin(view.draft, view.recall);
    this.transcript.reset(view.scroll);
    this.#narrator.begin(view.messages);
    this.#presence.repeat();
    if (document.hasFocus() && document.activeElement === document.body) this.composer.focus();
  }

  #added(message: MessageView): void {
    this.transcript.add(message);
    this.#narrator.added(message);
  }

  #replaced(message: MessageView): void {
    this.transcript.replace(message);
    this.#narrator.changed(message);
  }

  #appended(id: string, index: number, text: string): void {
    this.transcript.append(id, index, text);
    const message = this.#store.message(id);
    const part = message?.kind === 'intern' ? message.parts[index] : undefined;
    this.#narrator.appended(id, index, part, text);
  }

  #setStatus(status: StatusView): void {
    this.#status = status;
    document.title = status.title;
    setText(this.#title, status.title);
    this.transcript.setIntern(status.internName);
    this.composer.setStatus(status);
    this.#surroundings.setStatus(status);
  }

  #handleKeys(signal: AbortSignal): void {
    handleEscape(
      {
        dismiss: () => this.composer.dismiss() || this.find.close(),
        canStop: () => this.#status?.canStop === true,
        stop: () => this.#page.post('stop', {}),
        focusComposer: () => this.composer.focus(),
        hint: (shown) =>
          this.composer.showHint(shown ? this.#page.words.strings.escapeAgain : undefined),
      },
      signal,
    );
    const onKey = (event: KeyboardEvent): void => {
      const find = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey);
      if (!find || event.shiftKey || event.altKey) return;
      event.preventDefault();
      this.find.open();
    };
    document.addEventListener('keydown', onKey, { signal });
    // After a dialog of the editor's the focus is on nothing in here: it belongs to the composer then.
    const onFocus = (): void => {
      const nothing = document.activeElement === document.body;
      if (nothing && document.getSelection()?.isCollapsed !== false) this.composer.focus();
    };
    window.addEventListener('focus', onFocus, { signal });
    const flush = (): void => {
      this.composer.flush();
      this.transcript.flush();
    };
    document.addEventListener('visibilitychange', flush, { signal });
    window.addEventListener('pagehide', flush, { signal });
  }
}
