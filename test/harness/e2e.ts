/**
 * Packages the extension, and runs the suites of test/e2e against it, installed in a real VS Code.
 *
 *     npm run test:e2e -- [--no-package] [FILE.test.ts…] [--grep TITLE]
 */
import { testSet } from './testSet.ts';
import { installRelease } from './install.ts';
import { runMocha } from './mocha.ts';
import { packageExtension } from './npm.ts';
import { exitOnSignals } from './processes.ts';

exitOnSignals();
const args = process.argv.slice(2);
if (!args.includes('--no-package')) await packageExtension();
// A test could not wait for this, since its time is limited.
await installRelease('newest');
if (testSet === 'full') await installRelease('oldest');
const mochaArgs = args.filter((arg) => arg !== '--no-package');
process.exitCode = await runMocha('test/e2e', mochaArgs);
