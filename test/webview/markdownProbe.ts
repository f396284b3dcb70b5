import * as esbuild from 'esbuild';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { sharedBrowser } from '../harness/browser.ts';
import { strings } from './fixtures/strings.ts';
import type { MarkdownProbe } from './page/markdownProbe.ts';

/** The Markdown view in its own page, called without the protocol for thousands of renders a second. */
export class ProbePage implements AsyncDisposable {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async open(): Promise<ProbePage> {
    const { outputFiles } = await esbuild.build({
      entryPoints: [path.join(import.meta.dirname, 'page', 'markdownProbe.ts')],
      bundle: true,
      format: 'iife',
      target: 'es2022',
      write: false,
    });
    const page = await (await sharedBrowser()).newPage();
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
    await page.evaluate(async (words) => {
      window.probe = await window.createProbe(words);
    }, strings);
    return new ProbePage(page);
  }

  /** Calls a function of the probe for each text, and returns the results in the same order. */
  async each<K extends 'wrongCuts' | 'besideMarked'>(
    name: K,
    texts: readonly string[],
  ): Promise<ReturnType<MarkdownProbe[K]>[]> {
    const results = await this.#page.evaluate(
      ([call, all]) => all.map((text) => window.probe[call](text)),
      [name, texts] as const,
    );
    return results as ReturnType<MarkdownProbe[K]>[];
  }

  async frames(pieces: readonly string[]): Promise<string[]> {
    return await this.#page.evaluate((all) => window.probe.frames(all), pieces);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#page.close();
  }
}

declare global {
  interface Window {
    probe: MarkdownProbe;
  }
}
