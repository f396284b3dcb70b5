import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

const children: ChildProcessWithoutNullStreams[] = [];

function run(...args: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [MAIN, ...args]);
  children.push(child);
  return child;
}

describe('service program', () => {
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`the service program serves its key until ${signal}`, async () => {
      const child = run('--port', '0', '--key', 'test-key-mine', '--log');
      const lines = createInterface(child.stdout);
      const [first] = (await once(lines, 'line')) as [string];
      const url = /^Intern service listening on (http:\/\/127\.0\.0\.1:\d+\/api\/v1)$/.exec(
        first,
      )?.[1];
      assert.ok(url !== undefined, first);
      const logged = once(lines, 'line');
      const response = await fetch(`${url}/key`, {
        headers: { authorization: 'Bearer test-key-mine' },
      });
      assert.equal(response.status, 200);
      await response.text();
      assert.deepEqual(await logged, ['GET /api/v1/key 200 complete']);
      child.kill(signal);
      const [code] = (await once(child, 'exit')) as [number];
      assert.equal(code, 0);
    });
});
