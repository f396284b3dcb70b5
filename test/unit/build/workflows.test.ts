import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { projectFolder } from '../../harness/paths.ts';

const workflows = globSync('.github/workflows/*.yml', { cwd: projectFolder })
  .map((file) => readFileSync(path.join(projectFolder, file), 'utf8'))
  .join('\n');
const stepsOf = (kind: string) =>
  Array.from(workflows.matchAll(new RegExp(`\\b${kind}: (.+)$`, 'gm')), ([, value]) => value!);

describe('The workflows', () => {
  it('each action is pinned by the hash of a commit', () => {
    const actions = stepsOf('uses');
    assert.ok(actions.length > 5);
    for (const action of actions)
      assert.match(action, /^actions\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('each command is one npm script of this project', () => {
    for (const command of stepsOf('run')) {
      const [, script] = /^npm (?:run )?([\w:-]+)(?: -- "\$GITHUB_REF_NAME")?$/.exec(command) ?? [];
      assert.ok(script === 'ci' || Object.keys(manifest.scripts).includes(script!), command);
    }
  });

  it('each npm script runs only packages that a lock file pins', () => {
    for (const script of Object.values(manifest.scripts))
      assert.doesNotMatch(script, /\bnpx\b|npm (?:exec|install|i)\b/);
  });
});
