/**
 * Runs the suites of test/vscode inside the extension host of a real VS Code.
 *
 *     npm run test:vscode -- [--oldest] [--no-keyring] [--grep TITLE]
 */
import { parseArgs } from 'node:util';
import { runInExtensionHost } from './extensionHost.ts';
import { grepVariable } from './extensionHostEnvironment.ts';
import { exitOnSignals, runQuietly } from './processes.ts';

const { values } = parseArgs({
  options: {
    oldest: { type: 'boolean', default: false },
    keyring: { type: 'boolean', default: true },
    grep: { type: 'string' },
  },
  allowNegative: true,
});

exitOnSignals();
await runQuietly(process.execPath, ['esbuild.mjs']);
await runQuietly(process.execPath, ['esbuild.mjs', '--suites']);
const passed = await runInExtensionHost({
  release: values.oldest ? 'oldest' : 'newest',
  keyring: values.keyring,
  env: values.grep === undefined ? {} : { [grepVariable]: values.grep },
});
process.exitCode = passed ? 0 : 1;
