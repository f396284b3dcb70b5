import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';
import { countsLine, countsVariable } from './counts.ts';

/** Prints as mocha's own `spec` does, and leaves the counts for the total of all parts. */
export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env[countsVariable];
    if (file === undefined) return;
    runner.once('end', () => appendFileSync(file, countsLine(this.stats)));
  }
}
