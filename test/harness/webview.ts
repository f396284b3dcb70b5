/**
 * Builds the page of the chat panel, and runs the suites of test/webview against it in Chromium.
 *
 *     npm run test:webview -- [FILE.test.ts…] [--grep TITLE]
 */
import { runMocha } from './mocha.ts';
import { build } from './npm.ts';
import { exitOnSignals } from './processes.ts';

exitOnSignals();
await build('--production');
process.exitCode = await runMocha('test/webview/**/*.test.ts', process.argv.slice(2));
