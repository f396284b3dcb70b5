import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Frame, Locator, Page } from 'playwright-core';
import { sharedBrowser } from './browser.ts';
import type { VSCodeServer } from './codeServer.ts';
import type { PageElement } from './pageElement.ts';
import { screensFolder } from './paths.ts';
import { QuickInput } from './quickInput.ts';
import { seen } from './seen.ts';
import { until } from './until.ts';

/** How long one click or key may take at most, in milliseconds. */
const actionMs = 30_000;

/** How long a window may take to open, in milliseconds. */
const openMs = 60_000;

/** How long one look at the command palette takes at most, in milliseconds, before it begins anew. */
const paletteMs = 1_500;

/** How long the click on a command may take at most, in milliseconds, before the palette is opened anew. */
const clickMs = 10_000;

const reloadCommand = 'Developer: Reload Window';

/** Windows that are open now, for the screenshots of a test that fails. */
export const openWindows = new Set<VSCodeWindow>();

/** A notification, as its user reads it. */
export interface Notification {
  readonly message: string;
  readonly buttons: readonly string[];
}

/** A row of a tree view. */
export interface TreeRow {
  readonly label: string;
  readonly description: string;
  /** 1 at the root. */
  readonly level: number;
}

/** One window of VS Code in a browser, driven as its user would. Windows of one context share the browser's storage. */
export class VSCodeWindow implements AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly server: VSCodeServer;
  readonly quickInput: QuickInput;
  readonly #url: string;
  readonly #onClose: () => Promise<void>;

  private constructor(page: Page, server: VSCodeServer, url: string, onClose: () => Promise<void>) {
    this.page = page;
    this.context = page.context();
    this.server = server;
    this.quickInput = new QuickInput(page);
    this.#url = url;
    this.#onClose = onClose;
  }

  /** Opens the first window of a server, on a folder; closing it also ends what `onClose` ends. */
  static async open(server: VSCodeServer, folder: string, onClose: () => Promise<void>) {
    const browser = await sharedBrowser();
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const url = server.address({ folder });
    return await VSCodeWindow.#in(context, server, url, async () => {
      await context.close();
      await onClose();
    });
  }

  static async #in(
    context: BrowserContext,
    server: VSCodeServer,
    url: string,
    onClose: () => Promise<void>,
  ) {
    const window = new VSCodeWindow(await context.newPage(), server, url, onClose);
    openWindows.add(window);
    window.page.setDefaultTimeout(actionMs);
    await window.page.goto(url, { timeout: openMs });
    await window.#waitForWorkbench();
    return window;
  }

  /** Opens another window on the same folder, with an extension host of its own and the same storage. */
  async secondWindow(): Promise<VSCodeWindow> {
    return await VSCodeWindow.#in(this.context, this.server, this.#url, () => Promise.resolve());
  }

  /** Runs `Developer: Reload Window`: the browser's own reload does not wait until VS Code has stored its tabs. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: openMs });
    const row = await until('the command to reload', () => this.#findCommand(reloadCommand));
    // The page that was clicked is gone before the click returns: what tells of it is the new one.
    await Promise.all([loaded, row.click({ noWaitAfter: true }).catch(() => undefined)]);
    // Away from where dialogs open: what lies under the mouse gets a hover, which hides what is under it.
    await this.page.mouse.move(0, 0);
    await this.#waitForWorkbench();
  }

  /** Closes the window, and with the first one its server and profile. */
  async close(): Promise<void> {
    if (!openWindows.delete(this)) return;
    await this.page.close();
    await this.#onClose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Runs a command from the palette by its whole title, such as `Interns: Show Log`; tries again until it is there,
   * since an extension's commands come a little later than the window.
   */
  async runCommand(title: string): Promise<void> {
    await until(`the command ${title}`, async () => {
      const row = await this.#findCommand(title);
      // With time of its own: a click that is taken but slow to return, tried again, would run the command twice.
      await row.click({ timeout: clickMs });
      // The palette loses a click if it redraws its rows in the middle of it, and then stays open.
      const isTaken = async () => (await this.quickInput.value()) !== `>${title}`;
      return await until('the palette to take the click', isTaken, clickMs);
    });
  }

  /**
   * The page inside a webview that is on screen: by the title of its panel, else the only one there is. It is the
   * frame that holds the extension's own document; VS Code may replace it when the panel is moved or reloaded.
   */
  async webview(title?: string | RegExp): Promise<Frame> {
    return await until(`the webview ${String(title ?? '')}`, () => this.findWebview(title));
  }

  /** The same, now; undefined if there is none on screen. */
  async findWebview(title?: string | RegExp): Promise<Frame | undefined> {
    for (const frame of this.page.frames()) {
      if (await isShownWebview(frame, title)) return frame;
    }
    return undefined;
  }

  /** The notifications on screen, newest first. */
  async notifications(): Promise<readonly Notification[]> {
    return await this.page.locator('.notification-toast').evaluateAll((toasts: PageElement[]) =>
      toasts.map((toast) => ({
        message: toast.querySelector('.notification-list-item-message')?.textContent ?? '',
        buttons: [
          ...toast.querySelectorAll('.notification-list-item-buttons-container .monaco-button'),
        ].map((button) => button.textContent ?? ''),
      })),
    );
  }

  /** Waits for a notification whose text contains `text`; find its links and buttons in it. */
  async notification(text: string): Promise<Locator> {
    // A mouse that rests on an item of the status bar gets a hover, which covers notifications.
    await this.page.mouse.move(0, 0);
    const toast = this.page.locator('.notification-toast').filter({ hasText: text }).first();
    return await seen(toast);
  }

  /** The modal dialog that is open; find its text and buttons in it. */
  async modal(): Promise<Locator> {
    const dialog = this.page.locator('.monaco-dialog-box');
    return await seen(dialog);
  }

  /** The texts of the status bar's items, from left to right; icons aside. */
  async statusBar(): Promise<readonly string[]> {
    const texts = await this.page
      .locator('.part.statusbar .statusbar-item:visible')
      .allInnerTexts();
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }

  /** Waits until an item of the status bar shows a text. */
  async statusShows(text: string): Promise<void> {
    await until(`${text} in the status bar`, async () =>
      (await this.statusBar()).some((item) => item.includes(text)),
    );
  }

  /** The titles of the editor tabs, in all groups. */
  async tabs(): Promise<readonly string[]> {
    return await this.page.locator('.tabs-container .tab .label-name').allInnerTexts();
  }

  /** Closes the active editor tab with one click: a run may end while the palette is used. */
  async closeTab(): Promise<void> {
    await this.page.locator('.tabs-container .tab.active').click({ button: 'middle' });
  }

  /** Shows a view container of the activity bar, by its title. */
  async showViews(container: string): Promise<void> {
    const tab = this.page.locator('.activitybar').getByRole('tab', { name: container }).first();
    await until(`the views of ${container}`, async () => {
      if ((await tab.getAttribute('aria-selected')) === 'true') return true;
      await tab.click();
      // A mouse that rests on the tab gets a hover, which covers the view.
      await this.page.mouse.move(0, 0);
      return false;
    });
  }

  /** A view of the side bar that is on screen, by its title. */
  view(title: string): Locator {
    const header = this.page.locator('.pane-header').filter({ hasText: title });
    return this.page.locator('.sidebar .pane').filter({ has: header }).first();
  }

  /** The rows of a tree view that are on screen, from the top. */
  async treeRows(view: string): Promise<readonly TreeRow[]> {
    return await this.view(view)
      .locator('.monaco-list-row')
      .evaluateAll((rows: PageElement[]) =>
        rows.map((row) => ({
          label: row.querySelector('.label-name')?.textContent ?? '',
          description: row.querySelector('.label-description')?.textContent ?? '',
          level: Number(row.getAttribute('aria-level')),
        })),
      );
  }

  /** Writes the window as it is to dist/screens/NAME.png. */
  async screenshot(name: string): Promise<string> {
    const file = path.join(screensFolder, `${name}.png`);
    await mkdir(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file, animations: 'disabled' });
    return file;
  }

  /** The row of a command in the palette. Throws where it is not there yet. */
  async #findCommand(title: string): Promise<Locator> {
    const row = this.page
      .locator(`.quick-input-widget:visible .monaco-list-row[aria-label^="${cssString(title)}"]`)
      .first();
    await this.#openPalette();
    await this.quickInput.type(`>${title}`, paletteMs);
    await row.waitFor({ timeout: paletteMs });
    return row;
  }

  /** Opens the palette, or begins anew in the one that is open: it does not follow what is registered meanwhile. */
  async #openPalette(): Promise<void> {
    if ((await this.quickInput.value()).startsWith('>')) await this.quickInput.type('>', paletteMs);
    else await this.page.keyboard.press('F1');
    await until('the palette', async () => (await this.quickInput.value()) === '>', paletteMs);
  }

  async #waitForWorkbench(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: openMs });
  }
}

/** Our own webviews are the frames inside VS Code's frame for them, whose address names the extension. */
async function isShownWebview(frame: Frame, title?: string | RegExp): Promise<boolean> {
  const outer = frame.parentFrame();
  if (!outer?.url().includes('extensionId=intern-service.interns')) return false;
  const element = await frame.frameElement();
  if ((await element.getAttribute('id')) !== 'active-frame') return false;
  if (!(await (await outer.frameElement()).isVisible())) return false;
  const shown = (await element.getAttribute('title')) ?? '';
  return typeof title === 'string' ? shown.includes(title) : (title?.test(shown) ?? true);
}

function cssString(text: string): string {
  return text.replaceAll(/["\\]/g, '\\$&');
}
