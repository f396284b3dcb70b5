/** A process that runs tests against one mutant after another, as its parent says. */
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';
import '../unit/support/vscodeHook.ts';
import { plant } from './hooks.ts';
import type { Mutant } from './mutants.ts';

/** What a parent asks for: these test files, in this order, until one fails. */
export interface Job {
  readonly mutant: Mutant | null;
  readonly tests: readonly string[];
}

/** The title of the test that failed; null where the mutant survived. */
export interface Verdict {
  readonly failed: string | null;
}

const TEST_TIMEOUT_MS = 10_000;

let escaped: string | null = null;
process.on(
  'unhandledRejection',
  (failure) => (escaped = `unhandled rejection: ${String(failure)}`),
);
process.on('uncaughtException', (failure) => (escaped = `uncaught exception: ${failure.message}`));

process.on('message', (job: Job) => {
  void judge(job).then((verdict: Verdict) => process.send?.(verdict));
});

async function judge({ mutant, tests }: Job): Promise<Verdict> {
  const generation = plant(mutant);
  for (const test of tests) {
    const failed = await run(`${pathToFileURL(test).href}?${generation}`);
    if (failed !== null) return { failed };
  }
  return { failed: null };
}

async function run(url: string): Promise<string | null> {
  escaped = null;
  const mocha = new Mocha({ ui: 'bdd', bail: true, timeout: TEST_TIMEOUT_MS, reporter: Quiet });
  mocha.suite.emit('pre-require', globalThis, url, mocha);
  try {
    await import(url);
  } catch (failure) {
    return `does not load: ${String(failure)}`;
  }
  const failed = await new Promise<string | null>((resolve) => {
    let title: string | null = null;
    const runner = mocha.run(() => resolve(title));
    runner.on('fail', (test) => (title ??= test.fullTitle()));
  });
  return failed ?? escaped;
}

/** Says nothing: only the verdict counts. */
class Quiet extends Mocha.reporters.Base {
  override epilogue(): void {
    this.failures.length = 0;
  }
}
