import { runQuietly, startProcess } from '../../harness/processes.ts';

/** Starts a server script, which prints where it listens. */
export async function startServer(script: string, ...args: readonly string[]) {
  const options = { ready: /^\S+(?=\n)/m };
  const { ready, ...server } = await startProcess(process.execPath, [script, ...args], options);
  return { ...server, at: ready[0] };
}

/** Runs a script to its end and reads the JSON that it prints. @throws Error if it fails */
export async function runScript(script: string, ...args: readonly string[]): Promise<unknown> {
  return JSON.parse(await runQuietly(process.execPath, [script, ...args]));
}

/** Like {@link runScript}, with the stand-in for `vscode`. */
export async function runWithVSCode(script: string, ...args: readonly string[]): Promise<unknown> {
  const hook = new URL('../../unit/support/vscodeHook.ts', import.meta.url).href;
  return await runScript('--import', hook, script, ...args);
}
