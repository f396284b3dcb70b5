import assert from 'node:assert/strict';
import { until } from '../harness/until.ts';
import { type ChatPage, shareChatPage } from './chatPage.ts';
import { reply } from './fixtures/views.ts';

/** Formulas that would lead away, load, run, hide or reach out of their place. */
const hostile = [
  '\\href{https://evil.test}{a}',
  '\\url{https://evil.test}',
  '\\includegraphics{https://evil.test/a.png}',
  '\\class{message}{a}\\id{app}{b}\\style{position:fixed}{c}\\data{command=copy}{d}',
  '\\htmlClass{message}{a}\\htmlStyle{position:fixed}{b}',
  '\\hspace{-999em}a\\kern-99em b\\raisebox{99em}{c}\\rule{999em}{999em}',
  '\\color{red;position:fixed}a\\textcolor{#fff}{b}\\bbox[border:9999px solid]{c}',
  '\\text{<img src=x onerror=alert(1)>}',
  '\\mathchoice{<script>}{b}{c}{d}',
  '\\phantom{hidden}\\hphantom{a}\\vphantom{a}',
  '\\mathrlap{overlaid}\\mathclap{b}c',
];

describe('math', () => {
  let chat: ChatPage;
  shareChatPage((page) => (chat = page));
  afterEach(() => assert.deepEqual(chat.requests, []));

  const drawn = (count: number) =>
    until('the formulas', async () => (await chat.log.locator('math').count()) === count);

  it('the page draws a formula once it is closed', async () => {
    await chat.show(reply('i1', 'Let $x^2', { state: 'working' }));
    assert.equal(await chat.log.locator('.markdown p').innerText(), 'Let $x^2');
    const more = '$ be, and $\\nosuch{x}$, $\\cancel{x}$.\n\n$$\n\\frac{1}{2}\n$$\n';
    await chat.change({ kind: 'append', id: 'i1', part: 0, text: more });
    await drawn(2);
    assert.equal(await chat.log.locator('math msup').count(), 1);
    assert.equal(await chat.log.locator('.math.display math mfrac').count(), 1);
    const text = await chat.log.locator('.markdown').evaluate((element) => {
      getSelection()?.selectAllChildren(element);
      return getSelection()?.toString() ?? '';
    });
    assert.match(
      text.replace(/\s+/g, ' '),
      /^Let \$x\^2\$ be, and \$\\nosuch\{x\}\$, \$\\cancel\{x\}\$. \$\$ \\frac\{1\}\{2\} \$\$/,
    );
    const { width = 0 } = (await chat.log.locator('math').first().boundingBox()) ?? {};
    assert.ok(width > 5 && width < 60, `${width} px wide`);
  });

  it('a formula holds only elements, attributes and sizes that math needs', async () => {
    await chat.show(reply('i1', hostile.map((tex) => `$$${tex}$$`).join('\n\n') + '\n\n$a$'));
    await until('the last one', async () => (await chat.log.locator('math').count()) >= 1);
    await chat.rest();
    const found = await chat.log
      .locator('math, math *')
      .evaluateAll((all) =>
        all.flatMap((each) => [
          ...(each.namespaceURI?.endsWith('MathML') ? [] : [each.localName]),
          ...[...each.attributes]
            .filter(
              ({ name, value }) => !/^(?:class|style)$/.test(name) && /[:/<>"-]|\d{3}/.test(value),
            )
            .map(({ name, value }) => `${name}=${value}`),
          ...[...((each as MathMLElement).style as unknown as Iterable<string>)].filter(
            (name) => !/^(?:padding|border)-/.test(name),
          ),
          ...[...each.classList].filter((name) => !name.startsWith('tml-')),
        ]),
      );
    assert.deepEqual([...new Set(found)], []);
    assert.equal(await chat.log.locator('mphantom, mpadded[width]').count(), 0);
    const outside = await chat.log.locator('.math').evaluateAll((all) => {
      const log = document.querySelector('.markdown')!.getBoundingClientRect();
      return all.filter((each) => {
        const { left, right } = each.getBoundingClientRect();
        return left < log.left - 1 || right > log.right + 1;
      }).length;
    });
    assert.equal(outside, 0);
  });

  it('the page draws formulas up to a limit for each text', async () => {
    const line = '$a_1$ '.repeat(400);
    await chat.show(reply('i1', `${line}\n\n`.repeat(5)));
    const unread = chat.log.getByTitle('Too much formatting. Shown as plain text.');
    await until('the last one', () => unread.last().isVisible());
    await chat.rest();
    const counts = [await chat.log.locator('math').count(), await unread.count()];
    assert.ok(Math.min(...counts) > 500, counts.join());
    assert.equal(counts[0]! + counts[1]!, 2_000);
    assert.equal(await chat.log.locator('.math').last().innerText(), '$a_1$');
  });

  it('the page draws no formula and no block of a conversation that is left', async () => {
    const formulas = `${'$a_1$ '.repeat(400)}\n\n`.repeat(20);
    await chat.show(reply('i1', formulas + '- a\n\n'.repeat(20_000)));
    await until('the first one', async () => (await chat.log.locator('math').count()) > 0);
    await chat.show(reply('i2', 'Other'));
    await chat.log.getByText('Other').waitFor();
    await chat.page.evaluate(`{
      window.made = 0;
      for (const name of ['createElement', 'createElementNS']) {
        const create = document[name].bind(document);
        document[name] = (...given) => {
          window.made++;
          return create(...given);
        };
      }
    }`);
    await chat.rest();
    assert.equal(await chat.page.evaluate('window.made'), 0);
  });
});
