/**
 * Runs the suites of test/vscode inside the extension host of a real VS Code.
 *
 *     npm run test:vscode -- [--oldest] [--no-build] [--grep TITLE]
 */
import { parseArgs } from 'node:util';
import { runInExtensionHost } from './extensionHost.ts';
import { grepVariable } from './extensionHostRunner.ts';
import { build } from './npm.ts';
import { exitOnSignals } from './processes.ts';

const { values } = parseArgs({
  options: {
    oldest: { type: 'boolean', default: false },
    /** Off tests the extension as it was last built. */
    build: { type: 'boolean', default: true },
    grep: { type: 'string' },
  },
  allowNegative: true,
});

exitOnSignals();
if (values.build) await build();
await build('--suites');
const passed = await runInExtensionHost({
  release: values.oldest ? 'oldest' : 'newest',
  env: values.grep === undefined ? {} : { [grepVariable]: values.grep },
});
process.exitCode = passed ? 0 : 1;
