import { run, runQuietly, type RunOptions } from './processes.ts';

const isWindows = process.platform === 'win32';
export const npmProgram = isWindows ? 'npm.cmd' : 'npm';

/** Installs packages into a folder outside this project. */
export async function npmInstall(folder: string, ...args: readonly string[]): Promise<void> {
  await runQuietly(npmProgram, ['install', '--no-audit', '--no-fund', ...args], {
    cwd: folder,
    env: withoutProject(process.env),
    shell: isWindows,
  });
}

/**
 * Runs a script of this project. Its output goes to `onOutput`, else to this process's output.
 * @returns its exit code
 */
export async function npmRun(
  script: string,
  args: readonly string[],
  options: Pick<RunOptions, 'env' | 'onOutput'>,
): Promise<number> {
  return await run(npmProgram, ['run', '--silent', script, '--', ...args], {
    ...options,
    shell: isWindows,
  });
}

/** Runs esbuild.mjs. If it fails, exits with its code. */
export async function build(...flags: readonly string[]): Promise<void> {
  const exitCode = await run(process.execPath, ['esbuild.mjs', ...flags]);
  if (exitCode !== 0) process.exit(exitCode);
}

/** Writes dist/interns.vsix, as `npm run package` does. */
export async function packageExtension(): Promise<void> {
  await runQuietly(npmProgram, ['run', '--silent', 'package'], { shell: isWindows });
}

/** Variables of the npm that runs this script, which would mislead the npm that installs elsewhere. */
function withoutProject(env: NodeJS.ProcessEnv): Record<string, undefined> {
  const own = /^npm_(package|lifecycle|command|config_(local_prefix|prefix|global_prefix))/i;
  const names = Object.keys(env).filter((name) => own.test(name));
  return Object.fromEntries(names.map((name) => [name, undefined]));
}
