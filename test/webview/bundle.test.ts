import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';
import { projectFolder } from '../harness/paths.ts';
import themeData from './fixtures/themes.json' with { type: 'json' };

/** Bytes that the page's script may have, minified. */
const largestBundle = 245_000;

describe('The bundle of the page', () => {
  it('stays under 245 KB, and holds nothing of the host or of the schemas for it', async () => {
    const { outputFiles, metafile } = await esbuild.build({
      entryPoints: [path.join(projectFolder, 'src', 'webview', 'main.ts')],
      outdir: 'out',
      bundle: true,
      minify: true,
      format: 'iife',
      target: 'es2022',
      loader: { '.ttf': 'file' },
      metafile: true,
      write: false,
    });
    const script = outputFiles.find((file) => file.path.endsWith('.js'));
    assert.ok(
      script !== undefined && script.contents.length < largestBundle,
      `${script?.contents.length ?? 0} bytes`,
    );
    const inputs = Object.keys(metafile.inputs);
    assert.deepEqual(
      inputs.filter((input) => /valibot|src\/(?:host|chat|api)\//.test(input)),
      [],
    );
  });

  it('takes every colour from variables that the stock themes have', async () => {
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
