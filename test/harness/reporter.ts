import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';
import { countsLine, countsVariable } from './counts.ts';

/** Prints as mocha's own `spec` does, and leaves the counts and the failures for the end of `npm test`. */
export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env[countsVariable];
    if (file === undefined) return;
    runner.once('end', () => {
      const failures = this.failures.map((test) => ({
        title: test.fullTitle(),
        reason: test.err?.stack ?? test.err?.message ?? 'no reason given',
      }));
      appendFileSync(file, countsLine(this.stats, failures));
    });
  }
}
