import assert from 'node:assert/strict';
import { closeSharedBrowser, shareReadableBrowser } from '../harness/browser.ts';
import { Chat } from '../harness/chat.ts';
import type { QuickInput } from '../harness/quickInput.ts';
import { ScreenReader } from '../harness/screenReader.ts';
import { until } from '../harness/until.ts';
import { openServed, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Brain } from '../service/core/script.ts';
import { scriptedBrain } from '../service/scripts/prompts.ts';
import type { Service } from '../service/service.ts';

/** How long a dialog may take to react to a key, in milliseconds, before the key is pressed again. */
const reactMs = 700;

/** Asks a question with a required choice, or does what other prompts mean. */
const brain: Brain = (turn) => (turn.prompt === 'choose' ? asksForChecks() : scriptedBrain(turn));

function* asksForChecks(): ReturnType<Brain> {
  const field = { name: 'checks', type: 'array', required: true, options: ['lint', 'unit'] };
  const message = 'Which checks shall I run?';
  yield { do: 'ask', interactions: [{ kind: 'elicitation', message, fields: [field] }] };
  yield { do: 'say', text: 'The checks are running.' };
  return undefined;
}

/** The main job by keyboard alone, and what Orca speaks of it, in this order. */
describe('the main job under a screen reader', () => {
  const closing = useClosing();
  let reader: ScreenReader;
  let window: VSCodeWindow;
  let service: Service;
  let quickInput: QuickInput;
  let chat: Chat;

  before(async () => {
    reader = closing.use(await ScreenReader.start());
    await shareReadableBrowser(reader.env);
    closing.defer(closeSharedBrowser);
    const settings = { 'editor.accessibilitySupport': 'on' };
    const opened = closing.use(
      await openServed({ service: { brain, provisioningMs: 300 }, settings }),
    );
    ({ window, service } = opened);
    ({ quickInput } = window);
    // A browser that starts has the focus in its address bar.
    await window.page.mouse.click(640, 400);
    await reader.hears('Editor Group 1');
    // Else Orca takes letters as commands of its browse mode whenever the focus has moved.
    await reader.press('Insert+a', 'Insert+a');
    await reader.hears('Focus mode is sticky.');
  });

  /** Runs a command by the palette, which must know it already. */
  async function command(title: string): Promise<void> {
    await until(`the command ${title}`, async () => {
      if (await quickInput.isOpen()) await reader.press('Escape');
      await quickInput.waitForClosed();
      await reader.press('F1');
      await until('the palette', async () => (await quickInput.value()) === '>');
      await reader.type(title);
      const isFirst = async () => (await quickInput.rows())[0]?.label.startsWith(title);
      return await until(title, isFirst, 3_000);
    });
    await reader.press('Return');
  }

  /** The composer gets the focus back from a dialog. */
  async function composerHasFocus(): Promise<void> {
    const focused = chat.composer.and(chat.frame.locator(':focus'));
    await until('the focus in the composer', () => focused.isVisible());
  }

  async function write(prompt: string): Promise<void> {
    await composerHasFocus();
    await reader.type(prompt);
    await until(`the draft ${prompt}`, () => chat.hasDraft(prompt));
  }

  async function send(prompt: string): Promise<void> {
    await write(prompt);
    await reader.press('Return');
  }

  /** Fills the box of a dialog, which is found by its title or step. */
  async function fill(title: string, text: string): Promise<void> {
    await quickInput.waitFor(title);
    await until(`an empty box for ${title}`, async () => (await quickInput.value()) === '');
    await reader.type(text);
    await until(`the text for ${title}`, async () => (await quickInput.value()) === text);
    await reader.press('Return');
  }

  /**
   * Moves down to a row of the dialog and selects it. A dialog for consent makes no row active in its first half second, so
   * the key is pressed until it reacts. Listens to each row: Orca leaves out those that are passed quickly.
   */
  async function choose(row: string): Promise<void> {
    const title = await quickInput.title();
    const activeRow = async () => (await quickInput.rows()).find(({ active }) => active)?.label;
    const isSaid = async (label: string) =>
      (await reader.spoken()).some((text) => text.includes(label));
    let hasMoved = false;
    await until(`${row} to be active`, async () => {
      const before = await activeRow();
      const isThere = before?.startsWith(row) === true;
      if (before !== undefined && (isThere || hasMoved))
        await until(`${before} to be said`, () => isSaid(before));
      if (isThere) return (await activeRow()) === before;
      await reader.press('Down');
      const hasReacted = async () => (await activeRow()) !== before;
      hasMoved = await until('a reaction', hasReacted, reactMs).catch(() => false);
      return false;
    });
    // Only once: a slow dialog may close before another key, which would go to the chat.
    await reader.press('Return');
    const isLeft = async () => !(await quickInput.isOpen()) || (await quickInput.title()) !== title;
    await until(`${row} to be selected`, isLeft);
  }

  it('the user signs in', async () => {
    await command('Interns: Sign I');
    await fill('Sign In (1/2)', service.url);
    await fill('Sign In (2/2)', 'test-key-owner');
    await quickInput.waitForClosed();
    await window.statusShows('Orchard');
  });

  it('the user creates an intern', async () => {
    await command('Interns: Create I');
    await fill('(1/4)', 'grace');
    for (const step of ['(2/4)', '(3/4)', '(4/4)']) {
      await quickInput.waitFor(step);
      await reader.press('Return');
    }
    await reader.hears(/Created grace/);
  });

  it('the user sends a prompt and hears the whole reply, also if the screen reader is busy', async () => {
    await command('Interns: New Conv');
    chat = await Chat.shown(window);
    await composerHasFocus();
    await reader.hearsFocus(/^Message grace/);
    const prompt = 'echo Look at this: it is one, two, three. All of it is said.';
    await write(prompt);
    await reader.whileBusy(async () => {
      await chat.composer.press('Enter');
      await chat.frame
        .getByRole('status')
        .filter({ hasText: 'grace finished' })
        .waitFor({ state: 'attached' });
    });
    await reader.hears(
      'Sent',
      'Look at this: it is one, two, three. All of it is said.',
      'grace finished',
    );
  });

  it('the user reads the conversation message by message', async () => {
    await reader.press('shift+alt+Prior');
    const reply = await reader.hears(/^grace, /, 'Look at this: it is one, two, three.');
    await reader.press('shift+alt+Prior');
    const prompt = await reader.hears(/^You, /, 'echo Look at this');
    for (const text of [...reply, ...prompt]) assert.doesNotMatch(text, /clickable/);
  });

  it('the user hears a question before its hint, which comes once, and allows the operation', async () => {
    await reader.press('Escape');
    await send('ask permission');
    await reader.hears('Allow “run_shell”?');
    await quickInput.waitFor('grace asks to use “run_shell”');
    const asked = /^grace asks to use “run_shell”.* entry/;
    const dialog = await reader.hearsFocus(asked, 'Escape keeps the question open.');
    const hints = dialog.join(' ').match(/Escape keeps/g);
    assert.equal(hints?.length, 1, dialog.join(' | '));
    await choose('Allow once');
    await reader.hears('grace said: “I would like to use run_shell.”', 'Allow once');
    await reader.hears('You chose allow_once, so I did it.', 'grace finished');
  });

  it('the user hears why a choice is refused, and selects one', async () => {
    await send('choose');
    await quickInput.waitFor('checks');
    await reader.press('Return');
    await reader.hears('return', /^This value is required\./);
    await quickInput.waitFor('This value is required. · checks');
    await reader.press('Down');
    await reader.hears(/^lint/);
    await reader.press('space');
    await reader.hears('checked');
    await reader.press('Return');
    await quickInput.waitFor('Which checks shall I run?');
    await reader.hearsFocus(/^grace asks: Which checks shall I run\?.* entry/);
    await choose('Accept');
    await reader.hears(/^Accept/, 'The checks are running.', 'grace finished');
  });

  it('the user stops a run', async () => {
    await send('slow 60');
    await reader.hears('Sent', '1 s.');
    await reader.press('Escape', 'Escape');
    await reader.hears('Press Escape again to stop', 'Stopped');
  });

  it('the user retries a failed run', async () => {
    const body = { error: { code: 502, message: 'No.', metadata: { reason: 'turn_failed' } } };
    service.faults.next('chat', { kind: 'respond', status: 502, body: JSON.stringify(body) });
    await send('echo It works again.');
    await reader.hears('The intern didn’t accept the prompt');
    await reader.press('shift+alt+Prior');
    await reader.hears(/^grace, /, 'didn’t accept the prompt');
    await reader.press('Tab');
    await reader.hears(/^Retry/);
    await reader.press('Return');
    await reader.hears('It works again.', 'grace finished');
  });

  it('the user stores a secret, and does not hear its value', async () => {
    await command('Interns: Set Vault');
    await fill('(1/4)', 'demo_token');
    await fill('(2/4)', 'api.example.com');
    await quickInput.waitFor('(3/4)');
    await reader.press('Return');
    await fill('(4/4)', 'placeholder');
    const stored = await reader.hears(/Stored demo_token/);
    assert.ok(stored.every((text) => !text.includes('placeholder')));
  });
});
