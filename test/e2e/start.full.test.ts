import assert from 'node:assert/strict';
import { sharedBrowser } from '../harness/browser.ts';
import { npmProgram } from '../harness/npm.ts';
import { startProcess, type BackgroundProcess } from '../harness/processes.ts';
import { until } from '../harness/until.ts';
import { useClosing } from '../harness/window.ts';

describe('npm start', () => {
  const closing = useClosing();
  let start: BackgroundProcess;
  let address: string;

  before(async () => {
    const args = ['start', '--', '--no-open', '--no-package', '--port', '0'];
    const ready = /^Open (http:\/\/localhost:\d+\/.*)$/m;
    start = closing.use(await startProcess(npmProgram, args, { ready, timeoutMs: 110_000 }));
    address = start.ready[1] ?? '';
  });

  it('npm start opens a VS Code that is signed in and lists a running intern', async () => {
    const page = await (await sharedBrowser()).newPage();
    await page.goto(address);
    await page.getByRole('tab', { name: 'Interns' }).first().click();
    const row = page.getByRole('treeitem', { name: /^ada\b/ });
    await row.waitFor({ timeout: 30_000 });
    assert.match((await row.getAttribute('aria-label')) ?? '', /running/i);
    await page.close();
  });

  it('npm start serves no request without the token', async () => {
    const withoutToken = new URL(address);
    withoutToken.searchParams.delete('token');
    for (const path of [withoutToken.href, `${withoutToken.origin}/`]) {
      const response = await fetch(path);
      assert.equal(response.status, 403);
      assert.doesNotMatch(await response.text(), /<script|workbench/i);
    }
  });

  it('npm start ends everything that it started when npm gets SIGTERM', async () => {
    const service = /http:\/\/127\.0\.0\.1:\d+\/api\/v1/.exec(start.output())?.[0] ?? '';
    await fetch(service);
    process.kill(start.pid, 'SIGTERM');
    for (const url of [address, service]) {
      await until(`${url} to refuse`, () =>
        fetch(url).then(
          () => false,
          () => true,
        ),
      );
    }
  });
});
