// The specs of a configuration file are added to those of the command line: a file that is named there runs alone.
const isNamed = process.argv.some((argument) => argument.endsWith('.test.ts'));

module.exports = {
  spec: isNamed ? [] : ['test/unit/**/*.test.ts', 'test/service/**/*.test.ts'],
  require: ['./test/unit/support/vscodeHook.ts', './test/harness/randomTests.ts'],
  extension: ['ts'],
  ui: 'bdd',
  timeout: 30000,
  'forbid-only': true,
  'forbid-pending': true,
  // The tests wait for processes and files half of the time. A debugger stops only in a file that runs alone.
  parallel: !isNamed,
  jobs: 2,
};
