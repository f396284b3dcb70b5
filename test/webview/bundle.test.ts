import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { distFolder, projectFolder } from '../harness/paths.ts';
import themeData from './fixtures/themes.json' with { type: 'json' };

/** Most bytes of each minified script. Only main.js is loaded by every page. */
const largest = {
  ...{ 'main.js': 156_000, 'sanitize.js': 35_000 },
  ...{ 'languages.js': 88_000, 'formula.js': 180_000 },
} as const;

interface Metafile {
  readonly outputs: Record<string, { bytes: number; inputs: Record<string, unknown> } | undefined>;
}

describe('The bundles of the page', () => {
  it('the bundles of the page stay small and free of host code', async () => {
    const meta = await readFile(path.join(distFolder, 'meta.json'), 'utf8');
    const { outputs } = JSON.parse(meta) as Metafile;
    for (const [name, most] of Object.entries(largest)) {
      const bytes = outputs[`dist/webview/${name}`]?.bytes ?? Infinity;
      assert.ok(bytes < most, `${name}: ${bytes} bytes`);
    }
    const inputs = Object.keys(outputs['dist/webview/main.js']?.inputs ?? {});
    assert.deepEqual(
      inputs.filter((input) =>
        /valibot|highlight\.js|temml|src\/(?:api|conversation|features|platform)\//.test(input),
      ),
      [],
    );
  });

  it('the icon font has exactly the icons that the sources name', async () => {
    const sheet = await readFile(path.join(distFolder, 'webview', 'main.css'), 'utf8');
    const font = await stat(path.join(distFolder, 'webview', 'codicon.ttf'));
    assert.ok(font.size < 30_000, `${font.size} bytes of font`);
    const files = globSync('src/webview/**/*.ts', { cwd: projectFolder });
    const sources = files
      .map((file) => readFileSync(path.join(projectFolder, file), 'utf8'))
      .join();
    const named = Array.from(
      sources.matchAll(/\b(?:icon|iconButton)\(\s*'([a-z-]+)'|codicon-([a-z-]+)/g),
      ([, one, other]) => one ?? other,
    );
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.filter((name) => !sheet.includes(`.codicon-${name}:before`)),
      [],
    );
  });

  it('the styles take every color from variables that the stock themes have', async () => {
    const folder = path.join(projectFolder, 'src', 'webview', 'styles');
    const sheets = await Promise.all(
      (await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')),
    );
    const used = new Set(sheets.join('').match(/--vscode-[\w-]+/g));
    const known = Object.values(themeData.themes).flatMap(({ variables }) =>
      Object.keys(variables),
    );
    assert.deepEqual(
      [...used].filter((name) => !known.includes(name)),
      [],
    );
    assert.doesNotMatch(sheets.join(''), /#[\da-f]{6}\b/i);
  });
});
