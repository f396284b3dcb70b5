import assert from 'node:assert/strict';
import { attacks } from './attacks.ts';
import { ChatPage } from './chatPage.ts';
import { reply } from './fixtures/views.ts';
import { assertNoFreeze } from './freezing.ts';

describe('No reply freezes the page', () => {
  let chat: ChatPage;
  before(async () => {
    chat = await ChatPage.open();
    await chat.show();
  });
  after(async () => {
    await chat[Symbol.asyncDispose]();
  });

  for (const [name, text] of Object.entries(attacks))
    it(`though it is ${name}`, async () => {
      await assertNoFreeze(chat, text, 'at once');
    });

  it('nor keeps it at work while the intern writes nothing, though a look at what there is takes longer than a frame', async () => {
    const text = `${'$$'.repeat(6_000)}\n\n${'\\)1\\end{matrix}'.repeat(5_600)}`;
    await chat.show(reply('i1', '', { state: 'working' }));
    await chat.change({ kind: 'append', id: 'i1', part: 0, text });
    await chat.rest();
  });

  it('for longer than a second more than once: a block that took so long is text from then on, also when it is opened again', async () => {
    const text = 'before\n\n| slow |\n|---|\n| **cell** |\n\n**after**';
    const isPlain = async (): Promise<boolean> =>
      (await chat.log.getByRole('group', { name: /took too long to format$/ }).count()) === 1;
    // A machine that stands still for two seconds while the block is drawn.
    await chat.page.evaluate(`{
      const create = document.createElement.bind(document);
      document.createElement = (name) => {
        const until = performance.now() + (name === 'table' ? 1500 : 0);
        while (performance.now() < until);
        return create(name);
      };
    }`);
    await chat.show(reply('i1', text));
    await chat.rest();
    const { hash } = await chat.posted('slowBlock');
    await chat.snapshot({ messages: [reply('i2', text)], slowBlocks: [hash] });
    await chat.rest();
    assert.equal(await isPlain(), true);
    assert.equal(await chat.log.locator('table').count(), 0);
    assert.equal(await chat.log.locator('strong').innerText(), 'after');
    await chat.snapshot({ messages: [reply('i3', text.replace('slow', 'other'))] });
    await chat.rest();
    assert.equal(await isPlain(), false);
  });

  it('and what is too much to be drawn is shown as plain text, with a word on why, and nothing around it', async () => {
    await chat.show(
      reply('i1', `# Head\n\n${attacks['a header row of 30,000 cells'] ?? ''}\n**tail**`),
    );
    await chat.rest();
    const block = chat.log.getByRole('group', { name: 'Shown as plain text: too much markup' });
    assert.equal(await block.count(), 1);
    assert.match(await block.locator('code').innerText(), /^\|a\|a\|a/);
    assert.equal(await chat.log.getByRole('heading', { name: 'Head' }).count(), 1);
  });
});
