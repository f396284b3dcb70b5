import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectFolder } from '../../harness/paths.ts';

type Files = Readonly<Record<string, string>>;

/** Returns the entry of the extension, which runs after a script of this folder. */
export async function entryAfter(script: string): Promise<Files> {
  return await bundlesAfter(await sourceOf(script), 'dist/extension.cjs');
}

/** Returns the bundles of the extension host and the stream keeper, which append each connection to a file. */
export async function recordingBundles(file: string): Promise<Files> {
  const source = await sourceOf('connectionRecorder.cjs');
  const recorder = source.replace("'CONNECTIONS_FILE'", JSON.stringify(file));
  return await bundlesAfter(recorder, 'dist/extension.cjs', 'dist/streamKeeper.cjs');
}

async function sourceOf(script: string): Promise<string> {
  return await readFile(path.join(import.meta.dirname, script), 'utf8');
}

async function bundlesAfter(source: string, ...bundles: readonly string[]): Promise<Files> {
  const entries = bundles.map(async (bundle) => {
    const code = await readFile(path.join(projectFolder, bundle), 'utf8');
    return [bundle, `${source}\n${code}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
