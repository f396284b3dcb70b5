import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Locator, Page, Route } from 'playwright-core';
import { pagePolicy } from '../../src/features/chatPanel/page/pagePolicy.ts';
import type { HostMessages, PageMessages } from '../../src/protocol/messages.ts';
import type { PageStrings } from '../../src/protocol/strings.ts';
import type { Change, MessageView, SnapshotView, StatusView } from '../../src/protocol/view.ts';
import { sharedBrowser } from '../harness/browser.ts';
import { distFolder } from '../harness/paths.ts';
import { pointsInSight } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import themeData from './fixtures/themes.json' with { type: 'json' };
import { strings } from './fixtures/strings.ts';
import { status } from './fixtures/views.ts';

export type ThemeName = keyof typeof themeData.themes;
export const themeNames = Object.keys(themeData.themes) as ThemeName[];

/** Where the page is served from; nothing of it leaves the browser. */
const origin = 'https://page.test';
const nonce = 'dGVzdC1ub25jZQ';

const html = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Chat</title>
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(nonce, origin)}">
<link rel="stylesheet" href="/vscode.css"><link rel="stylesheet" href="/main.css"></head>
<body><div id="app"></div><script nonce="${nonce}" src="/main.js"></script></body></html>`;

export interface OpenOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** A factor for the size of all, as the editor's zoom. */
  readonly zoom?: number;
  readonly reducedMotion?: boolean;
  /** By how many ms the clock of the page's machine is ahead of the host's. */
  readonly aheadMs?: number;
  /** Hears the type of each message, also of a page that can no longer be asked. */
  readonly onPost?: (type: string) => void;
  /** The words of the page; English ones by default. */
  readonly strings?: PageStrings;
}

type Posted = { [K in keyof PageMessages]: { type: K; body: PageMessages[K] } }[keyof PageMessages];

/** The page of the chat panel in Chromium, with this test as its host. */
export class ChatPage implements AsyncDisposable {
  readonly page: Page;
  /** What the page asked the network for, apart from its own files. */
  readonly requests: string[] = [];
  /** Errors that nothing caught, and violations of the content security policy. */
  readonly errors: string[] = [];
  readonly #context: BrowserContext;
  readonly #strings: PageStrings;
  readonly #size: { readonly width: number; readonly height: number };
  #seq = 0;

  private constructor(context: BrowserContext, page: Page, words = strings) {
    this.#context = context;
    this.#strings = words;
    this.#size = page.viewportSize() ?? { width: 0, height: 0 };
    this.page = page;
  }

  /** Opens the page; it has sent `ready` and waits for a snapshot then. */
  static async open(options: OpenOptions = {}): Promise<ChatPage> {
    const { theme = 'dark', width = 900, height = 800, zoom = 1, reducedMotion = false } = options;
    const { aheadMs = 0 } = options;
    const browser = await sharedBrowser();
    const context = await browser.newContext({
      viewport: { width: Math.round(width / zoom), height: Math.round(height / zoom) },
      deviceScaleFactor: zoom,
      reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    });
    const page = await context.newPage();
    const chat = new ChatPage(context, page, options.strings);
    if (options.onPost !== undefined) await page.exposeFunction('tellPost', options.onPost);
    page.on('pageerror', (error) => chat.errors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') chat.errors.push(message.text());
    });
    await page.addInitScript(beVSCode, { ...themeData.themes[theme], aheadMs });
    await page.addInitScript(`window.pointsInSight = ${String(pointsInSight)}`);
    await chat.reload();
    return chat;
  }

  /** Opens the page anew, as it was opened first. */
  async reload(): Promise<void> {
    const { page } = this;
    await page.unrouteAll();
    await page.route('**/*', (route) => this.#answer(route));
    await page.setViewportSize(this.#size);
    await page.mouse.move(0, 0);
    await page.goto(`${origin}/`);
    this.errors.length = 0;
    this.requests.length = 0;
    this.#seq = 0;
    await this.posted('ready');
  }

  async #answer(route: Route): Promise<void> {
    const url = new URL(route.request().url());
    if (url.origin !== origin) {
      this.requests.push(url.href);
      await route.abort();
      return;
    }
    if (url.pathname === '/') await route.fulfill({ contentType: 'text/html', body: html });
    else if (url.pathname === '/vscode.css')
      await route.fulfill({ contentType: 'text/css', body: themeData.defaultStyles });
    else await this.#answerFile(route, path.basename(url.pathname));
  }

  async #answerFile(route: Route, name: string): Promise<void> {
    try {
      const body = await readFile(path.join(distFolder, 'webview', name));
      await route.fulfill({ body, contentType: contentTypes[path.extname(name)] ?? 'text/plain' });
    } catch {
      this.requests.push(route.request().url());
      await route.fulfill({ status: 404 });
    }
  }

  /** Sends the page a message of the host's. */
  async send<K extends keyof HostMessages>(type: K, body: HostMessages[K]): Promise<void> {
    await this.page.evaluate((message) => window.postMessage(message), { type, body });
    await this.settle();
  }

  async snapshot(view: Partial<SnapshotView> = {}): Promise<void> {
    const whole: SnapshotView = {
      status: status(),
      messages: [],
      earlier: 0,
      draft: '',
      scroll: null,
      isPlain: false,
      recall: [],
      ...view,
    };
    const savedState = { account: 'account', intern: 'intern_ada', conversation: 'conversation' };
    const body = {
      seq: ++this.#seq,
      now: Date.now(),
      strings: this.#strings,
      view: whole,
      savedState,
    };
    await this.send('snapshot', body);
  }

  /** Shows the end of a conversation, and answers what the page asks of the rest of it. */
  async showEnd(messages: readonly MessageView[], shown: number): Promise<void> {
    await this.page.evaluate((all) => {
      window.record = all;
    }, messages);
    const earlier = messages.length - shown;
    await this.snapshot({ messages: messages.slice(earlier), earlier });
  }

  /** Shows a conversation with these messages. */
  async show(...messages: readonly MessageView[]): Promise<void> {
    await this.snapshot({ messages });
  }

  async change(...changes: readonly Change[]): Promise<void> {
    await this.send('changes', this.changesMessage(...changes).body);
  }

  /** Changes what stands around the conversation. */
  async setStatus(different: Partial<StatusView> = {}): Promise<void> {
    await this.change({ kind: 'status', status: status(different) });
  }

  /** A message of an intern grows, in its first part. */
  async append(id: string, text: string): Promise<void> {
    await this.change({ kind: 'append', id, part: 0, text });
  }

  /** A message with the next changes, to be posted without waiting for them to be drawn. */
  changesMessage(...changes: readonly Change[]): {
    type: 'changes';
    body: HostMessages['changes'];
  } {
    this.#seq += changes.length;
    return { type: 'changes', body: { seq: this.#seq, changes } };
  }

  /** Waits until the page has drawn what it was given. */
  async settle(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
        }),
    );
  }

  /**
   * Waits until all is drawn: the page has changed nothing for longer than it ever pauses.
   * @param leastMs how long it pauses at least, in milliseconds; by default for as long as coloring waits before it begins.
   */
  async rest(leastMs = 200): Promise<void> {
    await this.page.evaluate(
      (least) =>
        new Promise<void>((resolve) => {
          let changed = performance.now();
          let looked = changed;
          let pause = least;
          const observer = new MutationObserver(() => (changed = performance.now()));
          observer.observe(document, { childList: true, characterData: true, subtree: true });
          const look = (): void => {
            const now = performance.now();
            // After a slow step drawing pauses for three times as long.
            pause = Math.max(pause, (now - looked) * 4);
            looked = now;
            if (now - changed <= pause) return void setTimeout(look, 5);
            observer.disconnect();
            resolve();
          };
          look();
        }),
      leastMs,
    );
  }

  /** How long the page was kept from all else at most since this was last asked for, in milliseconds; 0 where no task took 50. */
  async longestTask(): Promise<number> {
    return await this.page.evaluate(() => {
      const longest = Math.max(0, ...window.longTasks);
      window.longTasks.length = 0;
      return longest;
    });
  }

  /** What the page has posted since it was opened or `forget` was called, of one type. */
  async all<K extends keyof PageMessages>(type: K): Promise<PageMessages[K][]> {
    const posted = await this.page.evaluate(() => window.posted);
    return posted
      .filter((message) => message.type === type)
      .map(({ body }) => body as PageMessages[K]);
  }

  /** Waits for a message of this type and gives its body: the last one, where there are several. */
  async posted<K extends keyof PageMessages>(type: K): Promise<PageMessages[K]> {
    return await until(`the page to post ${type}`, async () => (await this.all(type)).at(-1));
  }

  /** Waits until the page asks for the files that begin so, and gives the number of that request. */
  async completing(query: string): Promise<number> {
    const asked = await until(`the page to complete ${query}`, async () =>
      (await this.all('complete')).find((each) => each.query === query),
    );
    return asked.request;
  }

  async forget(): Promise<void> {
    await this.page.evaluate(() => {
      window.posted.length = 0;
    });
  }

  get composer(): Locator {
    return this.page.getByRole('textbox', { name: /^Message/ });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  get log(): Locator {
    return this.page.getByRole('log', { name: 'Conversation' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }
}

/** Opens a page for each test of a suite, in which no error may be left when the test ends. */
export function useChatPage(take: (chat: ChatPage) => void): void {
  let chat: ChatPage;
  beforeEach(async () => {
    chat = await ChatPage.open();
    take(chat);
  });
  afterEach(async () => {
    assert.deepEqual(chat.errors, []);
    await chat[Symbol.asyncDispose]();
  });
}

/**
 * Opens one page for a suite whose tests leave neither a clock nor a function in it, and loads it anew for each test,
 * which takes a third of the time.
 *
 * @param expected matches the errors that a test may leave
 */
export function shareChatPage(
  take: (chat: ChatPage) => void,
  options: OpenOptions = {},
  expected = /^$/,
): void {
  let chat: ChatPage;
  before(async () => {
    chat = await ChatPage.open(options);
    take(chat);
  });
  beforeEach(() => chat.reload());
  afterEach(() =>
    assert.deepEqual(
      chat.errors.filter((error) => !expected.test(error)),
      [],
    ),
  );
  after(() => chat[Symbol.asyncDispose]());
}

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

declare global {
  interface Window {
    posted: Posted[];
    /** How long the page's tasks took that took 50 ms and more. */
    longTasks: number[];
    /** The whole conversation, where the page's questions about it are answered. */
    record: readonly MessageView[] | undefined;
    kept: unknown;
    tellPost?: (type: string) => void;
    /** What `isSeen` asks of an element, for functions that ask it of many at once. */
    pointsInSight: (element: unknown) => unknown;
    acquireVsCodeApi: () => {
      postMessage(message: unknown): void;
      setState(state: unknown): void;
    };
  }
}

/** Runs in the page before its own script: what VS Code does for a page, and a host that answers pings. */
function beVSCode(theme: {
  bodyClass: string;
  variables: Readonly<Record<string, string>>;
  aheadMs: number;
}): void {
  window.posted = [];
  window.longTasks = [];
  new PerformanceObserver((list) =>
    window.longTasks.push(...list.getEntries().map(({ duration }) => duration)),
  ).observe({ type: 'longtask' });
  const hostNow = Date.now;
  if (theme.aheadMs !== 0) Date.now = () => hostNow() + theme.aheadMs;
  const answerHistory = (from: number, count: number): void => {
    const messages = window.record?.slice(from, from + count) ?? [];
    window.postMessage({ type: 'history', body: { from, messages } });
  };
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => {
      const { type, body } = message as Posted;
      window.posted.push(structuredClone(message) as Posted);
      window.tellPost?.(type);
      if (type === 'ping' && !('silent' in window)) {
        const pong = { ...body, now: hostNow() };
        window.postMessage({ type: 'pong', body: pong });
      }
      if (window.record === undefined) return;
      if (type === 'history') answerHistory(body.from, body.count);
      if (type === 'around') {
        const place = window.record.findIndex(({ id }) => id === body.message);
        answerHistory(Math.max(0, place - body.count / 2), place < 0 ? 0 : body.count);
      }
    },
    setState: (state) => {
      window.kept = state;
    },
  });
  document.addEventListener('DOMContentLoaded', () => {
    document.body.className = theme.bodyClass;
    for (const [name, value] of Object.entries(theme.variables))
      document.documentElement.style.setProperty(name, value);
  });
}
