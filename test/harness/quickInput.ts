import type { Locator, Page } from 'playwright-core';
import type { PageElement } from './pageElement.ts';
import { isSeen } from './seen.ts';
import { until } from './until.ts';

/** How long a dialog may take to react to a click, in milliseconds, before it is clicked again. */
const acceptMs = 700;

export interface QuickPickRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** True if Enter would select this row. */
  readonly active: boolean;
}

/**
 * VS Code's quick input: input boxes, quick picks and the command palette, all in one widget. The next dialog
 * replaces the last one in it, so name the expected one with `waitFor`.
 */
export class QuickInput {
  readonly #page: Page;
  readonly #widget: Locator;
  readonly #input: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator('.quick-input-widget:visible');
    this.#input = this.#widget.locator('.quick-input-box input');
  }

  /** Waits for a dialog by its title, and returns the whole title. */
  async waitFor(title: string | RegExp): Promise<string> {
    let looks = 0;
    return await until(`a dialog titled ${String(title)}`, async () => {
      // A hover under the mouse would hide the edge of the dialog. It may open late, and closes when the mouse
      // moves.
      await this.#page.mouse.move(0, looks++ % 2);
      const isShown = await isSeen(this.#widget.locator('.quick-input-title'));
      const shown = isShown ? await this.title() : '';
      return (typeof title === 'string' ? shown.includes(title) : title.test(shown)) && shown;
    });
  }

  async waitForClosed(): Promise<void> {
    await this.#widget.waitFor({ state: 'hidden' });
  }

  async isOpen(): Promise<boolean> {
    return await this.#widget.isVisible();
  }

  async hasFocus(): Promise<boolean> {
    return (await this.#widget.locator(':focus').count()) > 0;
  }

  /** The title with its step, such as `Set Vault Secret (1/4)`; empty if there is none. */
  async title(): Promise<string> {
    return (await this.#textOf('.quick-input-title')).trim();
  }

  async placeholder(): Promise<string> {
    return await this.#attribute('placeholder');
  }

  /** The prompt, or the validation message if there is one. */
  async message(): Promise<string> {
    return (await this.#textOf('.quick-input-message')).trim();
  }

  /** Waits for a message, and returns the whole message. */
  async waitForMessage(text: string | RegExp): Promise<string> {
    return await until(`the message ${String(text)}`, async () => {
      const shown = await this.message();
      return (typeof text === 'string' ? shown.includes(text) : text.test(shown)) && shown;
    });
  }

  /** Returns whether the input is masked. */
  async isPassword(): Promise<boolean> {
    return (await this.#attribute('type')) === 'password';
  }

  async value(): Promise<string> {
    return await this.#input.evaluateAll((found: PageElement[]) => found[0]?.value ?? '');
  }

  async rows(): Promise<readonly QuickPickRow[]> {
    return await this.#widget.locator('.monaco-list-row').evaluateAll((rows: PageElement[]) => {
      const read = (row: PageElement, selector: string) =>
        row.querySelector(selector)?.textContent ?? '';
      const place = (row: PageElement) => Number(row.getAttribute('data-index'));
      return rows
        .sort((a, b) => place(a) - place(b))
        .map((row) => ({
          label: read(row, '.quick-input-list-row .label-name'),
          description: read(row, '.quick-input-list-row .label-description'),
          detail: read(row, '.quick-input-list-label-meta'),
          active: row.classList.contains('focused'),
        }));
    });
  }

  /** Selects the row with this label, and again if the dialog ignored it: one that consents ignores early clicks. */
  async pick(label: string): Promise<void> {
    const row = this.#row(label);
    await row.waitFor();
    const before = await this.#identity();
    const isSettled = async () => !(await this.isOpen()) || (await this.#identity()) !== before;
    await until(`the dialog to take ${label}`, async () => {
      if (await isSettled()) return true;
      await row.click({ timeout: acceptMs });
      return await until('the next dialog', isSettled, acceptMs);
    });
  }

  /** Checks or unchecks a row in a quick pick of several. */
  async toggle(label: string): Promise<void> {
    await this.#row(label).click();
  }

  /**
   * Replaces the input's text.
   * @param timeoutMs how long to wait for the input
   */
  async type(text: string, timeoutMs?: number): Promise<void> {
    await this.#input.fill(text, timeoutMs === undefined ? {} : { timeout: timeoutMs });
  }

  /** Presses Enter; `timeoutMs` as for {@link type}. */
  async accept(timeoutMs?: number): Promise<void> {
    await this.#input.press('Enter', timeoutMs === undefined ? {} : { timeout: timeoutMs });
  }

  async enter(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  /** Waits for a dialog by its title or step, such as `(2/4)`, and enters a text. */
  async fill(title: string | RegExp, text: string): Promise<void> {
    await this.waitFor(title);
    await this.enter(text);
  }

  /** Waits for a masked input, and enters a text. */
  async fillMasked(text: string): Promise<void> {
    await until('a masked box', () => this.isPassword());
    await this.enter(text);
  }

  /** Waits for a dialog by its title or step, such as `(3/4)`, and selects a row. */
  async choose(title: string | RegExp, row: string): Promise<void> {
    await this.waitFor(title);
    await this.pick(row);
  }

  async escape(): Promise<void> {
    await this.#page.keyboard.press('Escape');
  }

  /** Closes the dialog, if one is open, by Escape. A chat page may still have the focus. */
  async close(): Promise<void> {
    await this.#input.evaluateAll((found: PageElement[]) => found[0]?.focus());
    await this.escape();
    await this.waitForClosed();
  }

  /** Finds a row by its label alone: its accessible name also has the description, the detail and the buttons. */
  #row(label: string): Locator {
    const name = this.#page.locator('.label-name').getByText(label, { exact: true });
    return this.#widget.locator('.monaco-list-row').filter({ has: name }).first();
  }

  /** Distinguishes dialogs. Digits are left out, since a title may count down. */
  async #identity(): Promise<string> {
    const labels = (await this.rows()).map((row) => row.label);
    const parts = [await this.title(), await this.placeholder(), ...labels];
    return parts.join('\n').replaceAll(/\d+/g, '');
  }

  async #attribute(name: string): Promise<string> {
    return await this.#input.evaluateAll(
      (found: PageElement[], attribute) => found[0]?.getAttribute(attribute) ?? '',
      name,
    );
  }

  async #textOf(selector: string): Promise<string> {
    const parts = this.#widget.locator(selector);
    return await parts.evaluateAll((found: PageElement[]) => found[0]?.textContent ?? '');
  }
}
