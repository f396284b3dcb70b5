import type { Frame, Locator } from 'playwright-core';
import type { PageElement } from '../../harness/pageElement.ts';
import type { VSCodeWindow } from '../../harness/window.ts';

/** Where the workbench shows words of ours. */
const ours = [
  '.sidebar .pane-header h3',
  '.sidebar .pane-body .welcome-view-content',
  '.sidebar .pane-body .monaco-list-row .monaco-icon-label',
  '.sidebar .pane-body .message',
  '.sidebar .pane-header .description',
  '.quick-input-widget .quick-input-title',
  '.quick-input-widget .quick-input-message',
  '.quick-input-widget .monaco-list-row .label-name',
  '.quick-input-widget .monaco-list-row .label-description',
  '.quick-input-widget .monaco-list-row .quick-input-list-label-meta',
  '.notification-toast .notification-list-item-message',
  '.notification-toast .notification-list-item-buttons-container .monaco-button',
  '.monaco-dialog-box .dialog-message-container',
  '.statusbar-item[id^="intern-service.interns"]',
  '.tabs-container .tab .label-name',
  '.gettingStartedDetailsContent .category-title',
  '.gettingStartedDetailsContent .category-description-container',
  '.gettingStartedDetailsContent .getting-started-step .step-title',
  '.gettingStartedDetailsContent .getting-started-step .step-description-container',
].map((selector) => `${selector}:visible`);

/** Attributes that a screen reader speaks or that stand in an empty box. */
const spoken = ['aria-label', 'title', 'placeholder', 'aria-description', 'alt'];

/** What VS Code itself adds to our dialogs, and the tab of its walkthroughs. */
const ofVSCode = [
  /\(?Press 'Enter' to confirm(?: your input)? or 'Escape' to cancel\)?/g,
  /\(Untitled\)/g,
  /^Welcome$|^Walkthrough: /g,
];

/** Three plain letters in a row: no word of a pseudo-language has them. */
const plain = /[A-Za-z]{3,}/;

/**
 * The texts of ours on screen that hold plain English, each once.
 * @param exempt what the service or the user said, and names.
 */
export async function plainWords(
  window: VSCodeWindow,
  exempt: readonly (string | RegExp)[],
): Promise<readonly string[]> {
  const texts = await textsOf(window.page.locator(ours.join(', ')));
  const boxes = window.page.locator('.quick-input-widget:visible .quick-input-box input');
  texts.push(...(await spokenBy(boxes, ['placeholder'])));
  const pictures = window.page.locator('.getting-started-media img:visible');
  texts.push(...(await spokenBy(pictures, ['alt'])));
  for (const frame of window.page.frames()) {
    if (frame.parentFrame()?.url().includes('extensionId=intern-service.interns') === true)
      texts.push(...(await textsOfPage(frame)));
  }
  const left = texts.map((text) => without(text, [...ofVSCode, ...exempt]));
  return [...new Set(left.filter((text) => plain.test(text)))];
}

/** All that a page of ours shows and speaks, but what an intern or the user wrote. */
async function textsOfPage(frame: Frame): Promise<string[]> {
  const said = frame.locator('.markdown, .prompt-text, .question-detail, .queued-text');
  // Not the announcer beside it, where the intern's words are read aloud between ours.
  const shown = await textsOf(frame.locator('main'));
  const exempt = new Set(await textsOf(said));
  const spokenTexts = await spokenBy(frame.locator(spoken.map((name) => `[${name}]`).join(', ')));
  return [...shown.filter((line) => !exempt.has(line)), ...spokenTexts];
}

async function textsOf(locator: Locator): Promise<string[]> {
  const texts = await locator.allInnerTexts();
  return texts.flatMap((text) => text.split('\n')).map((line) => line.trim());
}

async function spokenBy(
  locator: Locator,
  attributes: readonly string[] = spoken,
): Promise<readonly string[]> {
  return await locator.evaluateAll(
    (elements: PageElement[], names) =>
      elements.flatMap((element) => names.map((name) => element.getAttribute(name) ?? '')),
    attributes,
  );
}

function without(text: string, parts: readonly (string | RegExp)[]): string {
  return parts.reduce<string>((rest, part) => rest.replaceAll(part, ''), text).trim();
}
