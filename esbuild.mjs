/**
 * Builds what runs.
 *
 *     node esbuild.mjs                 dist/extension.cjs, dist/main.cjs and dist/webview, with source maps
 *     node esbuild.mjs --production    the same, minified, without source maps, and the README: what the VSIX holds
 *     node esbuild.mjs --watch         the same as the first, again on every change
 *     node esbuild.mjs --suites        dist/test/vscode: the suites that run inside the extension host
 */
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';

/** The oldest Node among the extension hosts of `engines.vscode`, and the oldest Chromium among their windows. */
const oldestNode = 'node20';
const oldestPage = 'es2022';

/**
 * Gives each module VS Code's own API object. By itself esbuild copies that object, hundreds of properties, once for
 * every module that imports it as a namespace, which takes longer than all else that activation does.
 *
 * @type {esbuild.Plugin}
 */
const vscodeAsItIs = {
  name: 'vscode-as-it-is',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const namespace = "import * as vscode from 'vscode';";
      const contents = source.replace(namespace, "import vscode = require('vscode');");
      return { contents, loader: 'ts' };
    });
  },
};

/**
 * Keeps the main part out of the entry's bundle: it is a bundle of its own, which the entry loads once VS Code no longer
 * waits for it.
 *
 * @type {esbuild.Plugin}
 */
const mainApart = {
  name: 'main-apart',
  setup(build) {
    build.onResolve({ filter: /^\.\/main\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './main.cjs', external: true } : undefined,
    );
  },
};

/** @type {(options: { production: boolean }) => esbuild.BuildOptions[]} */
function parts({ production }) {
  /** @type {esbuild.BuildOptions} */
  const common = {
    bundle: true,
    metafile: true,
    minify: production,
    sourcemap: !production,
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'warning',
  };
  return [
    {
      ...common,
      entryPoints: ['src/extension.ts', 'src/main.ts'],
      outdir: 'dist',
      outExtension: { '.js': '.cjs' },
      format: 'cjs',
      platform: 'node',
      target: oldestNode,
      // VS Code hands its API to what is required, and to what is imported only in its newer versions.
      supported: { 'dynamic-import': false },
      external: ['vscode'],
      plugins: [vscodeAsItIs, mainApart],
    },
    {
      ...common,
      entryPoints: ['src/webview/main.ts'],
      outdir: 'dist/webview',
      format: 'iife',
      platform: 'browser',
      target: oldestPage,
      loader: { '.ttf': 'file' },
      assetNames: '[name]',
    },
  ];
}

/** Builds the extension and its page, and writes which input went where, in bytes, to dist/meta.json. */
async function build(options) {
  const results = await Promise.all(parts(options).map((part) => esbuild.build(part)));
  const inputs = Object.assign({}, ...results.map(({ metafile }) => metafile.inputs));
  const outputs = Object.assign({}, ...results.map(({ metafile }) => metafile.outputs));
  await writeFile('dist/meta.json', JSON.stringify({ inputs, outputs }));
  await removeOthers('dist/{*.cjs*,webview/**/*.*}', Object.keys(outputs));
  if (options.production) await writeReadme();
}

/**
 * Writes the README that the VSIX holds, to dist/README.md: without the pictures of this repository. VS Code's page of
 * an installed extension shows pictures of https addresses only, and leaves a gap for one in the VSIX or in the text.
 */
async function writeReadme() {
  const text = await readFile('README.md', 'utf8');
  await writeFile('dist/README.md', text.replace(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, ''));
}

async function watch() {
  const contexts = await Promise.all(
    parts({ production: false }).map((part) => esbuild.context({ ...part, logLevel: 'info' })),
  );
  await Promise.all(contexts.map((context) => context.watch()));
}

/** Bundles the suites of test/vscode, a bundle each, and the function that the extension host calls to run them. */
async function buildSuites() {
  const suites = await Array.fromAsync(glob('test/vscode/**/*.test.ts'));
  const { metafile } = await esbuild.build({
    entryPoints: ['test/harness/extensionHostRunner.ts', ...suites],
    outbase: 'test',
    outdir: 'dist/test',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: oldestNode,
    // Mocha's main module is an ES module, whose default export Node 20 gives to a bundle in another shape.
    alias: { mocha: 'mocha/lib/mocha.cjs' },
    external: ['vscode', 'mocha/*'],
    metafile: true,
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  });
  await removeOthers('dist/test/**/*.cjs', Object.keys(metafile.outputs));
}

/** Removes what an earlier build left under `pattern`: a suite that is gone, a source map that must not be packaged. */
async function removeOthers(pattern, outputs) {
  for await (const file of glob(pattern)) {
    if (!outputs.includes(file.replaceAll('\\', '/'))) await rm(file);
  }
}

const { values } = parseArgs({
  options: {
    production: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    suites: { type: 'boolean', default: false },
  },
});

process.chdir(import.meta.dirname);
try {
  if (values.watch) await watch();
  else if (values.suites) await buildSuites();
  else await build(values);
} catch (error) {
  // What esbuild could not build, it has already said.
  if (!('errors' in error)) throw error;
  process.exitCode = 1;
}
