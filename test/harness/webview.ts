/**
 * Builds the page of the chat panel, and runs the suites of test/webview against it in Chromium.
 *
 *     npm run test:webview -- [--no-build] [FILE.test.ts…] [--grep TITLE]
 */
import { runMocha } from './mocha.ts';
import { exitOnSignals, runQuietly } from './processes.ts';

exitOnSignals();
const args = process.argv.slice(2);
if (!args.includes('--no-build')) await runQuietly(process.execPath, ['esbuild.mjs']);
const mochaArgs = args.filter((arg) => arg !== '--no-build');
process.exitCode = await runMocha('test/webview/**/*.test.ts', mochaArgs);
