import type { Frame, Locator } from 'playwright-core';
import type { PageElement } from './pageElement.ts';
import { isSeen, seen } from './seen.ts';
import { until } from './until.ts';
import type { VSCodeWindow } from './window.ts';

type Condition = (chat: Chat) => Promise<boolean>;

const always: Condition = () => Promise.resolve(true);

/** Drives a chat by its accessible names. Create a new one after a reload or a move: its page is new. */
export class Chat {
  readonly window: VSCodeWindow;
  readonly frame: Frame;

  private constructor(window: VSCodeWindow, frame: Frame) {
    this.window = window;
    this.frame = frame;
  }

  /** Starts a conversation with the only intern of the list. */
  static async start(window: VSCodeWindow): Promise<Chat> {
    // The number of tabs does not tell a new chat: earlier ones may still be closing.
    const before = new Set(window.page.frames());
    await window.runCommand('Interns: New Conversation…');
    return await Chat.shown(
      window,
      async ({ frame, articles, composer }) =>
        !before.has(frame) && (await articles.count()) === 0 && (await isSeen(composer)),
    );
  }

  /** Waits for a chat on screen that meets a condition; `title` tells tabs apart. */
  static async shown(window: VSCodeWindow, holds = always, title?: string | RegExp): Promise<Chat> {
    return await until(`the chat ${String(title ?? '')}`, () => Chat.#find(window, holds, title));
  }

  /** Shows the side bar and waits for a chat in it that meets a condition. */
  static async inSideBar(window: VSCodeWindow, holds = always): Promise<Chat> {
    return await until('the chat in the side bar', async () => {
      // This is repeated, since a starting window may show its first view last.
      await window.showViews('Intern Chat');
      return await Chat.#find(window, holds);
    });
  }

  static async #find(window: VSCodeWindow, holds: Condition, title?: string | RegExp) {
    const frame = await window.findWebview(title);
    const chat = frame && new Chat(window, frame);
    return chat && (await holds(chat)) && chat;
  }

  /** Shows the side bar, which has no conversation, and waits for its link that starts one. */
  static async startLink(window: VSCodeWindow): Promise<Locator> {
    const linkOf = ({ frame }: Chat) => frame.getByRole('link', { name: 'New Conversation' });
    // The page is another one until the extension knows that the user is signed in.
    return linkOf(await Chat.inSideBar(window, (chat) => isSeen(linkOf(chat))));
  }

  /** Returns whether the composer holds exactly this text. */
  async hasDraft(text: string): Promise<boolean> {
    return (await isSeen(this.composer)) && (await this.composer.inputValue()) === text;
  }

  get composer(): Locator {
    return this.frame.getByRole('textbox', { name: /^Message/ });
  }

  get articles(): Locator {
    return this.frame.getByRole('article');
  }

  /** The last message of the intern. */
  get lastReply(): Locator {
    return this.articles.filter({ hasNot: this.frame.locator('.prompt-text') }).last();
  }

  get stop(): Locator {
    return this.button('Stop');
  }

  /** The queued prompts. */
  get queued(): Locator {
    return this.frame.getByRole('region', { name: 'Queued' }).getByRole('listitem');
  }

  /** The banners above the composer. */
  banner(text: string | RegExp): Locator {
    return this.frame.locator('.banner').filter({ hasText: text });
  }

  /** The notices between messages. */
  notice(text: string | RegExp): Locator {
    return this.frame.locator('.notice').filter({ hasText: text });
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  text(text: string | RegExp): Locator {
    return this.frame.getByText(text);
  }

  /** Types a prompt and presses Enter. */
  async send(prompt: string): Promise<void> {
    await this.composer.fill(prompt);
    await this.composer.press('Enter');
  }

  /** Waits until a reply streams. */
  async streaming(): Promise<void> {
    await seen(this.stop);
    await this.frame.locator('[data-state=working] p').first().waitFor();
  }

  /** Waits until no run is active. */
  async idle(): Promise<void> {
    await this.stop.waitFor({ state: 'hidden' });
  }

  /** Sends a prompt and waits for the end of its run. */
  async ask(prompt: string): Promise<void> {
    await this.composer.fill(prompt);
    // The number of messages does not tell a new reply: a new page draws earlier ones later.
    const before = await this.#lastReplyId();
    await this.composer.press('Enter');
    await until(`the reply to ${prompt}`, async () => (await this.#lastReplyId()) !== before);
    await this.idle();
  }

  async #lastReplyId(): Promise<string | null | undefined> {
    return await this.lastReply.evaluateAll((found: PageElement[]) =>
      found[0]?.getAttribute('data-id'),
    );
  }
}

/** Stores a secret by its dialog; `hosts` as they are typed. */
export async function storeSecret(window: VSCodeWindow, name: string, hosts: string) {
  const { quickInput } = window;
  await window.runCommand('Interns: Set Vault Secret…');
  await quickInput.fill('(1/4)', name);
  await quickInput.fill('(2/4)', hosts);
  await quickInput.choose('(3/4)', 'Type the value');
  await quickInput.fillMasked('placeholder-value');
  await quickInput.waitForClosed();
}
