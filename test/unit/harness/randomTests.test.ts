import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { failures, parametersOf } from '../../harness/randomTests.ts';
import { useTemporaryFolder } from '../support/folders.ts';

describe('a random test that fails', () => {
  const temporary = useTemporaryFolder();
  const { folder } = failures;
  const property = fc.property(fc.array(fc.nat()), (numbers) => assert.ok(numbers.length < 2));

  beforeEach(() => (failures.folder = path.join(temporary.path, 'failures')));
  afterEach(() => (failures.folder = folder));

  /** Fails a random test. Returns its output and the name of the stored file. */
  function fail(seed: string): { readonly printed: string; readonly file: string } {
    let printed = '';
    try {
      fc.assert(property, parametersOf(seed));
    } catch (failure) {
      printed = (failure as Error).message;
    }
    const [file = ''] = readdirSync(failures.folder);
    return { printed, file };
  }

  it('a failing random test prints and stores its seed and its smallest case', () => {
    const { printed, file } = fail('-7');
    assert.match(file, /stores-its-seed.*\.-7\.txt$/);
    const kept = readFileSync(path.join(failures.folder, file), 'utf8');
    for (const text of [printed, kept])
      assert.match(text, /^ {2}0\n {2}0\nAssertionError[^]*INTERNS_TEST_SEED=-7:\d[\d:]*\n/m);
  });

  it('a printed seed repeats the failing case of a random test at once', () => {
    const seed = /INTERNS_TEST_SEED=(\S+)/.exec(fail('-7').printed)?.[1] ?? '';
    assert.match(
      fail(seed).printed,
      /^Case 1 failed. Made smaller 0 times, it is:\n {2}0\n {2}0\n/,
    );
  });

  it('random tests refuse an invalid seed', () => {
    assert.deepEqual(parametersOf(undefined), {});
    assert.deepEqual(parametersOf('-12'), { seed: -12 });
    assert.throws(() => parametersOf('latest'), /INTERNS_TEST_SEED is no seed: latest/);
  });
});
