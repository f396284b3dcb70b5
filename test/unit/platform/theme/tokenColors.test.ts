import assert from 'node:assert/strict';
import { codeColors, readRules } from '../../../../src/platform/theme/tokenColors.ts';

const rule = (scope: unknown, foreground: unknown): unknown => ({
  scope,
  settings: { foreground },
});

describe('codeColors', () => {
  it('a token takes the color of the longest matching selector', () => {
    const rules = readRules([
      rule('comment', '#111111'),
      rule(['constant', 'constant.numeric'], '#222222'),
      rule('constant', '#333333'),
      rule('string, string.quoted.double', '#444'),
      rule('string', '#555'),
    ]);
    const { comment, number, literal, string } = codeColors(rules);
    assert.deepEqual([comment, number, literal, string], ['#111111', '#222222', '#333333', '#555']);
  });

  it('the colors of code ignore theme rules with similar names or a context', () => {
    const rules = readRules([
      rule('commentary', '#111111'),
      rule('meta.tag comment', '#222222'),
      rule('comment - string', '#333333'),
    ]);
    assert.deepEqual(codeColors(rules), {});
  });

  it('the colors of code come only from a theme', () => {
    const url = 'red; background: url(https://x.test)';
    const hostile = [url, 'url(x)', 7, null, '#12345', '#gggggg', ''];
    assert.deepEqual(codeColors(readRules(hostile.map((color) => rule('comment', color)))), {});
    for (const nothing of [undefined, './theme.tmTheme', {}, [1, null, {}]])
      assert.deepEqual(codeColors(readRules(nothing)), {});
  });
});
