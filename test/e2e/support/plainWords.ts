import type { Frame, Locator } from 'playwright-core';
import type { PageElement } from '../../harness/pageElement.ts';
import type { VSCodeWindow } from '../../harness/window.ts';

/** Elements of the workbench with texts of the extension. */
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

/** Attributes with texts for users. The description of a message repeats its words. */
const spoken = ['aria-label', 'title', 'placeholder', 'alt'];

/** Texts of VS Code itself. */
const ofVSCode = [
  /\(?Press 'Enter' to confirm(?: your input)? or 'Escape' to cancel\)?/g,
  /\(Untitled\)/g,
  /^Welcome$|^Walkthrough: /g,
];

/** Three ASCII letters in a row, which no pseudo-translation has. */
const plain = /[A-Za-z]{3,}/;

/**
 * Returns the untranslated texts of the extension on screen.
 * @param exempt texts of the service or the user, and names.
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

/** The texts and attributes of a page, without those of an intern or the user. */
async function textsOfPage(frame: Frame): Promise<string[]> {
  const said = frame.locator('.markdown, .prompt-text, .question .card-detail, .queued-text');
  // Without the live region, which repeats the intern's words.
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
