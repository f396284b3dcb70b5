import assert from 'node:assert/strict';
import { type ChatPage, shareChatPage } from './chatPage.ts';
import { prompt, reply, permission } from './fixtures/views.ts';
import { hostileCases } from './hostileCases.ts';

/** The policy also reports what the sanitizer is about to remove. Two tests make bundles fail to load. */
const expected =
  /^(?:Executing inline event handler|Applying inline style) violates|net::ERR_FAILED/;

const batch = 60;

/** Returns everything in the transcript that could run, load, navigate or look like a control of the page. */
function suspicious(): string[] {
  const log = document.querySelector('[role=log]');
  const found: string[] = [];
  for (const element of log?.querySelectorAll('*') ?? []) {
    const name = element.localName;
    // math.test.ts checks the elements of Temml.
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

describe(`hostile Markdown and HTML (${hostileCases.length} cases)`, () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page), {}, expected);

  async function assertHarmless(): Promise<void> {
    assert.deepEqual(await chat.page.evaluate(suspicious), []);
    assert.equal(await chat.page.evaluate(() => 'hit' in window), false);
    assert.deepEqual(chat.requests, []);
  }

  for (let start = 0; start < hostileCases.length; start += batch) {
    const cases = hostileCases.slice(start, start + batch);
    it(`hostile replies run nothing and lead nowhere: ${start + 1} to ${start + cases.length}`, async () => {
      await chat.show(...cases.map((text, index) => reply(`i${index}`, text)));
      await assertHarmless();
    });
  }

  for (const [what, isServed] of [
    ['until the sanitizer is loaded', true],
    ['if the sanitizer fails to load', false],
  ] as const)
    it(`the page shows HTML as text ${what}`, async () => {
      let serve = (): void => undefined;
      const served = new Promise<void>((resolve) => (serve = resolve));
      await chat.page.route('**/sanitize.js', async (route) => {
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

  it('the page goes to a reply without HTML while the sanitizer is loading for another one', async () => {
    let serve = (): void => undefined;
    const served = new Promise<void>((resolve) => (serve = resolve));
    await chat.page.route('**/sanitize.js', async (route) => {
      await served;
      await route.fallback();
    });
    await chat.show(reply('i1', 'plain'), reply('i2', '<p>under</p>'));
    await chat.log.getByText('<p>under</p>').waitFor();
    await chat.send('reveal', { message: 'i1' });
    await chat.log.locator('[data-id=i1]:focus').waitFor();
    serve();
    await chat.log.locator('[data-id=i2] .html p').waitFor();
  });

  for (const [bundle, text, drawn] of [
    ['languages', '```js\nconst one = 1;\n```', '[data-colored]'],
    ['formula', '$x_1$', 'math'],
  ] as const)
    it(`the page loads ${bundle}.js again after a failure`, async () => {
      await chat.page.route(`**/${bundle}.js`, (route) => route.abort(), { times: 1 });
      const failed = chat.page.waitForEvent('requestfailed');
      await chat.show(reply('i1', text));
      await failed;
      await chat.change({ kind: 'add', message: reply('i2', text) });
      await chat.log.locator(`[data-id=i2] ${drawn}`).waitFor();
      assert.equal(await chat.log.getByText(text.includes('one') ? 'const one' : text).count(), 2);
    });

  it('a hostile reply stays harmless wherever its stream is cut', async () => {
    await chat.show(reply('i1', '', { state: 'working' }));
    const text = hostileCases.slice(0, 400).join('\n\n');
    for (let at = 0; at < text.length; at += 97)
      await chat.page.evaluate(
        (message) => window.postMessage(message),
        chat.changesMessage({ kind: 'append', id: 'i1', part: 0, text: text.slice(at, at + 97) }),
      );
    await chat.settle();
    await assertHarmless();
  });

  it('the page shows HTML in prompts, questions, failures and notices as text', async () => {
    const hostile = '<img src=https://evil.test/x onerror=window.hit=1>[x](command:y)';
    const words = { title: hostile, detail: hostile, actions: [] };
    await chat.show(
      prompt('u1', hostile),
      { kind: 'notice', id: 'n1', at: 0, text: hostile },
      reply(
        'i1',
        [{ kind: 'question', question: permission('q1', { ...words, stateMessage: hostile }) }],
        { author: hostile, facts: [hostile], failure: words },
      ),
    );
    assert.equal((await chat.log.getByText('onerror').count()) > 5, true);
    await assertHarmless();
  });

  it('a click on a link only posts a message', async () => {
    const address = 'https://example.test/a?b=1#c';
    const path = 'docs/My%20File.md#L3';
    await chat.show(reply('i1', `[web](${address}) and \`src/a.ts:10\` and [file](${path})`));
    await chat.send('located', { paths: ['src/a.ts:10'], found: ['src/a.ts:10'] });
    for (const link of await chat.log.getByRole('link').all()) await link.click();
    for (const button of ['middle', 'right'] as const)
      await chat.log.getByRole('link', { name: 'web' }).click({ button });
    const opened = (await chat.all('openLink')).map(({ href }) => href);
    assert.deepEqual(opened, [address, 'src/a.ts:10', path, address]);
    assert.equal(chat.page.url(), 'https://page.test/');
    assert.deepEqual(chat.requests, []);
  });

  it('a hostile cell of raw HTML cannot claim hundreds of columns and rows', async () => {
    const cells = '<td colspan=2>a</td><td colspan=50 rowspan=49>b</td><td rowspan=65534>c</td>';
    await chat.show(reply('i1', `<table><tr>${cells}</tr></table>`));
    await chat.rest();
    const spans = await chat.log
      .locator('td')
      .evaluateAll((all) =>
        all.map((cell) => cell instanceof HTMLTableCellElement && [cell.colSpan, cell.rowSpan]),
      );
    assert.deepEqual(spans, [
      [2, 1],
      [1, 49],
      [1, 1],
    ]);
  });

  it('the tooltip of a link shows its destination first', async () => {
    const lie = 'https://good.test/';
    const links: Readonly<Record<string, string>> = {
      'https://evil.test/1': `[a](https://evil.test/1 "${lie}")`,
      'https://evil.test/2': `x <a href="https://evil.test/2" title="${lie}">a</a>`,
      'https://evil.test/3': `<div><a href="https://evil.test/3" title="${lie}"><b title="${lie}">a</b></a></div>`,
      'src/evil.ts': `[a](src/evil.ts "${lie}")`,
      'https://evil.test/5': `[a](https://evil.test/5 "words\n${lie}")`,
      'https://evil.test/6': `<div><a href="https://evil.test/6"><img src="${lie}" alt="a"></a></div>`,
      'https://evil.test/7': `x <a href="https://evil.test/7">src/a.ts <img src="${lie}"></a>`,
    };
    await chat.show(...Object.values(links).map((text, index) => reply(`i${index}`, text)));
    await chat.rest();
    const tooltips = await chat.log.locator('a').evaluateAll((all) =>
      all.map((link) => {
        const innermost = [...link.querySelectorAll('[title]')].at(-1) ?? link;
        return innermost.getAttribute('title')?.split('\n')[0];
      }),
    );
    assert.deepEqual(tooltips, Object.keys(links));
  });
});
