import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from './paths.ts';

/** How long a process may take to end after SIGTERM, in milliseconds, before SIGKILL. */
const graceMs = 3_000;

/** How many characters of output are kept for an error message. */
const keptOutput = 10_000;

export interface ProcessOptions {
  readonly cwd?: string;
  /** Added to this process's environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** True to start it through a shell, as .cmd files on Windows need. */
  readonly shell?: boolean;
}

/** A background program, until it is disposed or this process exits. */
export interface BackgroundProcess extends AsyncDisposable {
  readonly pid: number;
  readonly ready: RegExpExecArray;
  /** The end of its output, of both streams. */
  readonly output: () => string;
  /** Resolves with the exit code, or null after a signal. */
  readonly ended: Promise<number | null>;
}

const groups = new Set<number>();
// This is the first exit listener: a process that still runs would write into folders that are being removed.
process.prependListener('exit', () => {
  for (const pid of groups) signalGroup(pid, 'SIGKILL');
});

const parentCheckMs = 500;

/**
 * Exits on Ctrl+C, a closed terminal or SIGTERM, so that background programs end too. They lead their own process
 * groups, which a terminal's Ctrl+C does not reach.
 * @param exitCode by default the shell's own code for the signal
 */
export function exitOnSignals(exitCode?: number): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => process.exit(exitCode ?? code));
  }
  if (process.env['npm_lifecycle_event'] !== undefined) exitWithParent(exitCode ?? 143);
}

/** Exits when npm is gone: a signal to npm does not reach what it runs, but this process gets another parent. */
function exitWithParent(exitCode: number): void {
  const parent = process.ppid;
  const check = () => {
    if (process.ppid !== parent) process.exit(exitCode);
  };
  setInterval(check, parentCheckMs).unref();
}

export interface RunOptions extends ProcessOptions {
  /** Receives both streams, which otherwise go to this process's output. */
  readonly onOutput?: (text: string) => void;
}

/** Returns the file of the first of these programs that is on the PATH. */
export function firstProgram(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return files.find((file) => existsSync(file));
}

/**
 * Runs a program to its end.
 * @returns its exit code; 1 after a signal
 */
export async function run(
  command: string,
  args: readonly string[],
  { onOutput, ...options }: RunOptions = {},
): Promise<number> {
  const output = onOutput === undefined ? 'inherit' : 'pipe';
  const child = spawn(command, args, {
    ...spawnOptions(options),
    stdio: ['ignore', output, output],
  });
  if (onOutput !== undefined) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', onOutput);
    }
  }
  return await tracked(child, async () => {
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? 1;
  });
}

/**
 * Runs a program to its end and prints nothing.
 * @returns its standard output
 * @throws Error with the end of its output if its exit code is not 0
 */
export async function runQuietly(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
) {
  const child = spawn(command, args, {
    ...spawnOptions(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return await tracked(child, async () => {
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    if (code === 0) return stdout;
    const said = (stdout + stderr).slice(-keptOutput);
    throw new Error(`${command} ${args.join(' ')} ended with ${String(code)}:\n${said}`);
  });
}

/**
 * Starts a program in its own process group, and waits until its output matches `ready`.
 * @throws Error with the end of its output if it ends before that, or takes longer than `timeoutMs`
 */
export async function startProcess(
  command: string,
  args: readonly string[],
  { ready, timeoutMs = 60_000, ...options }: ProcessOptions & { ready: RegExp; timeoutMs?: number },
): Promise<BackgroundProcess> {
  const child = spawn(command, args, {
    ...spawnOptions(options),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const pid = await started(child, command);
  groups.add(pid);
  const ended = (once(child, 'exit') as Promise<[number | null]>).then(([code]) => code);
  const log = collect(child);
  const background = {
    pid,
    ended,
    output: log.text,
    [Symbol.asyncDispose]: () => end(pid, ended),
  };
  try {
    const early = ended.then((code) => Promise.reject(new Error(`ended with ${String(code)}`)));
    return { ...background, ready: await Promise.race([log.match(ready, timeoutMs), early]) };
  } catch (error) {
    await background[Symbol.asyncDispose]();
    throw new Error(`${command} ${args.join(' ')} did not start:\n${log.text()}`, { cause: error });
  }
}

function spawnOptions({ cwd = projectFolder, env, shell = false }: ProcessOptions) {
  return { cwd, env: { ...process.env, ...env }, shell };
}

async function started(child: ChildProcess, command: string): Promise<number> {
  if (child.pid !== undefined) return child.pid;
  const [error] = (await once(child, 'error')) as [Error];
  throw new Error(`${command} could not be started`, { cause: error });
}

async function tracked<T>(child: ChildProcess, use: () => Promise<T>): Promise<T> {
  const stop = () => child.kill();
  process.once('exit', stop);
  try {
    return await use();
  } finally {
    process.off('exit', stop);
  }
}

async function text(stream: NodeJS.ReadableStream): Promise<string> {
  let all = '';
  for await (const chunk of stream) all += chunk.toString();
  return all;
}

/** Keeps the end of a program's output, and waits for a pattern in it. */
function collect(child: ChildProcess) {
  const events = new EventEmitter();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(-keptOutput);
      events.emit('output');
    });
  }
  async function match(pattern: RegExp, timeoutMs: number) {
    const signal = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const found = pattern.exec(output);
      if (found) return found;
      await once(events, 'output', { signal });
    }
  }
  return { text: () => output, match };
}

async function end(pid: number, ended: Promise<unknown>): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
  await ended;
  clearTimeout(timer);
  // The leader has ended, but programs that it started may still run.
  signalGroup(pid, 'SIGKILL');
  groups.delete(pid);
}

/** Signals a process group, unless it has ended. */
function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f']);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
