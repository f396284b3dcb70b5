/** Mocha's root hooks for suites that drive a browser. */
import type Mocha from 'mocha';
import { closeSharedBrowser } from './browser.ts';
import { exitOnSignals } from './processes.ts';
import { openWindows } from './vscodeWindow.ts';

exitOnSignals();

export const mochaHooks: Mocha.RootHookObject = {
  /** Takes screenshots of the windows of a failed test. */
  async afterEach(this: Mocha.Context) {
    if (this.currentTest?.state !== 'failed') return;
    const name = this.currentTest.fullTitle().replaceAll(/[^a-z0-9]+/gi, '-');
    for (const [index, window] of [...openWindows].entries()) {
      console.log(`See ${await window.screenshot(`failed/${name}-${index}`)}`);
    }
  },

  async afterAll() {
    for (const window of openWindows) await window.close();
    // A worker keeps its browser for its next file; the browser ends with the worker.
    if (process.env['MOCHA_WORKER_ID'] === undefined) await closeSharedBrowser();
  },
};
