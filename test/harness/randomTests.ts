/** Loaded by mocha before all tests: runs random tests with the seed and the path that fast-check printed. */
import fc from 'fast-check';

/** `SEED`, or `SEED:PATH` for one case. */
const [seed, ...steps] = process.env['INTERNS_TEST_SEED']?.split(':') ?? [];

if (seed !== undefined)
  fc.configureGlobal({ seed: Number(seed), ...(steps.length > 0 && { path: steps.join(':') }) });
