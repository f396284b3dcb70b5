import assert from 'node:assert/strict';
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
import { beVSCode } from './editorOfPage.ts';
import { strings } from './fixtures/strings.ts';
import { snapshot, status } from './fixtures/views.ts';

export type ThemeName = keyof typeof themeData.themes;
export const themeNames = Object.keys(themeData.themes) as ThemeName[];

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
  /** The zoom factor of the editor. */
  readonly zoom?: number;
  readonly reducedMotion?: boolean;
  /** Milliseconds by which the page's clock is ahead of the host's. */
  readonly aheadMs?: number;
  /** Called with the type of each message, even if the page hangs afterwards. */
  readonly onPost?: (type: string) => void;
  readonly strings?: PageStrings;
}

/** The page of the chat panel in Chromium. The test is its host. */
export class ChatPage implements AsyncDisposable {
  readonly page: Page;
  /** Network requests other than for the page's own files. */
  readonly requests: string[] = [];
  /** Uncaught errors and violations of the content security policy. */
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

  /** Opens the page, which then waits for a snapshot. */
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
    else
      try {
        await route.fulfill({
          path: path.join(distFolder, 'webview', path.basename(url.pathname)),
        });
      } catch {
        this.requests.push(url.href);
        await route.fulfill({ status: 404 });
      }
  }

  async send<K extends keyof HostMessages>(type: K, body: HostMessages[K]): Promise<void> {
    await this.page.evaluate((message) => window.postMessage(message), { type, body });
    await this.settle();
  }

  async snapshot(view: Partial<SnapshotView> = {}): Promise<void> {
    const savedState = { account: 'account', intern: 'intern_ada', conversation: 'conversation' };
    const page = { strings: this.#strings, view: snapshot(view), savedState };
    await this.send('snapshot', { seq: ++this.#seq, now: Date.now(), ...page });
  }

  /** Shows the end of a conversation. The page can request the rest. */
  async showEnd(messages: readonly MessageView[], shown: number): Promise<void> {
    await this.page.evaluate((all) => {
      window.record = all;
    }, messages);
    const earlier = messages.length - shown;
    await this.snapshot({ messages: messages.slice(earlier), earlier });
  }

  async show(...messages: readonly MessageView[]): Promise<void> {
    await this.snapshot({ messages });
  }

  async change(...changes: readonly Change[]): Promise<void> {
    await this.send('changes', this.changesMessage(...changes).body);
  }

  async setStatus(different: Partial<StatusView> = {}): Promise<void> {
    await this.change({ kind: 'status', status: status(different) });
  }

  /** Appends to the first part of a reply. */
  async append(id: string, text: string): Promise<void> {
    await this.change({ kind: 'append', id, part: 0, text });
  }

  /** Returns a message with the next changes, to be posted without waiting. */
  changesMessage(...changes: readonly Change[]): {
    type: 'changes';
    body: HostMessages['changes'];
  } {
    this.#seq += changes.length;
    return { type: 'changes', body: { seq: this.#seq, changes } };
  }

  /** Waits for two frames. */
  async settle(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
        }),
    );
  }

  /**
   * Waits until everything is drawn: the page has not changed for longer than its longest pause. Countdowns don't count.
   * @param leastMs the shortest wait in milliseconds, by default longer than coloring waits
   * @param mostElements the number of elements after which the rest is not awaited
   */
  async rest(leastMs = 200, mostElements = Infinity): Promise<void> {
    await this.page.evaluate(
      ({ least, most }) =>
        new Promise<void>((resolve) => {
          const elements = document.getElementsByTagName('*');
          let changed = performance.now();
          let looked = changed;
          let pause = least;
          const words = (nodes: NodeList): string | undefined =>
            nodes[0] instanceof Text ? nodes[0].data.replaceAll(/\d/gu, '') : undefined;
          const isCountdown = ({ addedNodes, removedNodes }: MutationRecord): boolean =>
            words(addedNodes) !== undefined && words(addedNodes) === words(removedNodes);
          const observer = new MutationObserver((records) => {
            if (!records.every(isCountdown)) changed = performance.now();
          });
          observer.observe(document, { childList: true, characterData: true, subtree: true });
          const look = (): void => {
            const now = performance.now();
            // After a slow step, drawing pauses for three times as long, and for a second at most.
            pause = Math.max(pause, Math.min((now - looked) * 4, 1_500));
            looked = now;
            if (now - changed <= pause && elements.length < most) return void setTimeout(look, 5);
            observer.disconnect();
            resolve();
          };
          look();
        }),
      { least: leastMs, most: mostElements },
    );
  }

  /** Returns how far the end of the conversation is below the viewport, in CSS pixels. */
  async distanceToEnd(): Promise<number> {
    return await this.scroller.evaluate(
      (box) => box.scrollHeight - box.clientHeight - box.scrollTop,
    );
  }

  /** Returns the longest task since the last call, in milliseconds, or 0 if none took 50. */
  async longestTask(): Promise<number> {
    return await this.page.evaluate(() => {
      const longest = Math.max(0, ...window.longTasks);
      window.longTasks.length = 0;
      return longest;
    });
  }

  /** Returns the messages of one type that the page posted since it was opened or `forget` was called. */
  async all<K extends keyof PageMessages>(type: K): Promise<PageMessages[K][]> {
    const posted = await this.page.evaluate(() => window.posted);
    return posted
      .filter((message) => message.type === type)
      .map(({ body }) => body as PageMessages[K]);
  }

  /** Starts to record the texts of the live regions, without the space at their end. */
  async listen(): Promise<() => Promise<readonly string[]>> {
    const said = await this.page.evaluateHandle(() => {
      const heard: string[] = [];
      const observer = new MutationObserver((records) => {
        for (const { target, addedNodes } of records)
          if (target instanceof Element && target.matches('[role=status], [aria-live]'))
            for (const { textContent } of addedNodes) heard.push((textContent ?? '').trim());
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      return heard;
    });
    return () => said.jsonValue();
  }

  /** Waits for a message of this type and returns the body of the last one. */
  async posted<K extends keyof PageMessages>(type: K): Promise<PageMessages[K]> {
    return await until(`the page to post ${type}`, async () => (await this.all(type)).at(-1));
  }

  /** Waits for a request to complete `query`, and returns its number. */
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

  /** Returns the text in the composer. */
  value(): Promise<string> {
    return this.composer.inputValue();
  }

  /** Presses keys in the composer, one after the other. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.composer.press(key);
  }

  /** Waits until the page has posted this draft. */
  async drafted(text: string): Promise<void> {
    await until('the draft', async () => (await this.all('draft')).at(-1)?.text === text);
  }

  async assertSent(...texts: readonly string[]): Promise<void> {
    const expected = texts.map((text) => ({ text }));
    assert.deepEqual(await this.all('send'), expected);
  }

  composerHasFocus(): Promise<boolean> {
    return this.composer.evaluate((element) => element === document.activeElement);
  }

  /** Returns the ID of the focused message. */
  focusedId(): Promise<string | null | undefined> {
    return this.page.evaluate(() => document.activeElement?.getAttribute('data-id'));
  }

  get scroller(): Locator {
    return this.page.locator('.scroller');
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

/** Opens a page for each test of a suite, and fails if it has errors. */
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
 * Opens one page for a suite and reloads it for each test, which takes a third of the time. The tests must not install a
 * clock or a function.
 *
 * @param expected matches allowed errors
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

/** Returns the distance of an element from the top of the page, in CSS pixels; NaN if it is not shown. */
export async function topOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.y ?? NaN;
}
