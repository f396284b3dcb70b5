import type { Locator, Page } from 'playwright-core';
import type { PageElement } from './pageElement.ts';
import { isSeen } from './seen.ts';
import { until } from './until.ts';

/** How long an accepted row may leave the dialog as it is before it is clicked again, in milliseconds. */
const acceptMs = 700;

/** A row of a quick pick, as its user reads it. */
export interface QuickPickRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Whether Enter would take this row. */
  readonly active: boolean;
}

/**
 * VS Code's quick input: input boxes, quick picks and the command palette, one widget for all of them. After an
 * answer the next dialog appears in the same widget, so say which one is expected with `waitFor`.
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

  /** Waits for the dialog whose title contains a text or matches a pattern, and gives its whole title. */
  async waitFor(title: string | RegExp): Promise<string> {
    let looks = 0;
    return await until(`a dialog titled ${String(title)}`, async () => {
      // A mouse that rests where the dialog opens gets a hover, which hides the dialog's edge; it may come after the mouse
      // has left, and goes when that moves again.
      await this.#page.mouse.move(0, looks++ % 2);
      const isShown = await isSeen(this.#widget.locator('.quick-input-title'));
      const shown = isShown ? await this.title() : '';
      return (typeof title === 'string' ? shown.includes(title) : title.test(shown)) && shown;
    });
  }

  /** Waits until no dialog is open. */
  async waitForClosed(): Promise<void> {
    await this.#widget.waitFor({ state: 'hidden' });
  }

  async isOpen(): Promise<boolean> {
    return await this.#widget.isVisible();
  }

  /** Its title with the step, as in `Set Vault Secret (1/4)`; empty where it has none. */
  async title(): Promise<string> {
    return (await this.#textOf('.quick-input-title')).trim();
  }

  async placeholder(): Promise<string> {
    return await this.#attribute('placeholder');
  }

  /** The prompt, or the validation message while there is one. */
  async message(): Promise<string> {
    return (await this.#textOf('.quick-input-message')).trim();
  }

  /** Waits until the message contains a text or matches a pattern, and gives the whole message. */
  async waitForMessage(text: string | RegExp): Promise<string> {
    return await until(`the message ${String(text)}`, async () => {
      const shown = await this.message();
      return (typeof text === 'string' ? shown.includes(text) : text.test(shown)) && shown;
    });
  }

  /** Whether what is typed is masked. */
  async isPassword(): Promise<boolean> {
    return (await this.#attribute('type')) === 'password';
  }

  /** What has been typed or was filled in. */
  async value(): Promise<string> {
    return await this.#input.evaluateAll((found: PageElement[]) => found[0]?.value ?? '');
  }

  /** The rows that are on screen, from the top. */
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

  /** Takes the row with this label, again where the dialog ignored it (one that consents ignores the first clicks). */
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

  /** Ticks or unticks the row with this label, in a quick pick of several. */
  async toggle(label: string): Promise<void> {
    await this.#row(label).click();
  }

  /**
   * Replaces what has been typed.
   * @param timeoutMs how long to wait for the input, where a dialog that may have gone is tried again by the caller.
   */
  async type(text: string, timeoutMs?: number): Promise<void> {
    await this.#input.fill(text, timeoutMs === undefined ? {} : { timeout: timeoutMs });
  }

  /** Enter; `timeoutMs` as for {@link type}. */
  async accept(timeoutMs?: number): Promise<void> {
    await this.#input.press('Enter', timeoutMs === undefined ? {} : { timeout: timeoutMs });
  }

  /** Replaces what has been typed, and presses Enter. */
  async enter(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  /** Waits for a dialog by its title, or for a step such as `(2/4)`, and enters a text. */
  async fill(title: string | RegExp, text: string): Promise<void> {
    await this.waitFor(title);
    await this.enter(text);
  }

  /** Waits for the box that masks what is typed, and enters a text. */
  async fillMasked(text: string): Promise<void> {
    await until('a masked box', () => this.isPassword());
    await this.enter(text);
  }

  /** Waits for a dialog by its title, or for a step such as `(3/4)`, and takes a row. */
  async choose(title: string | RegExp, row: string): Promise<void> {
    await this.waitFor(title);
    await this.pick(row);
  }

  async escape(): Promise<void> {
    await this.#page.keyboard.press('Escape');
  }

  /** Presses a button of its title bar or of its input, such as `Back`, by its name; by key, since a hover may lie over it. */
  async button(name: string): Promise<void> {
    await this.#widget.getByRole('button', { name }).first().press('Enter');
  }

  /** A row's label is the start of its accessible name, whose rest is its description, detail and buttons. */
  #row(label: string): Locator {
    const name = this.#page.locator('.label-name').getByText(label, { exact: true });
    return this.#widget.locator('.monaco-list-row').filter({ has: name }).first();
  }

  /** What tells one dialog from the next; digits aside, since a title may count down. */
  async #identity(): Promise<string> {
    const labels = (await this.rows()).map((row) => row.label);
    const parts = [await this.title(), await this.placeholder(), ...labels];
    return parts.join('\n').replaceAll(/\d+/g, '');
  }

  /** An attribute of the input, now; empty where there is no input. */
  async #attribute(name: string): Promise<string> {
    return await this.#input.evaluateAll(
      (found: PageElement[], attribute) => found[0]?.getAttribute(attribute) ?? '',
      name,
    );
  }

  /** The text of a part of the widget, now; empty where there is none. */
  async #textOf(selector: string): Promise<string> {
    const parts = this.#widget.locator(selector);
    return await parts.evaluateAll((found: PageElement[]) => found[0]?.textContent ?? '');
  }
}
