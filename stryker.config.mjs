/**
 * `npm run mutate [-- --mutate src/api/retry.ts]`: StrykerJS changes src/api and src/conversation in one place at a time, and
 * runs the unit tests that reach the place against each change. A score below 92 % fails.
 */
import { registerHooks } from 'node:module';

// The runner of StrykerJS 10.0 looks for three files of Mocha by names that ended in `.js` before Mocha 12 (stryker-js#6205).
registerHooks({
  resolve: (specifier, context, next) =>
    next(/mocha\/lib\/cli\/[a-z-]+$/.test(specifier) ? `${specifier}.cjs` : specifier, context),
});
// Its processes load this file, too.
process.env.NODE_OPTIONS = `--import=${import.meta.url}`;

export default {
  mutate: ['src/{api,conversation}/**/*.ts'],
  testRunner: 'mocha',
  mochaOptions: {
    spec: [
      'test/unit/{api,conversation}/**/*.test.ts',
      // It tests `Conversation` with its record on disk.
      'test/unit/features/conversations/conversations.test.ts',
    ],
    // They take long for what quicker tests prove, too.
    ignore: ['**/*.{property,service}.test.ts', '**/interleavings.test.ts'],
  },
  coverageAnalysis: 'perTest',
  disableTypeChecks: false,
  ignorePatterns: ['dist', 'media', 'docs', 'test/{bench,e2e,vscode}'],
  tempDirName: 'dist/mutation',
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { reportTests: false },
  thresholds: { high: 95, low: 92, break: 92 },
};
