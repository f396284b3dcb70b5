import assert from 'node:assert/strict';
import { ChatPage } from './chatPage.ts';
import { prompt, reply, permission } from './fixtures/views.ts';
import { hostileCases } from './hostileCases.ts';

/** The document that the sanitiser parses into is under the policy too, which refuses what is about to be thrown away. */
const refusal = /^(?:Executing inline event handler|Applying inline style) violates/;

/** Cases that one page shows at once. */
const batch = 60;

/** What in the transcript could run, load, lead away or be taken for a control of the page's own. */
function suspicious(): string[] {
  const log = document.querySelector('[role=log]');
  const found: string[] = [];
  for (const element of log?.querySelectorAll('*') ?? []) {
    const name = element.localName;
    // What Temml makes has a namespace of its own: its elements and attributes are held in math.test.ts.
    if (element.namespaceURI?.endsWith('MathML') === true) continue;
    if (
      /^(?:script|style|link|meta|base|iframe|frame|object|embed|img|image|svg|math|video|audio|source|track|form|input|textarea|select|dialog|template)$/.test(
        name,
      )
    )
      found.push(`<${name}>`);
    for (const { name: attribute, value } of element.attributes) {
      const own =
        element.closest('.code-header, .table-actions, .message-foot, .message-tools, .actions') !==
        null;
      if (
        attribute.startsWith('on') ||
        ['style', 'src', 'srcset', 'id', 'ping', 'target', 'action'].includes(attribute)
      )
        found.push(`${attribute}="${value}"`);
      if (attribute === 'href' && !/^(?:https?:\/\/[^/?#@]+(?:[/?#]|$)|mailto:)/.test(value))
        found.push(`href="${value}"`);
      if (
        attribute === 'data-path' &&
        /^(?:[\w+.-]{2,}:|[\\/]{2})/.test(value) &&
        !value.startsWith('file:')
      )
        found.push(`data-path="${value}"`);
      if (attribute === 'data-command' && !own) found.push(`data-command="${value}"`);
    }
    if (
      name === 'button' &&
      !element.closest('.code-header, .table-actions, .message-foot, .message-tools, .message.user')
    )
      found.push(element.outerHTML);
  }
  return found;
}

describe(`Hostile Markdown and HTML (${hostileCases.length} cases)`, () => {
  for (let start = 0; start < hostileCases.length; start += batch) {
    const cases = hostileCases.slice(start, start + batch);
    it(`runs nothing, requests nothing, leads nowhere: ${start + 1} to ${start + cases.length}`, async () => {
      await using chat = await ChatPage.open();
      await chat.show(...cases.map((text, index) => reply(`i${index}`, text)));
      await assertHarmless(chat);
    });
  }

  for (const [what, isServed] of [
    ['until its sanitiser is there', true],
    ['for good where that cannot be loaded', false],
  ] as const)
    it(`is shown as text ${what}`, async () => {
      await using chat = await ChatPage.open();
      let serve = (): void => undefined;
      const served = new Promise<void>((resolve) => (serve = resolve));
      await chat.page.route('**/sanitise.js', async (route) => {
        await served;
        await (isServed ? route.fallback() : route.abort());
      });
      await chat.show(reply('i1', '<p onclick="alert(1)">under</p>\n\n**End**'));
      await chat.log.getByText('<p onclick="alert(1)">under</p>').waitFor();
      await chat.log.locator('strong').waitFor();
      serve();
      await chat.rest();
      assert.equal(await chat.log.getByText('<p').count(), isServed ? 0 : 1);
      assert.equal(await chat.log.locator('.html p').count(), isServed ? 1 : 0);
    });

  it('leaves code as it is where what colours it does not load, and tries again with the next block', async () => {
    await using chat = await ChatPage.open();
    await chat.page.route('**/languages.js', (route) => route.abort(), { times: 1 });
    const failed = chat.page.waitForEvent('requestfailed');
    await chat.show(reply('i1', '```js\nconst one = 1;\n```'));
    await failed;
    await chat.change({ kind: 'add', message: reply('i2', '```js\nconst two = 2;\n```') });
    await chat.log.locator('[data-coloured]').nth(1).waitFor();
  });

  it('stays harmless while it streams, cut anywhere', async () => {
    await using chat = await ChatPage.open();
    await chat.show(reply('i1', '', { state: 'working' }));
    const text = hostileCases.slice(0, 400).join('\n\n');
    for (let at = 0; at < text.length; at += 97)
      await chat.page.evaluate(
        (message) => window.postMessage(message),
        chat.changesMessage({ kind: 'append', id: 'i1', part: 0, text: text.slice(at, at + 97) }),
      );
    await chat.settle();
    await assertHarmless(chat);
  });

  it('is only text in prompts, questions, failures and notices', async () => {
    await using chat = await ChatPage.open();
    const hostile = '<img src=https://evil.test/x onerror=window.hit=1>[x](command:y)';
    await chat.show(
      prompt('u1', hostile),
      { kind: 'notice', id: 'n1', at: 0, text: hostile },
      reply(
        'i1',
        [
          {
            kind: 'question',
            question: permission('q1', {
              title: hostile,
              detail: hostile,
              stateText: hostile,
              actions: [],
            }),
          },
        ],
        {
          author: hostile,
          facts: [hostile],
          failure: { title: hostile, detail: hostile, actions: [] },
        },
      ),
    );
    assert.equal((await chat.log.getByText('onerror').count()) > 5, true);
    await assertHarmless(chat);
  });

  it('a click on any link that is left only asks the host', async () => {
    await using chat = await ChatPage.open();
    await chat.show(
      reply(
        'i1',
        '[web](https://example.test/a?b=1#c) and `src/a.ts:10` and [file](docs/My%20File.md#L3)',
      ),
    );
    await chat.send('located', { paths: ['src/a.ts:10'], found: ['src/a.ts:10'] });
    for (const link of await chat.log.getByRole('link').all()) await link.click();
    await chat.log.getByRole('link', { name: 'web' }).click({ button: 'middle' });
    assert.deepEqual(
      (await chat.all('openLink')).map(({ href }) => href),
      [
        'https://example.test/a?b=1#c',
        'src/a.ts:10',
        'docs/My%20File.md#L3',
        'https://example.test/a?b=1#c',
      ],
    );
    assert.equal(chat.page.url(), 'https://page.test/');
    assert.deepEqual(chat.requests, []);
  });

  it('shows where a link leads first in its tooltip, whatever titles its author wrote around the words', async () => {
    await using chat = await ChatPage.open();
    const lie = 'https://good.test/';
    await chat.show(
      reply('i0', `[a](https://evil.test/1 "${lie}")`),
      reply('i1', `x <a href="https://evil.test/2" title="${lie}">a</a>`),
      reply(
        'i2',
        `<div><a href="https://evil.test/3" title="${lie}"><b title="${lie}">a</b></a></div>`,
      ),
      reply('i3', `[a](src/evil.ts "${lie}")`),
      reply('i4', `[a](https://evil.test/5 "words\n${lie}")`),
    );
    await chat.rest();
    const tooltips = await chat.log.locator('a').evaluateAll((links) =>
      links.map((link) => {
        const innermost = [...link.querySelectorAll('[title]')].at(-1) ?? link;
        return innermost.getAttribute('title')?.split('\n')[0];
      }),
    );
    assert.deepEqual(tooltips, [
      'https://evil.test/1',
      'https://evil.test/2',
      'https://evil.test/3',
      'src/evil.ts',
      'https://evil.test/5',
    ]);
  });
});

async function assertHarmless(chat: ChatPage): Promise<void> {
  assert.deepEqual(await chat.page.evaluate(suspicious), []);
  assert.equal(await chat.page.evaluate(() => 'hit' in window), false);
  assert.deepEqual(chat.requests, []);
  assert.deepEqual(
    chat.errors.filter((error) => !refusal.test(error)),
    [],
  );
}
