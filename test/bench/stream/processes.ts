import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A process that prints one line when it is ready, and runs until it is killed. */
export interface Background {
  readonly line: string;
  end(): Promise<void>;
}

/** Starts a script and waits for its first line. @throws Error if it ends first */
export async function startScript(script: string, ...args: readonly string[]): Promise<Background> {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line'), exitOf(child)]);
  if (typeof first[0] !== 'string') throw new Error(`${script} ended before it was ready`);
  return {
    line: first[0],
    end: async () => {
      const exited = exitOf(child);
      child.kill();
      await exited;
    },
  };
}

/** Runs a script to its end and reads the JSON that it prints. @throws Error if it fails */
export async function runScript(script: string, ...args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}`);
  return JSON.parse(output);
}

function exitOf(child: ChildProcess): Promise<unknown[]> {
  return once(child, 'exit');
}
