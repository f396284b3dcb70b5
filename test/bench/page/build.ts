import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { build as buildExtension } from '../../harness/npm.ts';
import { distFolder } from '../../harness/paths.ts';

const outFolder = path.join(distFolder, 'bench', 'page');
const shippedFolder = path.join(distFolder, 'webview');

/** The files that the bench serves, by name. */
export type Files = ReadonlyMap<string, Buffer>;

/**
 * Bundles the page of the extension as it is shipped, and its contenders.
 *
 * @param contenders names of files in browser/contenders
 */
export async function buildPageBench(contenders: readonly string[]): Promise<Files> {
  const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const { metafile } = await build({
    entryPoints: contenders.map((name) => here(`browser/contenders/${name}.ts`)),
    outdir: outFolder,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    nodePaths: [here('../node_modules')],
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'error',
  });
  await buildExtension('--production');
  const shipped = (await readdir(shippedFolder)).map((name) => path.join(shippedFolder, name));
  const files = new Map<string, Buffer>();
  for (const file of [...shipped, ...Object.keys(metafile.outputs)])
    files.set(path.basename(file), await readFile(file));
  return files;
}
