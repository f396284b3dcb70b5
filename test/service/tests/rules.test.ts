import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../harness/paths.ts';

interface Rule {
  readonly id: string;
  /** Why one side has no test for it. */
  readonly untested: string | undefined;
}

/** The rules of test/service/rules.md, in order. */
function readRules(): readonly Rule[] {
  const text = readFileSync(path.join(projectFolder, 'test', 'service', 'rules.md'), 'utf8');
  return [...text.matchAll(/^- (\d+\.\d+) .+\n(?: {2}Untested: (.+)\n)?/gm)].map(
    ([, id = '', untested]) => ({ id, untested }),
  );
}

/** Returns the IDs in comments such as `// Rules 5.1, 5.2`. */
function tagsIn(pattern: string): ReadonlySet<string> {
  const files = globSync(pattern, { cwd: projectFolder });
  const texts = files.map((file) => readFileSync(path.join(projectFolder, file), 'utf8'));
  const tags = texts.flatMap((text) => [...text.matchAll(/^ *\/\/ Rules? ([\d., ]+)$/gm)]);
  return new Set(tags.flatMap(([, ids = '']) => ids.split(', ')));
}

describe('rules of the API', () => {
  const rules = readRules();
  const sides = {
    service: tagsIn('test/{service/tests/*,unit/**/*.service}.test.ts'),
    client: tagsIn('test/unit/**/*.test.ts'),
  };

  it('the IDs of the rules count up within their sections', () => {
    const expected = rules.map((_, index) => {
      const [section, number] = (rules[index - 1]?.id ?? '0.0').split('.').map(Number);
      return [`${section}.${number! + 1}`, `${section! + 1}.1`];
    });
    assert.ok(rules.length > 250);
    for (const [index, { id }] of rules.entries()) assert.ok(expected[index]!.includes(id), id);
  });

  for (const [side, tags] of Object.entries(sides)) {
    it(`tests of the ${side} cover every rule without a reason for being untested`, () => {
      const bare = rules.filter(({ id, untested }) => !tags.has(id) && untested === undefined);
      assert.deepEqual(bare, []);
    });

    it(`tests of the ${side} name only rules that exist`, () => {
      const ids = new Set(rules.map(({ id }) => id));
      assert.deepEqual(
        [...tags].filter((tag) => !ids.has(tag)),
        [],
      );
    });
  }

  it('a rule that both sides test gives no reason for being untested', () => {
    const { service, client } = sides;
    const held = rules.filter(({ id }) => service.has(id) && client.has(id));
    assert.deepEqual(
      held.filter(({ untested }) => untested !== undefined),
      [],
    );
  });
});
