/** Mocha's root hooks for the suites that drive a browser. */
import type Mocha from 'mocha';
import { closeSharedBrowser } from './browser.ts';
import { exitOnSignals } from './processes.ts';
import { openWindows } from './vscodeWindow.ts';

exitOnSignals();

export const mochaHooks: Mocha.RootHookObject = {
  /** Shows what a failed test's windows looked like. */
  async afterEach(this: Mocha.Context) {
    if (this.currentTest?.state !== 'failed') return;
    const name = this.currentTest.fullTitle().replaceAll(/[^a-z0-9]+/gi, '-');
    for (const [index, window] of [...openWindows].entries()) {
      console.log(`See ${await window.screenshot(`failed/${name}-${index}`)}`);
    }
  },

  async afterAll() {
    for (const window of openWindows) await window.close();
    // A process for files side by side keeps its browser for the next file, and takes it along when it ends.
    if (process.env['MOCHA_WORKER_ID'] === undefined) await closeSharedBrowser();
  },
};
