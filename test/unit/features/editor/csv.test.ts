import assert from 'node:assert/strict';
import { toCsv } from '../../../../src/features/editor/csv.ts';

describe('tables as CSV', () => {
  it('a table as CSV has quotes only where they are needed', () => {
    const rows = [
      ['Name', 'Note'],
      ['Ada', 'a, "b"\nc'],
      [' x ', ''],
    ];
    assert.equal(toCsv(rows), 'Name,Note\r\nAda,"a, ""b""\nc"\r\nx,');
  });

  it('a table as CSV escapes formulas but not numbers', () => {
    const cells = '=1+1 @SUM(A1) +cmd|1 -2+3 \u00A0=x \uFF1Dx - =HYPERLINK("a,b")'.split(' ');
    const numbers = ['-5', '+1,000.5', '-12 %', '-1e-3', '- 4', '2-3', 'a=b'];
    const escaped = `'=1+1,'@SUM(A1),'+cmd|1,'-2+3,'=x,'\uFF1Dx,'-,"'=HYPERLINK(""a,b"")"`;
    assert.equal(toCsv([cells]), escaped);
    assert.equal(toCsv([numbers]), '-5,"+1,000.5",-12 %,-1e-3,- 4,2-3,a=b');
  });

  it('a table as CSV escapes formulas after line breaks, tabs and semicolons', () => {
    for (const [cell, csv] of [
      ['a\n=WEBSERVICE(A1)\nb', `"a\n'=WEBSERVICE(A1)\nb"`],
      ['a\r\n @x', `"a\r\n' @x"`],
      ['a\t=1+1', `"a\t'=1+1"`],
      ['a;=1+1', `"a;'=1+1"`],
      ['a;"=1+1', `"a;'""=1+1"`],
      ['1;-5\n -6', '"1;-5\n -6"'],
    ] as const)
      assert.equal(toCsv([[cell]]), csv);
  });
});
