import assert from 'node:assert/strict';
import type { GoTarget } from '../../src/protocol/messages.ts';
import type { StatusView } from '../../src/protocol/view.ts';
import { until } from '../harness/until.ts';
import { type ChatPage, shareChatPage } from './chatPage.ts';
import { action, band, notice, permission, prompt, reply, status } from './fixtures/views.ts';
import { isSeen, seen } from '../harness/seen.ts';

describe('the focus', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));

  const show = (different: Partial<StatusView>) => chat.setStatus(different);
  const press = async (name: string): Promise<void> => {
    await chat.button(name).first().focus();
    await chat.page.keyboard.press('Enter');
  };
  /** Returns the accessible name of the focused element. */
  const focused = (): Promise<string> =>
    chat.page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });

  it('a chip opens its attachment, and the focus moves to the next chip when one is removed', async () => {
    const chips = ['a.ts', 'b.ts'].map((label) => ({ id: label, label, characters: 9 }));
    await chat.snapshot({ status: status({ attachments: chips }) });
    await press('Edit a.ts');
    assert.deepEqual(await chat.posted('editAttachment'), { id: 'a.ts' });
    await press('Remove a.ts');
    await show({ attachments: chips.slice(1) });
    assert.equal(await focused(), 'Remove b.ts');
    await chat.page.keyboard.press('Enter');
    await show({});
    assert.equal(await focused(), 'Message ada');
  });

  it('the focus stays in the queue when a prompt is saved or removed', async () => {
    const queue = ['a', 'b'].map((id) => ({ id, text: id, attachments: [] }));
    await chat.snapshot({ status: status({ queue }) });
    await press('Edit queued prompt: a');
    await chat.page.keyboard.type('!');
    await chat.page.keyboard.press('Enter');
    assert.equal(await focused(), 'Edit queued prompt: a');
    await press('Remove queued prompt: a');
    await show({ queue: queue.slice(1) });
    assert.equal(await focused(), 'Remove queued prompt: b');
    await show({});
    assert.equal(await focused(), 'Message ada');
  });

  it('the focus moves to the composer when its banner disappears', async () => {
    const banner = (text: string): Partial<StatusView> => ({
      banners: [{ tone: 'info', text, actions: [action('sendNow', 'Send Now')] }],
    });
    await chat.snapshot({ status: status(banner('Waits')) });
    await press('Send Now');
    await show(banner('Waits again'));
    assert.equal(await focused(), 'Send Now');
    await show({});
    assert.equal(await focused(), 'Message ada');
  });

  it('the focus moves from Stop to the composer when the run ends', async () => {
    await chat.snapshot();
    for (const selfDriveBand of [null, band]) {
      await show({ activity: 'working', selfDriveBand });
      await press('Stop');
      await show({});
      assert.equal(await focused(), 'Message ada');
    }
  });

  it('the focus moves visibly from Jump to latest to the conversation', async () => {
    const text = 'A paragraph.\n\n'.repeat(100);
    await chat.show(prompt('u1', 'x'), reply('i1', text));
    await chat.scroller.hover();
    await chat.page.mouse.wheel(0, -500);
    await seen(chat.button('Jump to latest'));
    await press('Jump to latest');
    await chat.button('Jump to latest').waitFor({ state: 'hidden' });
    const outline = await chat.scroller.evaluate((element) =>
      element === document.activeElement ? getComputedStyle(element).outlineStyle : 'no focus',
    );
    assert.equal(outline, 'solid');
  });

  for (const [where, leave] of Object.entries({
    'the composer': async () => {
      while ((await focused()) !== 'Message ada') await chat.page.keyboard.press('Tab');
    },
    'a dialog': () => chat.page.evaluate(() => void dispatchEvent(new FocusEvent('blur'))),
  }))
    it(`the transcript follows the reply again when the focus leaves its end for ${where}`, async () => {
      await chat.show(reply('i1', 'A paragraph.\n\n'.repeat(100)));
      await chat.rest();
      await chat.composer.focus();
      await chat.page.keyboard.press('Shift+Tab');
      await seen(chat.button('Jump to latest'));
      await leave();
      await chat.button('Jump to latest').waitFor({ state: 'hidden' });
      await chat.append('i1', 'The end.');
      await seen(chat.log.getByText('The end.'));
    });

  /** Returns the ID of the focused message, and the focused code in it. */
  const focusedPart = (): Promise<string> =>
    chat.page.evaluate(() => {
      const element = document.activeElement;
      const id = element?.closest<HTMLElement>('.message')?.dataset['id'];
      return element?.matches('pre') === true
        ? `${id ?? ''}: ${element.textContent.trim()}`
        : (id ?? '');
    });
  const goes = async (to: GoTarget, step: -1 | 1, wanted: string): Promise<void> => {
    await chat.send('go', { to, step });
    await until(`the focus at ${wanted}`, async () => (await focusedPart()) === wanted);
  };

  it('the focus moves to messages, prompts and code blocks in both directions', async () => {
    const code = (name: string): string => `\`\`\`ts\n${name}\n\`\`\``;
    await chat.show(
      prompt('u1', 'x'),
      reply(
        'i1',
        `Text\n\n${code('a')}\n\n- in a list:\n\n  ${code('b').replaceAll('\n', '\n  ')}`,
      ),
      prompt('u2', '```'),
      reply('i2', 'No code'),
      notice('n1', 'A new session starts here'),
      prompt('u3', 'x'),
      reply('i3', `${code('c')}\n\nText\n\n    d`),
    );
    await chat.composer.focus();
    for (const wanted of ['i3', 'u3', 'i2']) await goes('message', -1, wanted);
    // A screen reader says what the message says, and which of all messages it is.
    const said = chat.page.locator('[data-id=i2]');
    assert.equal(await said.getAttribute('aria-description'), 'No code');
    assert.equal(await said.getAttribute('aria-posinset'), '4');
    assert.equal(await said.getAttribute('aria-setsize'), '7');
    await goes('prompt', -1, 'u2');
    await goes('prompt', 1, 'u3');
    for (const wanted of ['b', 'a', 'a']) await goes('codeBlock', -1, `i1: ${wanted}`);
    for (const wanted of ['i1: b', 'i3: c', 'i3: d', 'i3: d']) await goes('codeBlock', 1, wanted);
    await goes('message', 1, 'i3: d');
    await chat.page.keyboard.press('Escape');
    assert.equal(await focused(), 'Message ada');
  });

  it('screen readers get the number of messages with each message when one is added', async () => {
    await chat.show(prompt('u1', 'One'), reply('i1', 'Two'));
    const sizes = () =>
      chat.log
        .getByRole('article')
        .evaluateAll((all) => all.map((each) => each.getAttribute('aria-setsize')).join(' '));
    await until('the number of messages', async () => (await sizes()) === '2 2');
    await chat.change({ kind: 'add', message: prompt('u2', 'Three') });
    await until('the new number', async () => (await sizes()) === '3 3 3');
    await chat.change({ kind: 'add', message: notice('n1', 'A new session starts here') });
    await until('the last number', async () => (await sizes()) === '4 4 4');
  });

  it('the focus moves through messages that are not loaded', async () => {
    const messages = Array.from({ length: 500 }, (_, index) =>
      index % 100 === 0 ? prompt(`m${index}`, 'x') : reply(`m${index}`, 'y'),
    );
    await chat.showEnd(messages, 60);
    await goes('prompt', -1, 'm400');
    await goes('prompt', -1, 'm300');
    await goes('message', -1, 'm299');
    for (const step of [1, 1, 1]) await chat.send('go', { to: 'message', step: step as 1 });
    await until('the focus three on', async () => (await focusedPart()) === 'm302');
    assert.ok(await isSeen(chat.log.locator('[data-id=m302]')));
  });

  it('the second key of a chord neither writes nor sends', async () => {
    await chat.snapshot();
    await chat.composer.focus();
    const { keyboard } = chat.page;
    const keys = 'x Control+k a y Control+k Shift+S Control+k Enter z';
    for (const key of keys.split(' ')) await keyboard.press(key);
    assert.equal(await chat.value(), 'xyz');
  });

  it('the focus moves to the start of a code block that is higher than the page', async () => {
    const code = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
    await chat.show(reply('i1', `\`\`\`ts\n${code}\n\`\`\`\n\nText`));
    await goes('codeBlock', -1, `i1: ${code}`);
    const top = await chat.page.evaluate(() => document.activeElement?.getBoundingClientRect().top);
    assert.ok(top !== undefined && top >= 0 && top < 100, `it begins at ${top} px`);
  });

  it('the buttons of what gets the focus are in sight', async () => {
    const text = 'A paragraph.\n\n'.repeat(50);
    await chat.show(
      reply('i1', text),
      prompt('u1', 'x'),
      reply('i2', `${text}\`\`\`ts\na\n\`\`\`\n\n${text}`),
    );
    await goes('codeBlock', -1, 'i2: a');
    await seen(chat.button('Copy code'));
    await goes('prompt', -1, 'u1');
    await seen(chat.page.locator('[data-id=u1] .message-tools'));
  });

  it('a code block of a narrow page is in sight when it gets the focus', async () => {
    await chat.page.setViewportSize({ width: 320, height: 480 });
    const code = (name: string, lines: number): string => `${name}\n`.repeat(lines).trim();
    // The last line of the long code is in a piece of its own.
    const all = [code('high', 17), code('long', 241), code('low', 2), code('last', 100)];
    const blocks = all.map((each) => `\`\`\`ts\n${each}\n\`\`\``);
    await chat.show(...blocks.map((block, index) => reply(`i${index}`, block)));
    await chat.rest();
    const isInSight = (): Promise<boolean> =>
      chat.scroller.evaluate((box) => {
        const focused = document.activeElement?.getBoundingClientRect();
        const { top, bottom } = box.getBoundingClientRect();
        if (focused === undefined) return false;
        const isWhole = focused.bottom <= bottom + 1 || focused.height > box.clientHeight;
        return focused.top >= top - 1 && focused.top < bottom && isWhole;
      });
    for (const [step, name] of [
      [-1, 'last'],
      [-1, 'low'],
      [-1, 'long'],
      [-1, 'high'],
      [1, 'long'],
      [1, 'low'],
    ] as const) {
      await chat.send('go', { to: 'codeBlock', step });
      await until(`the focus at ${name}`, async () => (await focusedPart()).includes(`: ${name}`));
      await chat.rest();
      assert.ok(await isInSight(), `${name} in step ${step}`);
    }
  });

  it('the arrow keys move the focus along the buttons of a code block', async () => {
    await chat.show(reply('i1', '```ts\na\n```\n\n```diff\n-a\n```'));
    await goes('codeBlock', -1, 'i1: -a');
    const { keyboard } = chat.page;
    await keyboard.press('Shift+Tab');
    assert.equal(await focused(), 'Copy code');
    for (const [key, name] of [
      ['ArrowRight', 'Apply'],
      ['ArrowLeft', 'Copy code'],
      ['Home', 'Apply'],
      ['ArrowRight', 'Open in diff editor'],
      ['End', 'Copy code'],
      ['ArrowLeft', 'New file'],
    ] as const) {
      await keyboard.press(key);
      assert.equal(await focused(), name);
    }
    await keyboard.press('Tab');
    assert.equal(await focusedPart(), 'i1: -a');
    await keyboard.press('Shift+Tab');
    assert.equal(await focused(), 'New file');
    await keyboard.press('Shift+Tab');
    assert.equal(await focusedPart(), 'i1: a');
  });

  it('the reading order follows the visual order of the page', async () => {
    const question = permission('q1');
    await chat.snapshot({
      messages: [
        prompt('u1', 'Fix it'),
        reply('i1', [
          { kind: 'text', text: '# Plan\n\n```ts\na\n```' },
          { kind: 'question', question },
        ]),
      ],
      status: status({
        banners: [{ tone: 'info', text: 'Your prompt waits', actions: [] }],
        queue: [{ id: 'a', text: 'And then this', attachments: [] }],
      }),
    });
    const read = await chat.page.locator('body').ariaSnapshot();
    const order = [
      ...['heading "Look into the failing build" [level=1]', 'log "Conversation"'],
      ...['article "You', 'heading "You', 'Fix it', 'article "ada', 'heading "ada'],
      ...['heading "Plan"', 'group "Code, ts"', 'toolbar "Code actions"', 'button "Copy code"'],
      ...['group "ada asks to run bash"', 'button "Answer"', 'Your prompt waits'],
      ...['region "Queued"', 'And then this', 'textbox "Message ada', 'button "Send"'],
    ];
    let at = 0;
    for (const part of order) {
      const found = read.indexOf(part, at);
      assert.ok(found >= 0, `${part} is not read, or too early:\n${read}`);
      at = found;
    }
  });

  it('screen readers can move by the headings of messages and replies', async () => {
    await chat.show(prompt('u1', 'x'), reply('i1', '# One\n\n### Deeper\n\n## Two\n\nText'));
    const headings = chat.log.getByRole('heading');
    const names = await headings.evaluateAll((all) =>
      all.map((each) => [each.getAttribute('aria-level') ?? each.tagName, each.textContent]),
    );
    assert.deepEqual(
      names.map(([level, name]) => `${level} ${name?.split(',')[0]}`),
      ['H2 You', 'H2 ada', '3 One', '4 Deeper', '4 Two'],
    );
  });
});
