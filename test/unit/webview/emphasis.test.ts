import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Token } from 'marked';
import { lex } from '../../../src/webview/markdown/parse/lexer.ts';

const TAGS: Readonly<Record<string, string>> = { strong: 'b', em: 'i', del: 's' };

/** Returns text with its emphasis as tags: `b`, `i`, `s`. */
function emphasisOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const { type, raw, tokens: inner } = token as Token & { readonly tokens?: Token[] };
      const text = inner === undefined ? raw : emphasisOf(inner);
      const tag = TAGS[type];
      return tag === undefined ? text : `<${tag}>${text}</${tag}>`;
    })
    .join('');
}

function assertEmphasis(cases: readonly (readonly [text: string, drawn: string])[]): void {
  for (const [text, drawn] of cases) assert.equal(emphasisOf(lex(text)), drawn);
}

describe('emphasis', () => {
  it('the lexer strikes out nothing between single tildes', () => {
    assertEmphasis([
      ['需要3~5天，最多10~20天。', '需要3~5天，最多10~20天。'],
      ['约~5天或者~10天，~（多）~', '约~5天或者~10天，~（多）~'],
      ['takes 3~5 days or 10~20', 'takes 3~5 days or 10~20'],
      ['run ~/a, ~/b and ~~c~~', 'run ~/a, ~/b and <s>c</s>'],
    ]);
  });
});

describe('emphasis beside Chinese, Japanese and Korean', () => {
  it('the lexer closes emphasis between punctuation and a letter', () => {
    assertEmphasis([
      ['**注意：**这很重要', '<b>注意：</b>这很重要'],
      ['**この文は太字です。**この文のせいで。', '<b>この文は太字です。</b>この文のせいで。'],
      ['**이 별표는(괄호)**는 강조', '<b>이 별표는(괄호)</b>는 강조'],
      ['*注意：*这，***注意：***这', '<i>注意：</i>这，<i><b>注意：</b></i>这'],
      ['占**100%**的', '占<b>100%</b>的'],
      ['**重点✅**和**𠮷”**的', '<b>重点✅</b>和<b>𠮷”</b>的'],
      ['~~旧（一）~~新，~~**旧：**~~新', '<s>旧（一）</s>新，<s><b>旧：</b></s>新'],
    ]);
  });

  it('the lexer opens emphasis between a letter and punctuation', () => {
    assertEmphasis([
      ['这是**“重要”**的', '这是<b>“重要”</b>的'],
      ['これは**「重要」**です', 'これは<b>「重要」</b>です'],
      ['使用**`code`**时', '使用<b>`code`</b>时'],
      ['见**[链接](https://a.test)**的', '见<b>链接</b>的'],
      ['**C#**や**F#**は', '<b>C#</b>や<b>F#</b>は'],
      ['a(**是**否)，“**不**”', 'a(<b>是</b>否)，“<b>不</b>”'],
      ['旧~~（一）~~新', '旧<s>（一）</s>新'],
    ]);
  });

  it('the lexer opens nothing that only looks like emphasis', () => {
    assertEmphasis([
      ['src/**/*.ts 和 **重点**', 'src/**/*.ts 和 <b>重点</b>'],
      ['2**n 和 **重点**。', '2**n 和 <b>重点</b>。'],
      ['2**n 和 *重点*。', '2**n 和 <i>重点</i>。'],
      ['传入 **kwargs，然后 **参数', '传入 **kwargs，然后 **参数'],
      ['变量_(a)_文', '变量_(a)_文'],
      ['`**注意：**`这', '`**注意：**`这'],
    ]);
  });

  it('a reply with Chinese does not change the emphasis of its other paragraphs', () => {
    const pieces = fc.constantFrom(...['**', '*', '_', '~~', '~', 'a', ' ', '(', '.', '“', '😀']);
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = `x${parts.join('')}`;
        assert.deepEqual(lex(`${text}\n\n中`)[0], lex(text)[0]);
      }),
    );
  });
});
