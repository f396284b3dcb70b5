/**
 * Builds the page of the chat panel, and runs the suites of test/webview against it in Chromium.
 *
 *     npm run test:webview -- [--no-build] [FILE.test.ts…] [--grep TITLE]
 */
import { suitesOf } from './full.ts';
import { runMocha } from './mocha.ts';
import { build } from './npm.ts';
import { exitOnSignals } from './processes.ts';

/** Files that run side by side, each in a browser of its own. */
const jobs = 2;

/** Leaves what was built last as it is. */
const noBuild = '--no-build';

exitOnSignals();
const args = process.argv.slice(2);
if (!args.includes(noBuild)) await build('--production');
process.exitCode = await runMocha(
  suitesOf('test/webview'),
  args.filter((arg) => arg !== noBuild),
  jobs,
);
