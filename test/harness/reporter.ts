import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';
import { countsVariable, recordLine, type Counts, type RunRecord } from './counts.ts';

/** Prints as mocha's own `spec` does, and leaves the counts and the failures for the end of `npm test`. */
export default class CountingReporter extends Mocha.reporters.Spec {
  readonly #files: Record<string, Counts> = {};

  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env[countsVariable];
    if (file === undefined) return;
    runner.on('pass', (test) => this.#count(test, { passed: 1, failed: 0 }));
    runner.on('pending', (test) => this.#count(test, { passed: 0, failed: 1 }));
    runner.on('fail', (test) => this.#count(test, { passed: 0, failed: 1 }));
    runner.once('end', () => appendFileSync(file, recordLine(this.#record())));
  }

  #count(test: Mocha.Test, { passed, failed }: Counts): void {
    const file = fileOf(test);
    const before = this.#files[file] ?? { passed: 0, failed: 0 };
    this.#files[file] = { passed: before.passed + passed, failed: before.failed + failed };
  }

  #record(): RunRecord {
    const failures = this.failures.map((test) => ({
      file: fileOf(test),
      title: test.fullTitle(),
      reason: test.err?.stack ?? test.err?.message ?? 'no reason given',
    }));
    return { files: this.#files, failures, unsteady: [] };
  }
}

/** Hooks of the whole run have no file. */
function fileOf({ file }: Mocha.Test): string {
  return file ?? '';
}
