import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Runnable, Suite } from 'mocha';
import { names, RULES } from '../rules.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Each column of the table, and the test files that fill it. */
const COLUMNS = [
  { column: 'service', files: 'test/service/**/*.test.ts' },
  { column: 'client', files: 'test/unit/**/*.test.ts' },
] as const;

function testsOf(suite: Suite): Runnable[] {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)];
}

function rootOf(suite: Suite): Suite {
  return suite.parent === undefined ? suite : rootOf(suite.parent);
}

/** The rows' titles that no test of `titles` has. */
function unheld(column: 'service' | 'client', titles: readonly string[]): string[] {
  return RULES.flatMap((rule) =>
    rule[column]
      .filter((named) => !titles.some((title) => names(named, title)))
      .map((named) => `${rule.id}: ${named}`),
  );
}

/**
 * Known only when everything has run. A run of some files, or of some titles, proves nothing about the others: a column is
 * judged when all of its files were loaded and all of their tests were executed.
 */
after(function () {
  const all = testsOf(rootOf(this.test!.parent!));
  for (const { column, files } of COLUMNS) {
    const expected = globSync(files, { cwd: ROOT }).map((file) => resolve(ROOT, file));
    const own = all.filter(({ file }) => file !== undefined && expected.includes(file));
    const loaded = new Set(own.map(({ file }) => file));
    const whole = expected.every((file) => loaded.has(file));
    if (!whole || own.some(({ state }) => state === undefined)) continue;
    const passed = own.filter(({ state }) => state === 'passed').map((test) => test.fullTitle());
    assert.deepEqual(unheld(column, passed), [], `rules whose ${column} test did not pass`);
  }
});

describe('rules of the interface', () => {
  it('each have a test or a sentence that says why not', () => {
    const bare = RULES.filter(({ service, client }) => service.length + client.length === 0);
    assert.deepEqual(
      bare.filter(({ why }) => why === undefined || !/^[A-Z].*\.$/.test(why)),
      [],
    );
  });

  it('have unique ids, in order', () => {
    const ids = RULES.map(({ id }) => id.split('.').map(Number) as [number, number]);
    for (const [index, [section, number]] of ids.entries()) {
      const [before, last] = ids[index - 1] ?? [0, 0];
      assert.ok(section === before ? number === last + 1 : section === before + 1 && number === 1);
    }
  });

  it('are named only by titles that end in a star where they stand for several', () => {
    assert.ok(names('a b', 'a b'));
    assert.ok(!names('a b', 'a b c'));
    assert.ok(names('a b*', 'a b c'));
    assert.ok(!names('a b*', 'a c'));
  });
});
