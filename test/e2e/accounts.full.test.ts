import assert from 'node:assert/strict';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { openServed, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';

describe('accounts, in the installed VSIX', () => {
  const closing = useClosing();
  let service: Service;
  let window: VSCodeWindow;

  before(async () => {
    ({ window, service } = closing.use(await openServed()));
    await enter(service.url, 'test-key-owner');
    await window.quickInput.waitForClosed();
    await account();
  });

  /** Enters URL and key in the sign-in dialog. */
  async function enter(root: string, key: string): Promise<void> {
    await window.runCommand('Interns: Sign In…');
    await window.quickInput.waitForMessage(/service URL/i);
    await window.quickInput.enter(root);
    await window.quickInput.fillMasked(key);
  }

  async function account(): Promise<string> {
    return await until('the account in the status bar', async () =>
      (await window.statusBar()).find((text) => text.includes(' · ')),
    );
  }

  it('the details page of the extension shows all pictures', async () => {
    await window.page.keyboard.press('ControlOrMeta+Shift+X');
    const rows = window.page.locator('.extension-list-item .name', { hasText: /^Interns$/ });
    await rows.first().dblclick();
    const details = await until('the page of details', async () => {
      for (const frame of window.page.frames())
        if (await frame.getByRole('heading', { name: 'Interns for VS Code' }).isVisible())
          return frame;
      return undefined;
    });
    const gaps = await details.evaluate<readonly string[]>(
      '[...document.images].filter((picture) => picture.naturalWidth === 0).map(({ alt }) => alt)',
    );
    assert.deepEqual(gaps, []);
    await window.closeTab();
  });

  it('a command copies the information on the API key as JSON', async () => {
    await window.runCommand('Interns: Show API Key Information');
    const page = await window.webview();
    await page.getByRole('heading', { name: 'Limit' }).waitFor();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await page.getByRole('link', { name: 'Copy as JSON' }).click();
    const copied = await until('the JSON in the clipboard', async () => {
      const text = await window.page.evaluate<string>('navigator.clipboard.readText()');
      return text.startsWith('{') && text;
    });
    assert.ok('workspace_id' in (JSON.parse(copied) as object));
  });

  it('the status bar switches between accounts', async () => {
    const first = await account();
    await enter(service.url, 'test-key-second');
    await window.quickInput.waitForClosed();
    const second = await until('the second account', async () => {
      const shown = await account();
      return shown !== first && shown;
    });
    await window.page.locator('.statusbar-item', { hasText: second }).click();
    await window.quickInput.waitFor('Switch Account');
    await window.quickInput.pick(first);
    await until('the first account', async () => (await account()) === first);
  });

  it('the Accounts menu lists the account with an item that signs out', async () => {
    const name = await account();
    await window.page.locator('.activitybar').getByRole('button', { name: 'Accounts' }).click();
    const item = window.page.getByRole('menuitem', { name: `${name} (Interns)` });
    await seen(item);
    await item.hover();
    await seen(window.page.getByRole('menuitem', { name: 'Sign Out' }));
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Escape');
    await item.waitFor({ state: 'detached' });
  });
});
