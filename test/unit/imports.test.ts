import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const src = fileURLToPath(new URL('../../src/', import.meta.url));

/** The imports of each file, including types. */
const imports = new Map(
  globSync('**/*.ts', { cwd: src }).map((file) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(src, file), 'utf8'));
    const own = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
    return [file, own.map(({ fileName }) => join(dirname(file), fileName))];
  }),
);

describe('the files of src', () => {
  it('the files of src have no circular imports', () => {
    const done = new Set<string>();
    const visit = (file: string, way: readonly string[]): void => {
      assert.ok(!way.includes(file), [...way, file].join(' > '));
      if (done.has(file)) return;
      for (const next of imports.get(file) ?? []) visit(next, [...way, file]);
      done.add(file);
    };
    assert.ok(imports.size > 100);
    for (const file of imports.keys()) visit(file, []);
  });
});
