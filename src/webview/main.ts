import './styles/main.css';
import { systemClock } from '../base/clock.ts';
import type { Handlers, HostMessages } from '../protocol/messages.ts';
import type { StatusView } from '../protocol/view.ts';
import { Announcer, LiveRegions } from './announcer.ts';
import { handleClicks } from './clicks.ts';
import { Composer } from './composer/composer.ts';
import { post, saveState, startHeartbeat, stopPosting } from './connection.ts';
import { h, setText } from './dom.ts';
import { FileLinks } from './fileLinks.ts';
import { FindBar } from './find.ts';
import { Highlighter, showCodeColors } from './highlight/highlighter.ts';
import { handleChords, handleEscape, isFindKey } from './keys.ts';
import { Narrator } from './narrator.ts';
import type { Page } from './page.ts';
import { watchPresence } from './presence.ts';
import { StatusArea } from './status/statusArea.ts';
import { MessageStore } from './messageStore.ts';
import { Ticker } from './ticker.ts';
import { createNavigation } from './transcript/navigation.ts';
import { TranscriptView } from './transcript/transcriptView.ts';
import { Localizer } from './localizer.ts';

const app = document.getElementById('app');
if (app === null) throw new Error('the page has no element #app');
const root = app;

/** The page of a chat. It is built from the first snapshot, and then draws what the host sends. */
class PageView {
  readonly transcript: TranscriptView;
  readonly composer: Composer;
  readonly find: FindBar;
  readonly go: ReturnType<typeof createNavigation>;
  readonly page: Page;
  readonly store: MessageStore;
  readonly #statusArea: StatusArea;
  readonly #reportPresence: () => void;
  readonly #narrator: Narrator;
  readonly #title = h('h1', { class: 'visually-hidden' });
  /** The element outside the find box that had the focus last. */
  #lastFocused: HTMLElement | undefined;

  constructor({ strings, view: { status } }: HostMessages['snapshot']) {
    const scroller = h('div', { class: 'scroller', tabindex: '-1' });
    const regions = new LiveRegions();
    const localizer = new Localizer(strings);
    const announcer = new Announcer(regions, systemClock, strings.skipped);
    window.addEventListener('focus', () => announcer.handleFocus());
    const ticker = new Ticker();
    this.page = {
      localizer,
      ticker,
      highlighter: new Highlighter(scroller),
      files: new FileLinks(post),
      isPlain: false,
      announcer,
      folds: new Map(),
      status,
    };
    this.#narrator = new Narrator(announcer, localizer, systemClock, (until) =>
      ticker.leftMs(until),
    );
    this.store = this.#createStore();
    this.transcript = new TranscriptView(this.page, scroller, this.store);
    this.go = createNavigation(this.transcript, this.store);
    this.composer = new Composer(this.page, () => this.transcript.scrollToEnd());
    this.#statusArea = new StatusArea(this.page, this.composer);
    this.find = new FindBar(this.page, this.transcript, () => this.returnFocus());
    const above = h('div', { class: 'above' }, this.find.element, this.transcript.element);
    above.append(this.#statusArea.element, this.composer.completion.element);
    const main = h('main', {}, this.#title, above, this.composer.element);
    root.replaceChildren(main, ...regions.elements);
    this.#reportPresence = watchPresence(() => this.transcript.focused?.dataset['id'] ?? null);
    handleClicks(scroller, this.page);
    this.#handleKeys();
    this.#handleFocus();
  }

  applySnapshot(snapshot: HostMessages['snapshot']): void {
    const { seq, now, view } = snapshot;
    this.page.ticker.setNow(now);
    this.page.isPlain = view.isPlain;
    this.store.applySnapshot(seq, view);
    this.#setStatus(view.status);
    this.composer.begin(snapshot);
    this.transcript.reset(view.scroll);
    this.#narrator.begin(view);
    this.#reportPresence();
    if (document.hasFocus() && document.activeElement === document.body) this.composer.focus();
  }

  /** Focuses the element that had the focus last, else the composer. A user who answered from a card will type next. */
  returnFocus(wasAnswered = false): void {
    const last = this.#lastFocused;
    const isAnswered = wasAnswered && last?.matches('.question *') === true;
    if (last?.checkVisibility() === true && !isAnswered) last.focus({ preventScroll: true });
    else this.composer.focus();
  }

  setHostAlive(alive: boolean): void {
    this.#statusArea.setHostAlive(alive);
    this.composer.setHostAlive(alive);
    if (alive) this.requestChanges();
  }

  requestChanges(): void {
    post('ready', { lastSeq: this.store.lastSeq });
  }

  #createStore(): MessageStore {
    return new MessageStore(post, {
      added: (message) => {
        this.transcript.add();
        if (message.kind === 'prompt' && message.isByAgent !== true)
          this.composer.recall.add(message.text);
        this.#narrator.handleAdded(message);
      },
      replaced: (message) => {
        this.transcript.replace(message);
        this.#narrator.handleChanged(message);
      },
      appended: (id, index, part, text) => {
        this.transcript.append(id, index, text);
        this.#narrator.handleAppended(id, index, part, text);
      },
      statusChanged: (status) => {
        this.#setStatus(status);
        this.transcript.handleLayoutChange();
        this.#narrator.setStatus(status);
      },
    });
  }

  #setStatus(status: StatusView): void {
    const { title, settings } = status;
    this.page.status = status;
    this.page.announcer.speechRate = settings.speechRate;
    document.title = title;
    setText(this.#title, title);
    const { style } = document.documentElement;
    style.setProperty('--text', settings.fontSize === 0 ? '' : `${settings.fontSize}px`);
    style.setProperty('--code-features', settings.codeFeatures);
    this.transcript.setStatus(status);
    this.composer.handleStatusChange();
    this.#statusArea.setStatus(status);
  }

  #handleKeys(): void {
    handleChords();
    const leave = (): boolean => {
      if (this.composer.completion.close() || this.find.close()) return false;
      this.composer.focus();
      // Escape must not stop a run that waits for an answer: it also leaves a dialog, and its question stays.
      const { activity, settings } = this.page.status;
      return activity !== 'idle' && activity !== 'waiting' && settings.escapeStops;
    };
    const stop = (): void => post('act', { action: 'stop' });
    const { escapeAgain } = this.page.localizer.strings;
    handleEscape(leave, stop, (shown) => this.composer.showHint(shown ? escapeAgain : undefined));
    document.addEventListener('keydown', (event) => {
      if (!isFindKey(event)) return;
      event.preventDefault();
      this.find.open();
    });
  }

  #handleFocus(): void {
    document.addEventListener('focusin', ({ target }) => {
      if (target instanceof HTMLElement && !this.find.element.contains(target))
        this.#lastFocused = target;
    });
    // After a dialog of VS Code, nothing in the page has the focus.
    window.addEventListener('focus', () => {
      const nothing = document.activeElement === document.body;
      if (nothing && document.getSelection()?.isCollapsed !== false) this.returnFocus();
    });
  }
}

/** Undefined before the first snapshot. */
let view: PageView | undefined;

const handlers: Handlers<HostMessages> = {
  snapshot: (snapshot) => {
    saveState(snapshot.savedState);
    view ??= new PageView(snapshot);
    view.applySnapshot(snapshot);
  },
  saveState,
  changes: ({ seq, changes }) => {
    if (view?.store.applyChanges(seq, changes) === false) view.requestChanges();
  },
  history: ({ from, messages }) => {
    view?.store.addHistory(from, messages);
    view?.transcript.drawNearViewport();
  },
  found: ({ query, found }) => view?.find.show(query, found),
  completions: (body) => view?.composer.completion.show(body),
  located: ({ paths, found }) => view?.page.files.show(paths, found),
  codeColors: (colors) => showCodeColors(colors),
  compose: (body) => view?.composer.compose(body),
  recalled: ({ prompts }) => view?.composer.recall.addEarlier(prompts),
  focusComposer: () => view?.composer.focus(),
  stopAndSend: () => view?.composer.stopAndSend(),
  openFind: () => {
    // The page may have opened it by its own key, and the user may have typed since.
    if (view?.find.hasFocus === false) view.find.open();
  },
  reveal: ({ message, query }) => void view?.find.reveal(message, query ?? ''),
  go: ({ to, step }) => view?.go(to, step),
  returnFocus: ({ wasAnswered }) => view?.returnFocus(wasAnswered),
  leave: () => {
    root.inert = true;
    view?.transcript.flush();
    post('left', {});
    stopPosting();
  },
  pong: ({ at, now }) => {
    view?.page.ticker.setNow(now);
    view?.composer.draft.confirm(at);
  },
};

const recordMessage = startHeartbeat((isAlive) => view?.setHostAlive(isAlive));
// Only VS Code can send messages to the page, and it only forwards those of the extension.
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const { type, body } = (data ?? {}) as { readonly type?: unknown; readonly body?: never };
  if (typeof type !== 'string' || !Object.hasOwn(handlers, type)) return;
  recordMessage();
  handlers[type as keyof HostMessages](body as never);
});
window.addEventListener('error', ({ message }) =>
  post('failed', { message: message.slice(0, 2000) }),
);
window.addEventListener('unhandledrejection', ({ reason }) =>
  post('failed', { message: String(reason).slice(0, 2000) }),
);
post('ready', { lastSeq: null });
