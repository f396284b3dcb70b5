/**
 * Builds the page of the chat panel, and runs the suites of test/webview against it in Chromium.
 *
 *     npm run test:webview -- [--no-build] [FILE.test.ts…] [--grep TITLE]
 */
import { runMocha } from './mocha.ts';
import { build } from './npm.ts';
import { exitOnSignals } from './processes.ts';

/** Tests the page as it was last built. */
const noBuild = '--no-build';

exitOnSignals();
const args = process.argv.slice(2);
if (!args.includes(noBuild)) await build('--production');
process.exitCode = await runMocha(
  'test/webview',
  args.filter((arg) => arg !== noBuild),
);
