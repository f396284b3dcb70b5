import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface Manifest {
  readonly contributes: {
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly default: unknown }>>;
    };
  };
}

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

function shownDefault({ default: value }: { readonly default: unknown }): string {
  if (value === '') return 'empty';
  return Array.isArray(value) && value.length === 0 ? 'none' : `\`${String(value)}\``;
}

describe('docs/settings.md', () => {
  it('the table lists each setting with its default', () => {
    const { contributes } = JSON.parse(read('package.json')) as Manifest;
    const settings = Object.entries(contributes.configuration.properties);
    const rows = read('docs/settings.md').matchAll(/^\| `(interns\.\S+)` \| (\S+) \|/gm);
    assert.deepEqual(
      Array.from(rows, ([, id, value]) => `${id} ${value}`).sort(),
      settings.map(([id, setting]) => `${id} ${shownDefault(setting)}`).sort(),
    );
  });
});
