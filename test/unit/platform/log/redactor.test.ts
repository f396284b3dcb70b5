import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { ApiError } from '../../../../src/api/index.ts';
import { problemLine } from '../../../../src/features/diagnostics/logCommands.ts';
import { HostLog, type LogSink } from '../../../../src/platform/log/hostLog.ts';
import type { LogLevel } from '../../../../src/platform/log/log.ts';
import { Redactor } from '../../../../src/platform/log/redactor.ts';

/** Keys of any characters that a header can carry, too long to occur by chance. */
const anyKey = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 64,
});

describe('the redactor', () => {
  it('the redactor masks every key in plain text, JSON, URLs and base64', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        const redactor = new Redactor();
        redactor.add(key);
        const base64 = Buffer.from(key).toString('base64').replace(/=+$/, '');
        for (const form of [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), base64])
          assert.ok(!redactor.redact(`before ${form} after`).includes(form));
      }),
    );
  });

  it('the redactor masks text that looks like a secret', () => {
    const redactor = new Redactor();
    for (const [text, secret] of [
      ['authorization: Bearer test-key-owner', 'test-key-owner'],
      ['{"Authorization":"Bearer test-key-owner"}', 'test-key-owner'],
      ['Authorization: Basic dGVzdDp0ZXN0', 'dGVzdDp0ZXN0'],
      ['api_key=test-key-owner', 'test-key-owner'],
      ['INTERNS_API_KEY="test-key-owner"', 'test-key-owner'],
      ['password: hunter22', 'hunter22'],
      ['https://user:hunter22@example.com', 'hunter22'],
      ['sk-test-0123456789', '0123456789'],
      ['-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----', 'MIIB'],
      ['-----BEGIN RSA PRIVATE KEY-----\nMIIB', 'MIIB'],
    ] as const)
      assert.ok(!redactor.redact(text).includes(secret), redactor.redact(text));
  });

  it('the redactor leaves ordinary lines unchanged', () => {
    const redactor = new Redactor();
    for (const text of [
      'POST /interns/9b2f6c1e-7d1a-4c59-9f0e-2f5a8f7d3c11/chat/completions 409 busy in 34 ms',
      'PUT /vault/secrets/api_key 200 in 12 ms',
      'Skipped interns/abc.json: not a record of this version',
    ])
      assert.equal(redactor.redact(text), text);
  });
});

describe('the log', () => {
  function logOf() {
    const lines: string[] = [];
    const write = (level: LogLevel) => (line: string) => lines.push(`${level} ${line}`);
    const [debug, info, warn, error] = (['debug', 'info', 'warn', 'error'] as const).map(write);
    const sink = { debug, info, warn, error } as LogSink;
    return { lines, log: new HostLog(sink, new Redactor(), () => 0) };
  }

  const request = {
    route: 'key',
    method: 'GET',
    path: '/key',
    durationMs: 33.6,
    sentBytes: 0,
    receivedBytes: 87,
    tag: 'conversation-1',
  } as const;

  it('the log has one line for each request at the level of its outcome', () => {
    const { lines, log } = logOf();
    log.request({ ...request, status: 200, reason: null, kind: null });
    log.request({ ...request, status: 409, reason: 'busy', kind: 'busy' });
    log.request({ ...request, status: null, reason: null, kind: 'network' });
    log.request({ ...request, status: null, reason: null, kind: 'aborted' });
    const levels = lines.map((line) => line.split(' ')[0]);
    assert.deepEqual(levels, ['info', 'warn', 'warn', 'debug']);
    for (const part of ['GET', '/key', '409', 'busy', '34 ms', '87 B', '[conversation-1]'])
      assert.ok(lines[1]?.includes(part), lines[1]);
  });

  it('the log has the completion ID and the skipped parts of a stream', () => {
    const { lines, log } = logOf();
    const fine = { ...request, status: 200, reason: null, kind: null };
    log.request({ ...fine, stream: { completionId: 'chatcmpl-1', skipped: {} } });
    log.request({ ...fine, stream: { completionId: 'chatcmpl-1', skipped: { 'not-json': 2 } } });
    log.request({ ...fine, stream: { completionId: 'private\nwords', skipped: {} } });
    assert.match(lines[0]!, /^info .*, completion chatcmpl-1 \[conversation-1\]$/);
    assert.match(lines[1]!, /^warn .*, skipped 2 not-json, completion chatcmpl-1 \[/);
    assert.doesNotMatch(lines[2]!, /private|\n/);
  });

  it('the log has no message of the service, which may quote a prompt', () => {
    const { lines, log } = logOf();
    const init = { kind: 'refused', route: 'chat', status: 400 } as const;
    log.error('Sending', new ApiError({ ...init, message: 'You wrote: my private words' }));
    assert.deepEqual(lines, ['error Sending: chat refused 400']);
  });

  it('the log has no reason that could quote a prompt or forge a line', () => {
    const { lines, log } = logOf();
    const reason = 'my private words\n2026-01-01 [info] all is well';
    log.request({ ...request, status: 409, reason, kind: 'refused' });
    const init = { kind: 'refused', route: 'chat', status: 409, message: '' } as const;
    log.error('Sending', new ApiError({ ...init, reason }));
    for (const line of lines) assert.doesNotMatch(line, /private|\n/);
  });

  it('the log keeps the last 20 problems', () => {
    const { log } = logOf();
    for (let index = 0; index < 30; index++) {
      log.info(`fine ${index}`);
      log.warn(`problem ${index}`);
    }
    assert.equal(log.problems.length, 20);
    assert.equal(log.problems[0]?.text, 'problem 10');
  });
});

describe('diagnostics', () => {
  it('diagnostics contain no path, name, ID or text of the log', () => {
    const drop = () => undefined;
    const sink: LogSink = { debug: drop, info: drop, warn: drop, error: drop };
    const log = new HostLog(sink, new Redactor(), () => 0);
    const common = { durationMs: 1, sentBytes: 0, receivedBytes: 0, tag: 'conversation-private' };
    const failed = { ...common, status: 409, reason: 'busy', kind: 'busy' } as const;
    log.request({
      ...{ ...failed, route: 'chat', method: 'POST' },
      path: '/interns/intern-private/chat/completions',
    });
    log.request({
      ...{ ...failed, route: 'secret', method: 'PUT' },
      path: '/vault/secrets/name_private',
    });
    const message = "ENOENT, open '/home/private/x.json'";
    const disk = Object.assign(new Error(message), { code: 'ENOENT' });
    disk.stack = `${String(disk)}
    at write (/home/private/.vscode/extensions/main.js:1:2)
    at async file:///home/private/fs.js:3:4
    at a.b [as c] (C:\\Users\\very private (one)\\.vscode\\main.js:5:6)
    at C:\\Users\\very private (one)\\main.js:7:8
    at new Task (node:internal/task:9:10)`;
    log.error('A conversation could not be written', disk, 'conversation-private');
    log.warn('The chat page failed', undefined, 'private words');
    const text = log.problems.map((problem) => `${problemLine(problem)}\n`).join('');
    assert.doesNotMatch(text, /private/);
    for (const part of [
      'warn: POST /interns/{id}/chat/completions 409 busy busy in 1 ms',
      'warn: PUT /vault/secrets/{name} 409',
      'error: A conversation could not be written: Error ENOENT\n      at write (main.js:1:2)',
      '\n      at fs.js:3:4\n      at a.b [as c] (main.js:5:6)\n      at main.js:7:8\n      at new Task (task:9:10)',
      'warn: The chat page failed\n',
    ])
      assert.ok(text.includes(part), part);
  });

  it('the code writes only constant messages to the log', async () => {
    const folder = fileURLToPath(new URL('../../../../src/', import.meta.url));
    const files = await readdir(folder, { recursive: true });
    const calls = files
      .filter((file) => file.endsWith('.ts'))
      .map(async (file) => {
        const source = await readFile(join(folder, file), 'utf8');
        return [...source.matchAll(/\blog\??\.(?:warn|error)\(\s*`[^`]*`/g)].map(([call]) => call);
      });
    const messages = (await Promise.all(calls)).flat().join('\n');
    const filled = [...messages.matchAll(/\$\{([^}]*)\}/g)].map(([, expression]) => expression);
    // `doing` is always a constant text.
    assert.ok(
      filled.every((each) => each === 'quietMs' || each === 'doing'),
      filled.join(),
    );
  });
});
