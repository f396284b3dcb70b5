import assert from 'node:assert/strict';
import { until } from '../harness/until.ts';
import { type ChatPage, shareChatPage, topOf } from './chatPage.ts';
import { typicalReply } from './fixtures/gfmExamples.ts';
import { conversation as shortConversation, prompt, reply } from './fixtures/views.ts';

const conversation = (count: number, from = 0) => shortConversation(count, from, typicalReply);

describe('the scroll position', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));

  const message = (id: string) => chat.log.locator(`[data-id=${id}]`);

  it('a jump back in a reply whose blocks came in bursts leads to the right place', async () => {
    const blocks = (from: number, end: number) =>
      Array.from({ length: end - from }, (_, at) => `Block ${from + at} of it\n\n`).join('');
    await chat.show(reply('i1', blocks(0, 70), { state: 'working' }));
    await chat.rest();
    await chat.append('i1', blocks(70, 220));
    await chat.rest();
    const block = chat.log.getByText('Block 102 of it');
    const before = await block.evaluate((element) => {
      element.scrollIntoView({ block: 'center' });
      return element.getBoundingClientRect().top;
    });
    await chat.rest();
    const now = await topOf(block);
    assert.ok(before > 0 && Math.abs(now - before) <= 1, `moved from ${before} to ${now} px`);
  });

  it('the transcript reveals a message while the scroll position is still being restored', async () => {
    const messages = conversation(200);
    const scroll = { message: 'm20', offset: 0 };
    await chat.snapshot({ messages: messages.slice(190), earlier: 190, scroll });
    await chat.send('reveal', { message: 'm101' });
    const asked = await chat.page.evaluate(() => window.posted.map(({ type }) => type));
    assert.equal(asked.filter((type) => type === 'around').length, 2);
    const around = [0, 81];
    const batches = (await chat.all('history')).map(({ from }) => from);
    for (const type of asked) {
      const from = type === 'around' ? around.shift() : type === 'history' ? batches.shift() : null;
      if (typeof from === 'number')
        await chat.send('history', { from, messages: messages.slice(from, from + 40) });
    }
    await until('the focus on it', async () => (await chat.focusedId()) === 'm101');
  });

  for (const [what, id, go] of [
    ['a revealed message', 'm151', () => chat.send('reveal', { message: 'm151' })],
    [
      'the place of a reader who scrolled',
      'm199',
      async () => {
        // The end must be drawn, so that it can be left.
        await chat.rest();
        await chat.page.mouse.move(400, 300);
        await chat.page.mouse.wheel(0, -300);
        await until('the end to be left', async () => (await chat.distanceToEnd()) > 100);
      },
    ],
  ] as const)
    it(`the transcript keeps ${what} while the stored scroll position loads`, async () => {
      const messages = conversation(200);
      const scroll = { message: 'm20', offset: 0 };
      await chat.snapshot({ messages: messages.slice(140), earlier: 140, scroll });
      await chat.posted('around');
      await go();
      await chat.rest();
      const before = await topOf(message(id));
      assert.ok(Math.abs(before) < 800, `${id} is at ${before} px`);
      await chat.send('history', { from: 0, messages: messages.slice(0, 40) });
      await chat.rest();
      const now = await topOf(message(id));
      assert.ok(Math.abs(now - before) < 20, `moved from ${before} to ${now}`);
    });

  it('the transcript restores and reports the scroll position', async () => {
    await chat.snapshot({ messages: conversation(60), scroll: { message: 'm11', offset: 40 } });
    const top = await topOf(message('m11'));
    assert.ok(Math.abs(top + 40) < 60, `is ${top} px from the top`);
    const reported = async () => (await chat.all('scrolled')).at(-1)?.position?.message;
    await until('the report', async () => (await reported()) === 'm11');
  });

  it('the transcript restores the place in a long reply in another width', async () => {
    const blocks = Array.from(
      { length: 300 },
      (_, at) => `Block ${at} ${'and on '.repeat(at % 90)}`,
    );
    const messages = [prompt('u1', 'Go on'), reply('i1', blocks.join('\n\n'))];
    const block = (at: number) => chat.log.getByText(new RegExp(`^Block ${at} `, 'u'));
    for (const at of [40, 170]) {
      await chat.snapshot({ messages, scroll: { message: 'i1', block: at, offset: 3 } });
      await chat.rest();
      const isAtTop = async () => Math.abs((await topOf(block(at))) + 3) <= 1;
      assert.ok(await isAtTop(), `block ${at}`);
      const reported = async () => (await chat.all('scrolled')).at(-1)?.position?.block;
      await until('the report', async () => (await reported()) === at);
      await chat.page.setViewportSize({ width: 400, height: 800 });
      await until('the block at the top', isAtTop);
    }
  });

  it('the transcript restores a place above messages that are not drawn yet', async () => {
    const blocks = (name: string) => Array.from({ length: 60 }, (_, at) => `${name} ${at}`);
    const messages = [
      ...[prompt('u1', 'First'), reply('i1', blocks('Former').join('\n\n'))],
      ...[prompt('u2', 'Second'), reply('i2', blocks('Latter').join('\n\n'))],
    ];
    const last = chat.log.getByText('Former 59', { exact: true });
    for (const [scroll, top] of [
      [{ message: 'u1', offset: 5 }, message('u1')],
      [{ message: 'i1', block: 59, offset: 5 }, last],
      [{ message: 'u2', offset: 5 }, message('u2')],
    ] as const) {
      await chat.snapshot({ messages, scroll });
      await chat.rest();
      const at = await topOf(top);
      assert.ok(Math.abs(at + 5) <= 1, `${scroll.message} is at ${at} px`);
    }
  });

  it('the jump button counts no block as new that was there before the page opened', async () => {
    const messages = ['i1', 'i2'].map((id) => reply(id, typicalReply.repeat(60)));
    await chat.snapshot({ messages, scroll: { message: 'i1', offset: 5 } });
    await chat.rest();
    const jump = chat.button('Jump to latest');
    assert.equal((await jump.innerText()).trim(), '');
    await chat.change({ kind: 'add', message: reply('i3', 'One.\n\nTwo.') });
    await until('two new blocks', async () => (await jump.innerText()).trim() === '2');
  });

  for (const [where, words] of [
    ['in', 'Second thought 30'],
    ['below', 'Text 30'],
  ] as const)
    it(`the transcript restores a place ${where} opened reasoning`, async () => {
      const blocks = (name: string) => Array.from({ length: 60 }, (_, at) => `${name} ${at}`);
      const thought = (name: string) =>
        ({ kind: 'reasoning', text: blocks(name).join('\n\n') }) as const;
      const times = { startedAt: 0, endedAt: 1 };
      const message = reply('i1', [
        { ...thought('First thought'), ...times },
        { kind: 'text', text: 'Between' },
        { ...thought('Second thought'), ...times },
        { kind: 'text', text: blocks('Text').join('\n\n') },
      ]);
      await chat.show(message);
      await chat.rest();
      await chat.log.locator('summary').last().click();
      const block = chat.log.getByText(words, { exact: true });
      await block.waitFor();
      await chat.rest(400);
      await chat.forget();
      await block.evaluate((element) => element.scrollIntoView());
      const { position } = await chat.posted('scrolled');
      const before = await topOf(block);
      await chat.reload();
      await chat.snapshot({ messages: [message], scroll: position });
      await chat.rest();
      const now = await topOf(block);
      assert.ok(Math.abs(now - before) <= 1, `moved from ${before} to ${now} px`);
    });

  for (const [what, blocks, block] of [
    ['whole conversation', 2, 0],
    ['end', 60, 50],
  ] as const)
    it(`the transcript follows if the restored place shows the ${what}`, async () => {
      const text = Array.from({ length: blocks }, (_, at) => `Block ${at}`).join('\n\n');
      const scroll = { message: 'i1', block, offset: 5 };
      await chat.snapshot({ messages: [prompt('u1', 'Go on'), reply('i1', text)], scroll });
      assert.deepEqual(await chat.posted('scrolled'), { position: null });
      assert.equal(await chat.button('Jump to latest').isVisible(), false);
      await chat.change({ kind: 'add', message: reply('i2', text) });
      await until('the new end', async () => (await chat.distanceToEnd()) < 2);
    });

  it('the transcript keeps the place of a reader who jumped when the panel becomes narrower', async () => {
    const text = `${'Words and more words. '.repeat(20)}\n\n`.repeat(30);
    const prompts = Array.from({ length: 40 }, (_, index) => prompt(`u${index}`, 'Short'));
    await chat.show(reply('i1', text), ...prompts);
    await chat.rest();
    for (const fromEnd of [2600, 900]) {
      await chat.scroller.evaluate((box, far) => (box.scrollTop = box.scrollHeight - far), fromEnd);
      await chat.rest();
    }
    const at = message('u30');
    const before = await topOf(at);
    await chat.page.setViewportSize({ width: 500, height: 800 });
    await chat.rest();
    const now = await topOf(at);
    assert.ok(Math.abs(now - before) <= 1, `moved from ${before} to ${now} px`);
  });

  it('the transcript reports the stored scroll position until it is restored', async () => {
    const scroll = { message: 'm20', offset: 7 };
    await chat.snapshot({ messages: conversation(60, 140), earlier: 140, scroll });
    assert.deepEqual(await chat.posted('scrolled'), { position: scroll });
  });

  it('the transcript reports its end if the message of the stored place does not exist', async () => {
    await chat.snapshot({ messages: conversation(60), scroll: { message: 'gone', offset: 7 } });
    await chat.posted('around');
    // A slow host answers after the page has reported the place that it still looks for.
    await until('the place', async () => (await chat.posted('scrolled')).position !== null);
    await chat.send('history', { from: 0, messages: [] });
    await until('the end', async () => (await chat.posted('scrolled')).position === null);
  });

  it('the transcript reports the latest scroll position before another page replaces it', async () => {
    await chat.show(...conversation(20));
    const reports = await chat.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const scroller = document.querySelector('.scroller');
          const leave = (): void => {
            window.posted.length = 0;
            window.dispatchEvent(new MessageEvent('message', { data: { type: 'leave' } }));
            resolve(window.posted.filter(({ type }) => type === 'scrolled').length);
          };
          scroller?.addEventListener('scroll', leave, { once: true });
          scroller?.scrollTo({ top: 100 });
        }),
    );
    assert.equal(reports, 1);
  });

  it('the transcript reports the scroll position as soon as the reader stops scrolling', async () => {
    await chat.show(...conversation(20));
    await chat.rest();
    const reports = await chat.page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const scroller = document.querySelector('.scroller');
          const count = (): void =>
            resolve(window.posted.filter(({ type }) => type === 'scrolled').length);
          window.posted.length = 0;
          scroller?.addEventListener('scrollend', count, { once: true });
          scroller?.scrollTo({ top: 100 });
        }),
    );
    assert.equal(reports, 1);
  });

  it('the transcript reports its end at once when a prompt is sent', async () => {
    await chat.snapshot({ messages: conversation(20), scroll: { message: 'm5', offset: 7 } });
    await chat.rest();
    await chat.composer.fill('Go on');
    const reports = await chat.page.evaluate(() => {
      window.posted.length = 0;
      document.querySelector<HTMLElement>('.send')?.click();
      return window.posted.flatMap(({ type, body }) => (type === 'scrolled' ? [body] : []));
    });
    assert.deepEqual(reports, [{ position: null }]);
  });
});
