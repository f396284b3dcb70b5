/**
 * Runs inside the extension host: VS Code loads the bundle of this file and calls `run`, as for
 * `@vscode/test-electron`.
 */
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { format } from 'node:util';
import Mocha from 'mocha';
import CountingReporter from './reporter.ts';

/** The environment variable that names the port on 127.0.0.1 to which mocha's output goes. */
export const outputPortVariable = 'INTERNS_TEST_OUTPUT_PORT';

/** The environment variable that limits a run to tests whose full titles match it. */
export const grepVariable = 'INTERNS_TEST_GREP';

/** @throws Error if a test failed or there is none */
export async function run(): Promise<void> {
  // Beside the bundle of this file.
  const suites = path.resolve(__dirname, '../vscode');
  const mocha = new Mocha({
    reporter: CountingReporter,
    timeout: 20_000,
    forbidOnly: true,
    forbidPending: true,
    failZero: true,
    ...(process.env[grepVariable] === undefined ? {} : { grep: process.env[grepVariable] }),
  });
  const files = readdirSync(suites, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.cjs'),
  );
  if (files.length === 0) throw new Error(`There are no suites in ${suites}.`);
  for (const file of files.sort()) mocha.addFile(path.join(suites, file));
  const failures = await withOutput(
    () => new Promise<number>((resolve) => void mocha.run((failed) => resolve(failed))),
  );
  if (failures > 0) throw new Error(`${failures} tests failed.`);
}

/** Sends mocha's output over its own connection: VS Code would mix its own lines into it. */
async function withOutput<T>(work: () => Promise<T>): Promise<T> {
  const socket = connect(Number(process.env[outputPortVariable]), '127.0.0.1');
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => socket.write(`${format(...args)}\n`);
  try {
    return await work();
  } finally {
    socket.end();
    await finished(socket, { readable: false });
  }
}
