import assert from 'node:assert/strict';
import { csvOf } from '../../../../src/features/editor/csv.ts';

describe('a table as CSV', () => {
  it('has its cells quoted where they need it, and each row on a line of its own', () => {
    const rows = [
      ['Name', 'Note'],
      ['Ada', 'a, "b"\nc'],
      [' x ', ''],
    ];
    assert.equal(csvOf(rows), 'Name,Note\r\nAda,"a, ""b""\nc"\r\nx,');
  });

  it('runs nothing in a spreadsheet, and leaves numbers as they are', () => {
    const cells = [
      '=1+1',
      '@SUM(A1)',
      '+cmd|1',
      '-2+3',
      '\u00A0=x',
      '\uFF1Dx',
      '-',
      '=HYPERLINK("a,b")',
    ];
    const numbers = ['-5', '+1,000.5', '-12 %', '-1e-3', '- 4', '2-3', 'a=b'];
    assert.equal(
      csvOf([cells]),
      `'=1+1,'@SUM(A1),'+cmd|1,'-2+3,'=x,'\uFF1Dx,'-,"'=HYPERLINK(""a,b"")"`,
    );
    assert.equal(csvOf([numbers]), '-5,"+1,000.5",-12 %,-1e-3,- 4,2-3,a=b');
  });

  it('runs nothing where a cell is split at its line breaks, tabs or semicolons', () => {
    for (const [cell, csv] of [
      ['a\n=WEBSERVICE(A1)\nb', `"a\n'=WEBSERVICE(A1)\nb"`],
      ['a\r\n @x', `"a\r\n' @x"`],
      ['a\t=1+1', `"a\t'=1+1"`],
      ['a;=1+1', `"a;'=1+1"`],
      ['a;"=1+1', `"a;'""=1+1"`],
      ['1;-5\n -6', '"1;-5\n -6"'],
    ] as const)
      assert.equal(csvOf([[cell]]), csv);
  });
});
