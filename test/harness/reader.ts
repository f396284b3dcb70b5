/**
 * Packages the extension, and runs the main job under a real screen reader, in a real VS Code.
 *
 *     npm run test:reader -- [--no-package] [--grep TITLE]
 */
import { installRelease } from './install.ts';
import { runMocha } from './mocha.ts';
import { packageExtension } from './npm.ts';
import { exitOnSignals } from './processes.ts';
import { missingPackages } from './screenReader.ts';

exitOnSignals();
const missing = missingPackages();
if (missing.length > 0) {
  console.error(
    `This test runs on Linux with the screen reader Orca. On Debian: apt-get install ${missing.join(' ')}`,
  );
  process.exit(1);
}
const args = process.argv.slice(2);
if (!args.includes('--no-package')) await packageExtension();
await installRelease('newest');
const mochaArgs = args.filter((arg) => arg !== '--no-package');
// Each step needs those before it.
const suite = ['--bail', 'test/reader/mainJob.test.ts'];
process.exitCode = await runMocha('test/reader', [...suite, ...mochaArgs]);
