import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';
import { countsVariable, recordLine } from './counts.ts';
import { stackWithCauses } from './until.ts';

/** Prints like mocha's `spec`, and records counts and failures for the end of `npm test`. */
export default class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const file = process.env[countsVariable];
    if (file !== undefined) runner.once('end', () => appendFileSync(file, this.#record()));
  }

  #record(): string {
    const failures = this.failures.map((test) => ({
      title: test.fullTitle(),
      reason: stackWithCauses(test.err),
    }));
    return recordLine({ passed: this.stats.passes, failures });
  }
}
