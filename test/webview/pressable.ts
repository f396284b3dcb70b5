import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { SnapshotView } from '../../src/protocol/view.ts';
import { isSeen } from '../harness/seen.ts';
import type { ChatPage } from './chatPage.ts';

export type Translate = (english: string) => string;

const inEnglish: Translate = (english) => english;

/** Returns the elements that must always be visible without scrolling. */
export function always(chat: ChatPage, say = inEnglish): Locator[] {
  const mode = chat.page.getByRole('combobox', { name: say('Approval mode') });
  const buttons = ['Send', 'Add a file'].map((name) => chat.button(say(name)));
  const composer = chat.page.locator('.composer textarea');
  return [composer, mode, ...buttons];
}

export async function unseen(locators: readonly Locator[]): Promise<string[]> {
  const seen = await Promise.all(locators.map(isSeen));
  return locators.filter((_, index) => seen[index] !== true).map(String);
}

/** Fails if something that can be pressed is not visible, even after scrolling to it. */
export async function assertPressable(
  chat: ChatPage,
  { status }: Partial<SnapshotView>,
  say = inEnglish,
): Promise<void> {
  const stop = (status?.activity ?? 'idle') !== 'idle' ? [chat.button(say('Stop'))] : [];
  const cost = (status?.cost ?? '') === '' ? [] : [chat.page.locator('.cost')];
  assert.deepEqual(await unseen([...always(chat, say), ...stop, ...cost]), []);
  // The buttons of a message show when the mouse is over it.
  const shown = 'button:visible:not(.message-tools *, .message-foot *)';
  assert.deepEqual(await hiddenWhenReached(chat.page.locator(shown)), []);
  assert.deepEqual(await unseen([...always(chat, say), ...stop]), []);
}

/** Returns the elements that stay hidden when they have the focus. The buttons of a table show only then. */
async function hiddenWhenReached(locator: Locator): Promise<readonly string[]> {
  // One call for all elements, since a call takes long.
  return await locator.evaluateAll((elements) =>
    elements
      .filter((element) => {
        element.scrollIntoView({ block: 'nearest' });
        element.focus();
        return window.pointsInSight(element) === undefined;
      })
      .map(({ outerHTML }) => outerHTML),
  );
}
