import * as esbuild from 'esbuild';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { sharedBrowser } from '../harness/browser.ts';
import { strings } from './fixtures/strings.ts';
import type { MarkdownProbe } from './page/markdownProbe.ts';

/** Opens a page with `window.probe`, which calls the Markdown view without the protocol, thousands of times a second. */
export async function openProbe(): Promise<Page> {
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
  return page;
}

declare global {
  interface Window {
    probe: MarkdownProbe;
  }
}
