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

/** The time limit of a click or key, in milliseconds. */
const actionMs = 30_000;

/** The time limit for opening a window, in milliseconds. */
const openMs = 60_000;

/** How long one try with the command palette may take, in milliseconds. */
const paletteMs = 1_500;

/** How long a click on a command may take, in milliseconds. */
const clickMs = 10_000;

/** The open windows, for the screenshots of a failed test. */
export const openWindows = new Set<VSCodeWindow>();

export interface TreeRow {
  readonly label: string;
  readonly description: string;
}

/** A VS Code window in a browser. Windows of one context share the browser's storage. */
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

  /** Opens the first window of a server. Closing it calls `onClose`. */
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

  /** Opens another window, by default on the same folder, with its own extension host and the same storage. */
  async secondWindow(folder?: string): Promise<VSCodeWindow> {
    const url = folder === undefined ? this.#url : this.server.address({ folder });
    return await VSCodeWindow.#in(this.context, this.server, url, () => Promise.resolve());
  }

  /** Runs `Developer: Reload Window`: the browser's own reload does not wait until VS Code has stored its tabs. */
  async reload(): Promise<void> {
    let isLoaded = false;
    const loaded = this.page
      .waitForEvent('load', { timeout: openMs })
      .then(() => (isLoaded = true));
    await Promise.all([loaded, this.runCommand('Developer: Reload Window', () => isLoaded)]);
    // A hover under the mouse would cover a dialog.
    await this.page.mouse.move(0, 0);
    await this.#waitForWorkbench();
  }

  /** Closes the window; the first one also closes its server. */
  async close(): Promise<void> {
    if (!openWindows.delete(this)) return;
    await this.page.close();
    await this.#onClose();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Runs a command from the palette by its whole title, such as `Interns: Show Log`. Waits for the command, which an
   * extension may register after the window has opened.
   * @param hasRun returns true once the command has run, if that can be seen
   */
  async runCommand(title: string, hasRun = () => false): Promise<void> {
    await until(`the command ${title}`, async () => {
      // The page may be gone before the click returns.
      if (hasRun()) return true;
      const row = await this.#findCommand(title);
      // The time limit is longer than the palette's: repeating a click that was taken would run the command twice.
      await row.click({ timeout: clickMs });
      // The palette loses a click and stays open if it redraws its rows during the click.
      const isTaken = async () => (await this.quickInput.value()) !== `>${title}`;
      return await until('the palette to take the click', isTaken, clickMs);
    });
  }

  /** Moves the focus into the list of a view. Keys before that go elsewhere. */
  async focusView(title: string): Promise<void> {
    await this.runCommand(`Interns: Focus on ${title} View`);
    await this.view(title).locator('.monaco-list:focus').waitFor();
  }

  /** Waits until a text editor has the focus. Keys before that go elsewhere. */
  async editorHasFocus(): Promise<void> {
    await this.page.locator('.editor-instance .monaco-editor.focused').waitFor();
  }

  /** Runs a command from the menu `More Actions` of the active editor, or of a view with the given title. */
  async runFromMenu(command: string, view?: string): Promise<void> {
    const { page } = this;
    const part =
      view === undefined
        ? page.locator('.editor-group-container.active .editor-actions')
        : this.view(view).locator('.pane-header');
    await part.hover();
    await part.locator('.codicon-toolbar-more').click();
    await this.chooseInMenu(command);
  }

  /** Clicks an item of the open menu. VS Code ignores clicks in the first tenth of a second, so it may take several. */
  async chooseInMenu(name: string): Promise<void> {
    const item = this.page.getByRole('menuitem', { name, exact: true });
    await item.waitFor();
    await until(`the menu to take the click on ${name}`, async () => {
      if ((await item.count()) > 0) await item.click({ timeout: clickMs });
      return await until('the menu to close', async () => (await item.count()) === 0, paletteMs);
    });
  }

  /**
   * Waits for the page inside a webview on screen: by the title of its panel, else any. VS Code may replace the
   * frame when the panel is moved or reloaded.
   */
  async webview(title?: string | RegExp): Promise<Frame> {
    return await until(`the webview ${String(title ?? '')}`, () => this.findWebview(title));
  }

  /** Like {@link webview}, without waiting. */
  async findWebview(title?: string | RegExp): Promise<Frame | undefined> {
    for (const frame of this.page.frames()) {
      if (await isShownWebview(frame, title)) return frame;
    }
    return undefined;
  }

  /** The texts of the notifications on screen, newest first. */
  async notifications(): Promise<readonly string[]> {
    const messages = '.notification-toast .notification-list-item-message';
    return await this.page.locator(messages).allInnerTexts();
  }

  /** Waits for a notification that contains `text`. */
  async notification(text: string): Promise<Locator> {
    // A hover over the status bar would cover notifications.
    await this.page.mouse.move(0, 0);
    const toast = this.page.locator('.notification-toast').filter({ hasText: text }).first();
    return await seen(toast);
  }

  /** Waits for a modal dialog. */
  async modal(): Promise<Locator> {
    const dialog = this.page.locator('.monaco-dialog-box');
    return await seen(dialog);
  }

  /** The texts of the status bar, from left to right, without icons. */
  async statusBar(): Promise<readonly string[]> {
    const texts = await this.page
      .locator('.part.statusbar .statusbar-item:visible')
      .allInnerTexts();
    return texts.map((text) => text.trim()).filter((text) => text !== '');
  }

  /** Waits for `text` in the status bar. */
  async statusShows(text: string): Promise<void> {
    await until(`${text} in the status bar`, async () =>
      (await this.statusBar()).some((item) => item.includes(text)),
    );
  }

  /** Waits for a row of a tree view by its label and the start of its description. */
  async treeShows(view: string, label: string, description = ''): Promise<void> {
    await until(`${label} ${description} in ${view}`, async () =>
      (await this.treeRows(view)).some(
        (row) => row.label === label && row.description.startsWith(description),
      ),
    );
  }

  /** Waits for a tab whose title contains `text`. */
  async tabShows(text: string): Promise<void> {
    await until(`a tab with ${text}`, async () =>
      (await this.tabs()).some((title) => title.includes(text)),
    );
  }

  /** The titles of the editor tabs in all groups. */
  async tabs(): Promise<readonly string[]> {
    return await this.page.locator('.tabs-container .tab .label-name').allInnerTexts();
  }

  /** Finds an editor tab by a part of its title. */
  tab(title: string | RegExp): Locator {
    return this.page.locator('.tabs-container .tab', { hasText: title }).first();
  }

  /** Waits until a tab is the active one of its group. */
  async tabIsActive(title: string | RegExp): Promise<void> {
    await this.page.locator('.tabs-container .tab.active', { hasText: title }).waitFor();
  }

  /** Closes the active editor tab with one click: the palette could take longer than a run. */
  async closeTab(): Promise<void> {
    await this.page.locator('.tabs-container .tab.active').click({ button: 'middle' });
  }

  /** Shows a view container of the activity bar, by its title. */
  async showViews(container: string): Promise<void> {
    const tab = this.page.locator('.activitybar').getByRole('tab', { name: container }).first();
    await until(`the views of ${container}`, async () => {
      if ((await tab.getAttribute('aria-selected')) === 'true') return true;
      await tab.click();
      // A hover over the tab would cover the view.
      await this.page.mouse.move(0, 0);
      return false;
    });
  }

  /** A view of the side bar, by its title. */
  view(title: string): Locator {
    const header = this.page.locator('.pane-header').filter({ hasText: title });
    return this.page.locator('.sidebar .pane').filter({ has: header }).first();
  }

  /** The visible rows of a tree view, from the top. */
  async treeRows(view: string): Promise<readonly TreeRow[]> {
    return await this.view(view)
      .locator('.monaco-list-row')
      .evaluateAll((rows: PageElement[]) =>
        rows.map((row) => ({
          label: row.querySelector('.label-name')?.textContent ?? '',
          description: row.querySelector('.label-description')?.textContent ?? '',
        })),
      );
  }

  /** Writes a screenshot to dist/screens/NAME.png. */
  async screenshot(name: string): Promise<string> {
    const file = path.join(screensFolder, `${name}.png`);
    await mkdir(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file, animations: 'disabled' });
    return file;
  }

  /** Finds a command in the palette. Throws if it is not there yet. */
  async #findCommand(title: string): Promise<Locator> {
    const row = this.page
      .locator(`.quick-input-widget:visible .monaco-list-row[aria-label^="${cssString(title)}"]`)
      .first();
    await this.#openPalette();
    await this.quickInput.type(`>${title}`, paletteMs);
    await row.waitFor({ timeout: paletteMs });
    return row;
  }

  /** Opens the palette, or resets an open one: it does not show commands that are registered later. */
  async #openPalette(): Promise<void> {
    if ((await this.quickInput.value()).startsWith('>')) await this.quickInput.type('>', paletteMs);
    else await this.page.keyboard.press('F1');
    await until('the palette', async () => (await this.quickInput.value()) === '>', paletteMs);
  }

  async #waitForWorkbench(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: openMs });
  }
}

/** Our webviews are frames inside a frame of VS Code whose address names the extension. */
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
