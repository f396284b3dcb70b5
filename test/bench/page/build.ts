import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const outFolder = fileURLToPath(new URL('../../../dist/bench/page/', import.meta.url));

/** The files that the bench serves, by their names. */
export type Files = ReadonlyMap<string, Buffer>;

/**
 * Bundles the page of the extension as it is shipped, and each way of drawing that it is measured against.
 *
 * @param contenders names of files in browser/contenders
 */
export async function buildPageBench(contenders: readonly string[]): Promise<Files> {
  const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const { metafile } = await build({
    entryPoints: [
      { in: here('../../../src/webview/main.ts'), out: 'main' },
      ...contenders.map((name) => ({ in: here(`browser/contenders/${name}.ts`), out: name })),
    ],
    outdir: outFolder,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    nodePaths: [here('../node_modules')],
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'error',
  });
  const files = new Map<string, Buffer>();
  for (const path of Object.keys(metafile.outputs)) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    files.set(name, await readFile(`${outFolder}${name}`));
  }
  return files;
}
