import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Where the bundles of the bench go, cleared with the rest of dist. */
const OUT = fileURLToPath(new URL('../../../dist/bench/', import.meta.url));

/** The paths of the bundled scripts. */
export interface Bundles {
  readonly measure: string;
  readonly server: string;
  readonly latency: string;
}

/**
 * Bundles what is measured, as the extension ships it: a process that strips types while it runs would count that too.
 */
export async function buildStreamBench(): Promise<Bundles> {
  const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  await build({
    entryPoints: [here('measure.ts'), here('server.ts'), here('latency.ts')],
    outdir: OUT,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    nodePaths: [here('../node_modules')],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return { measure: `${OUT}measure.mjs`, server: `${OUT}server.mjs`, latency: `${OUT}latency.mjs` };
}
