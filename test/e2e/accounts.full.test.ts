import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { seen } from '../harness/seen.ts';
import { until } from '../harness/until.ts';
import { openServed, useClosing, type VSCodeWindow } from '../harness/window.ts';
import type { Service } from '../service/service.ts';
import { assertDetails } from './support/mainStory.ts';

/** Another web server, as a mistyped API root leads to: a page for everything. */
async function startWebSite(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!DOCTYPE html><title>Welcome</title>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

describe('accounts, in the installed VSIX', () => {
  const closing = useClosing();
  let service: Service;
  let window: VSCodeWindow;

  before(async () => {
    ({ window, service } = closing.use(await openServed()));
  });

  /** Goes through Sign In… as far as both values. */
  async function enter(root: string, key: string): Promise<void> {
    await window.runCommand('Interns: Sign In…');
    await window.quickInput.waitForMessage(/API root/);
    await window.quickInput.enter(root);
    await window.quickInput.fillMasked(key);
  }

  async function account(): Promise<string> {
    return await until('the account in the status bar', async () =>
      (await window.statusBar()).find((text) => text.includes(' · ')),
    );
  }

  it('have an extension whose page of details has no gap where a picture cannot be shown', () =>
    assertDetails(window));

  it('tell a wrong API root from a wrong key, and propose the version prefix', async () => {
    await using site = await startWebSite();
    await enter(site.url, 'test-key-owner');
    await window.quickInput.waitFor('Which API root?');
    await window.screenshot('accounts-proposed-root');
    await window.quickInput.pick(`${site.url}/api/v1`);
    await until('the key box', () => window.quickInput.isPassword());
    await window.quickInput.accept();
    await window.quickInput.waitForMessage(/not an intern service/);
    assert.equal(await window.quickInput.value(), `${site.url}/api/v1`);
    await window.quickInput.enter(service.url);
    await window.quickInput.fillMasked('test-key-nobody');
    await window.quickInput.waitForMessage(/does not know this API key/);
    await window.screenshot('accounts-wrong-key');
    await window.quickInput.enter('test-key-owner');
    await window.quickInput.waitForClosed();
    await account();
  });

  it('show what the service says of the key, on a page that runs no script', async () => {
    await window.runCommand('Interns: Show API Key Information');
    const page = await window.webview();
    await page.getByRole('heading', { name: 'Limit' }).waitFor();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await window.screenshot('accounts-key-information');
    await page.getByRole('button', { name: 'Copy as JSON' }).click();
    const copied = await until('the JSON in the clipboard', async () => {
      const text = await window.page.evaluate<string>('navigator.clipboard.readText()');
      return text.startsWith('{') && text;
    });
    assert.ok('workspace_id' in (JSON.parse(copied) as object));
  });

  it('are several, switched from the status bar, each with its own lists', async () => {
    const first = await account();
    await enter(service.url, 'test-key-second');
    await window.quickInput.waitForClosed();
    const second = await until('the second account', async () => {
      const shown = await account();
      return shown !== first && shown;
    });
    await window.page.locator('.statusbar-item', { hasText: second }).click();
    await window.quickInput.waitFor('Switch Account');
    await window.screenshot('accounts-switch');
    await window.quickInput.pick(first);
    await until('the first account', async () => (await account()) === first);
  });

  it('are listed in the Accounts menu, where each can be signed out', async () => {
    const name = await account();
    await window.page.locator('.activitybar').getByRole('button', { name: 'Accounts' }).click();
    const item = window.page.getByRole('menuitem', { name: `${name} (Interns)` });
    await seen(item);
    await item.hover();
    await seen(window.page.getByRole('menuitem', { name: 'Sign Out' }));
    await window.screenshot('accounts-menu');
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Escape');
    await item.waitFor({ state: 'detached' });
  });

  it('say once when their key expires within a week', async () => {
    // A status bar item that has the focus shows its hover, which covers notifications.
    await window.page.locator('.tab', { hasText: 'API Key' }).click();
    await enter(service.url, 'test-key-expiring');
    await window.quickInput.waitForClosed();
    const notice = await window.notification('expires');
    await window.screenshot('accounts-expiring');
    assert.match((await notice.textContent()) ?? '', /in [23] days/);
  });

  it('need their key again in a window that cannot see it, and get back to work with one box', async () => {
    await using other = await window.secondWindow();
    await other.runCommand('Interns: Show Log');
    await window.page.bringToFront();
    const before = await account();
    await enter(service.url, 'test-key-outsider');
    await window.quickInput.waitForClosed();
    const name = await until('the new account', async () => {
      const shown = await account();
      return shown !== before && shown;
    });
    await other.page.bringToFront();
    await until('the account in the other window', async () => {
      await other.runCommand('Interns: Switch Account…');
      await other.quickInput.waitFor('Switch Account');
      const row = (await other.quickInput.rows()).find(({ label }) => label === name);
      if (row?.description === 'needs its key again') return true;
      await other.quickInput.escape();
      return false;
    });
    await other.screenshot('accounts-needs-key');
    await other.quickInput.pick(name);
    await other.quickInput.fillMasked('test-key-outsider');
    await other.quickInput.waitForClosed();
    await until('the account in its status bar', async () =>
      (await other.statusBar()).includes(name),
    );
    await window.page.bringToFront();
  });

  it('sign out of the one that was chosen, and keep what is not to be deleted', async () => {
    const before = await account();
    await window.runCommand('Interns: Sign Out…');
    await window.quickInput.waitFor('Sign Out');
    const rows = await window.quickInput.rows();
    assert.equal(rows.length, 3, 'a rotated key is the same account');
    await window.quickInput.pick(before);
    await window.quickInput.waitFor('Sign out of');
    await window.screenshot('accounts-sign-out');
    await window.quickInput.pick('Sign out and keep its lists and conversations');
    await window.quickInput.waitForClosed();
    await until('another account', async () => (await account()) !== before);
  });
});
