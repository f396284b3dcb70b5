import { systemClock } from '../base/clock.ts';
import type { HostMessages } from '../protocol/messages.ts';
import type { PageStrings } from '../protocol/strings.ts';
import type { Change, MessageView, SnapshotView, StatusView } from '../protocol/view.ts';
import { Announcer } from './announcer.ts';
import { Composer } from './composer/composer.ts';
import { SendKey } from './composer/sendKey.ts';
import type { Post } from './connection.ts';
import { h, setText } from './dom.ts';
import { handleChords } from './chords.ts';
import { handleEscape } from './escape.ts';
import { FileLinks } from './fileLinks.ts';
import { Find } from './find.ts';
import { Highlighter } from './highlight/highlighter.ts';
import { handleClicks } from './clicks.ts';
import { LiveRegions } from './liveRegions.ts';
import { Narrator } from './narrator.ts';
import type { Page } from './page.ts';
import { Presence } from './presence.ts';
import { Surroundings } from './status/surroundings.ts';
import { Store } from './store.ts';
import { Ticker } from './ticker.ts';
import { Navigation } from './transcript/navigation.ts';
import { TranscriptView } from './transcript/transcriptView.ts';
import { Words } from './words.ts';

/** The page once its words are known: puts the parts together and hands each what is new. */
export class PageView {
  readonly transcript: TranscriptView;
  readonly composer: Composer;
  readonly find: Find;
  readonly navigation: Navigation;
  readonly #page: Page;
  readonly #store: Store;
  readonly #surroundings: Surroundings;
  readonly #presence: Presence;
  readonly #narrator: Narrator;
  readonly #title = h('h1', { class: 'visually-hidden' });
  /** What had the focus last, other than the find box. */
  #lastFocused: HTMLElement | undefined;
  #status: StatusView | undefined;

  constructor(root: HTMLElement, post: Post, strings: PageStrings, signal: AbortSignal) {
    const scroller = h('div', { class: 'scroller', tabindex: '-1' });
    const regions = new LiveRegions();
    const announcer = new Announcer(regions, systemClock);
    const words = new Words(strings);
    const ticker = new Ticker();
    this.#page = {
      post: (type, body) => {
        // A prompt that goes out at once brings its user to the end: that is where the answer will be.
        if (type === 'send' && this.#status?.canStop !== true) this.transcript.toEnd();
        post(type, body);
      },
      words,
      ticker,
      colouring: new Highlighter(scroller),
      files: new FileLinks(post),
      isPlain: false,
      announcer,
      sendKey: new SendKey(),
    };
    this.#narrator = new Narrator(announcer, words, systemClock, (until) => ticker.left(until));
    this.#store = new Store({
      reset: (snapshot) => this.#reset(snapshot),
      added: (message) => {
        this.transcript.add(message);
        if (message.kind === 'user' && message.isByAgent !== true)
          this.composer.recall.arrived(message.text);
        this.#narrator.added(message);
      },
      replaced: (message) => {
        this.transcript.replace(message);
        this.#narrator.changed(message);
      },
      appended: (id, index, part, text) => {
        this.transcript.append(id, index, text);
        this.#narrator.appended(id, index, part, text);
      },
      statusChanged: (status) => {
        this.#setStatus(status);
        this.#narrator.setStatus(status);
      },
    });
    this.transcript = new TranscriptView(this.#page, scroller, this.#store);
    this.navigation = new Navigation(this.transcript, this.#store);
    this.composer = new Composer(this.#page, () => this.#presence.report());
    this.#surroundings = new Surroundings(this.#page, this.composer);
    this.find = new Find(this.#page, this.transcript, () => this.returnFocus());
    const above = h('div', { class: 'above' }, this.find.element, this.transcript.element);
    above.append(this.#surroundings.element, this.composer.completion.element);
    const main = h('main', {}, this.#title, above, this.composer.element);
    root.replaceChildren(main, ...regions.elements);
    document.documentElement.lang = strings.locale;
    this.#presence = new Presence(post, () => this.composer.text !== '', signal);
    handleClicks(scroller, this.#page, signal);
    this.#handleKeys(signal);
  }

  applySnapshot({ seq, now, view, keep }: HostMessages['snapshot']): void {
    this.#page.ticker.setNow(now);
    this.composer.setConversation(keep.conversation);
    this.#page.isPlain = view.isPlain;
    this.#store.applySnapshot(seq, view);
  }

  /** The host has what was posted up to `at`, and said what time it is: `now`, epoch ms. */
  handlePong(at: number, now: number): void {
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

  /** VS Code asks for it too where the page has just opened it by its own key: what was typed since stays. */
  openFind(): void {
    if (!this.find.hasFocus) this.find.open();
  }

  /** Focuses what had the focus last: a message that was read, else the composer. */
  returnFocus(): void {
    if (this.#lastFocused?.checkVisibility() === true)
      this.#lastFocused.focus({ preventScroll: true });
    else this.composer.focus();
  }

  postFocused(about: HostMessages['askFocused']['about']): void {
    this.#page.post(about, { from: this.transcript.focused?.dataset['id'] ?? null });
  }

  setHostAlive(alive: boolean): void {
    this.#surroundings.setHostAlive(alive);
    this.composer.setHostAlive(alive);
    if (alive) this.#page.post('hello', { have: this.#store.have });
  }

  /** Tells the host what it was not told yet, before the page may go away. */
  flush(): void {
    this.composer.flush();
    this.transcript.flush();
  }

  #reset(view: SnapshotView): void {
    this.#setStatus(view.status);
    this.composer.begin(view.draft, view.recall);
    this.transcript.reset(view.scroll);
    this.#narrator.begin(view);
    this.#presence.repeat();
    if (document.hasFocus() && document.activeElement === document.body) this.composer.focus();
  }

  #setStatus(status: StatusView): void {
    this.#status = status;
    document.title = status.title;
    setText(this.#title, status.title);
    this.#page.sendKey.with = status.sendWith;
    const { style } = document.documentElement;
    style.setProperty('--text', status.fontSize === 0 ? '' : `${status.fontSize}px`);
    style.setProperty('--code-features', status.codeFeatures);
    this.transcript.setIntern(status.internName);
    this.composer.setStatus(status);
    this.#surroundings.setStatus(status);
    this.transcript.surroundingsChanged();
  }

  #handleKeys(signal: AbortSignal): void {
    handleChords(signal);
    handleEscape(
      {
        dismiss: () => this.composer.completion.close() || this.find.close(),
        // A run that waits for an answer is stopped by the button and the command alone: whoever
        // leaves a dialog by Escape wants to keep its question.
        canStop: () => this.#status?.canStop === true && this.#status.activity !== 'waiting',
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
    const onFocusIn = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement && !this.find.element.contains(target))
        this.#lastFocused = target;
    };
    document.addEventListener('focusin', onFocusIn, { signal });
    // After a dialog of VS Code nothing in the page has the focus.
    const onFocus = (): void => {
      const nothing = document.activeElement === document.body;
      if (nothing && document.getSelection()?.isCollapsed !== false) this.returnFocus();
    };
    window.addEventListener('focus', onFocus, { signal });
    const flush = (): void => this.flush();
    document.addEventListener('visibilitychange', flush, { signal });
    window.addEventListener('pagehide', flush, { signal });
  }
}
