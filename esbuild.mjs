/**
 * Builds the extension and its suites.
 *
 *     node esbuild.mjs                 the bundles of dist/*.cjs and dist/webview, with source maps
 *     node esbuild.mjs --production    the bundles of the VSIX: the same, minified
 *     node esbuild.mjs --watch         the same as the first, again on every change
 *     node esbuild.mjs --suites        dist/test/vscode: the suites that run inside the extension host
 */
import { glob, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import subsetFont from 'subset-font';

/** The oldest Node and Chromium of the editors in `engines.vscode`. */
const oldestNode = 'node20';
const oldestPage = 'es2022';

/**
 * Gives each module VS Code's own API object. By default, esbuild copies it with its hundreds of properties for every
 * module that imports it as a namespace, which takes longer than the rest of activation.
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
 * Leaves a module that is imported by `import()` out of a bundle: it has its own, loaded when needed.
 *
 * @type {(name: string, bundle: string) => esbuild.Plugin}
 */
const splitBundle = (name, bundle) => ({
  name: `split-${name}`,
  setup(build) {
    build.onResolve({ filter: new RegExp(`/${name}\\.ts$`) }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: bundle, external: true } : undefined,
    );
  },
});

/**
 * Removes unused icons and their glyphs: most of the page's styles, and nine tenths of its font.
 *
 * @type {esbuild.Plugin}
 */
const usedIconsOnly = {
  name: 'used-icons-only',
  setup(build) {
    let glyphs = '';
    build.onLoad({ filter: /[\\/]codicon\.css$/ }, async ({ path: file }) => {
      const files = await Array.fromAsync(glob('src/{webview,protocol}/**/*.{ts,css}'));
      const sources = (await Promise.all(files.map((each) => readFile(each, 'utf8')))).join('\n');
      const named = new Set(
        Array.from(
          sources.matchAll(/'([a-z\d-]+)'|codicon-([a-z\d-]+)/g),
          ([, one, other]) => one ?? other,
        ),
      );
      const glyphOf = (code) => String.fromCodePoint(Number.parseInt(code, 16));
      glyphs = Array.from(sources.matchAll(/content: '\\([\da-f]{4})'/g), ([, code]) =>
        glyphOf(code),
      ).join('');
      const icon = /^\.codicon-([a-z\d-]+):before \{ content: "\\([\da-f]+)" \}\n/gm;
      const contents = (await readFile(file, 'utf8')).replace(icon, (rule, name, code) => {
        if (!named.has(name)) return '';
        glyphs += glyphOf(code);
        return rule;
      });
      return {
        contents,
        loader: 'css',
        watchFiles: [file, ...files.map((each) => path.resolve(each))],
      };
    });
    build.onLoad({ filter: /[\\/]codicon\.ttf$/ }, async ({ path: file }) => {
      const contents = await subsetFont(await readFile(file), glyphs, { targetFormat: 'truetype' });
      return { contents, loader: 'file' };
    });
  },
};

/** The bundles that the page loads on demand: the sanitizer of raw HTML, syntax colors and math. */
const pageParts = [
  'src/webview/markdown/draw/sanitize.ts',
  'src/webview/highlight/languages.ts',
  'src/webview/markdown/draw/formula.ts',
];

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
  /** @type {esbuild.BuildOptions} */
  const page = {
    ...common,
    outdir: 'dist/webview',
    platform: 'browser',
    target: oldestPage,
  };
  /** @type {esbuild.BuildOptions} */
  const host = {
    ...common,
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    platform: 'node',
    target: oldestNode,
  };
  return [
    {
      ...host,
      entryPoints: ['src/extension.ts', 'src/main.ts'],
      // Older versions of VS Code give their API only to `require`, not to `import`.
      supported: { 'dynamic-import': false },
      external: ['vscode'],
      plugins: [vscodeAsItIs, splitBundle('main', './main.cjs')],
    },
    {
      ...host,
      entryPoints: {
        streamKeeper: 'src/streamKeeper/keeper.ts',
        uninstall: 'src/streamKeeper/uninstall.ts',
      },
    },
    {
      ...page,
      entryPoints: ['src/webview/main.ts'],
      format: 'iife',
      loader: { '.ttf': 'file' },
      assetNames: '[name]',
      plugins: [
        usedIconsOnly,
        ...pageParts.map((part) => {
          const { name } = path.parse(part);
          return splitBundle(name, `./${name}.js`);
        }),
      ],
    },
    ...pageParts.map((part) => ({ ...page, entryPoints: [part], format: 'esm' })),
  ];
}

/** Builds the extension and its page, and writes the metafile to dist/meta.json. */
async function build(options) {
  const results = await Promise.all(parts(options).map((part) => esbuild.build(part)));
  const inputs = Object.assign({}, ...results.map(({ metafile }) => metafile.inputs));
  const outputs = Object.assign({}, ...results.map(({ metafile }) => metafile.outputs));
  await writeFile('dist/meta.json', JSON.stringify({ inputs, outputs }));
  await removeOthers('dist/{*.cjs*,webview/**/*.*}', Object.keys(outputs));
}

/**
 * Builds on every change. The task in .vscode forgets all errors when a build starts, so bundles that are built at the
 * same time count as one build, which also prints the errors of the other bundles again.
 */
async function watch() {
  const all = parts({ production: false });
  /** @type {Map<esbuild.PluginBuild, esbuild.BuildResult>} */
  const results = new Map();
  let running = 0;
  /** @type {esbuild.Plugin} */
  const report = {
    name: 'report',
    setup(build) {
      build.onStart(() => {
        running += 1;
        if (running === 1) process.stdout.write('[watch] build started\n');
      });
      build.onEnd(async (result) => {
        results.set(build, result);
        running -= 1;
        // The task waits for the first "build finished", so all bundles must exist by then.
        if (running > 0 || results.size < all.length) return;
        await printMessages([...results.values()]);
        process.stdout.write('[watch] build finished\n');
      });
    },
  };
  const contexts = await Promise.all(
    all.map(({ plugins = [], ...part }) =>
      esbuild.context({ ...part, logLevel: 'silent', plugins: [...plugins, report] }),
    ),
  );
  await Promise.all(contexts.map((context) => context.watch()));
}

/**
 * Prints each warning and error once: bundles share files.
 *
 * @type {(results: esbuild.BuildResult[]) => Promise<void>}
 */
async function printMessages(results) {
  const color = process.stdout.isTTY;
  for (const kind of /** @type {const} */ (['warning', 'error'])) {
    const messages = results.flatMap((result) => result[`${kind}s`]);
    const texts = new Set(await esbuild.formatMessages(messages, { kind, color }));
    process.stdout.write([...texts].join(''));
  }
}

/** Bundles each suite of test/vscode, and the function that runs them in the extension host. */
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
    // Node 20 wraps the default export of Mocha's main module, which is an ES module.
    alias: { mocha: 'mocha/lib/mocha.cjs' },
    external: ['vscode', 'mocha/*'],
    metafile: true,
    sourcemap: 'inline',
    sourcesContent: false,
    logLevel: 'warning',
  });
  await removeOthers('dist/test/**/*.cjs', Object.keys(metafile.outputs));
}

/** Removes files of earlier builds, such as deleted suites and source maps. */
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
  // esbuild has already printed its errors.
  if (!('errors' in error)) throw error;
  process.exitCode = 1;
}
