import { launchBrowser } from '../../harness/browser.ts';
import { longestTask } from '../../harness/tasks.ts';
import { attacks } from '../../webview/attacks.ts';
import type { Files } from './build.ts';
import { openPage } from './measure.ts';

/** The page's longest task over all attacks. */
export interface AttackResult {
  readonly attack: string;
  readonly longestTaskMs: number;
}

/** Shows replies that are made to freeze the page, each in a page of its own, and gives the one that keeps it busy longest. */
export async function benchAttacks(
  files: Files,
  report: (line: string) => void,
): Promise<AttackResult> {
  await using browser = await launchBrowser();
  let longest: AttackResult = { attack: '', longestTaskMs: 0 };
  for (const [attack, text] of Object.entries(attacks)) {
    report(`a reply made to freeze the page: ${attack}`);
    const page = await openPage(browser, files, { contender: 'ours', main: 'at once' });
    const longestTaskMs = await longestTask(page, () =>
      page.evaluate(`showReply(${JSON.stringify(text)})`),
    );
    await page.close();
    if (longestTaskMs > longest.longestTaskMs) longest = { attack, longestTaskMs };
  }
  return longest;
}
