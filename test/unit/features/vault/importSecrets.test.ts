import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError, type ApiErrorInit } from '../../../../src/api/index.ts';
import { registerImportCommands } from '../../../../src/features/vault/importCommands.ts';
import { createStoreSecret } from '../../../../src/features/vault/secrets.ts';
import { askToImport } from '../../../../src/features/vault/importDialog.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { BACK, LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import type { CommandId } from '../../../../src/platform/commands/ids.ts';
import { useStubs } from '../../support/stubEditor.ts';

const entries = [
  { key: 'API_KEY', value: 'test-value-one' },
  { key: 'DB_PASSWORD', value: 'test-value-two' },
  { key: 'api.key', value: 'test-value-three' },
  { key: '42', value: 'test-value-four' },
];

async function ask(script: readonly Move[], { given = entries, isInVault = true } = {}) {
  const dialogs = new ScriptedDialogs(script);
  const known = new Map([['db_password', { hosts: ['db.example.com'], isInVault }]]);
  const plan = await askToImport(given, { dialogs, known, isOnly: false });
  return { plan, shown: dialogs.shown };
}

describe('askToImport', () => {
  const edit = (key: string) => ({ pressing: `Edit Name and Hosts: ${key}` });

  it('the import makes names of keys and asks once for missing hosts', async () => {
    const hosts = 'a.example.com B.example.com';
    const { plan, shown } = await ask([['API_KEY', 'DB_PASSWORD'], hosts, 'Store 2']);
    assert.deepEqual(plan, [
      { ...entries[0], name: 'api_key', hosts: ['a.example.com', 'b.example.com'] },
      { ...entries[1], name: 'db_password', hosts: ['db.example.com'] },
    ]);
    assert.equal(shown.length, 3);
    assert.equal(shown[1]?.title, 'Hosts for API_KEY');
  });

  it('the import keeps the selection while the user edits a row', async () => {
    const { plan, shown } = await ask([
      edit('DB_PASSWORD'),
      'db_two',
      'x.example.com',
      ['DB_PASSWORD'],
      ...['DB_PASSWORD', 'db_two', 'y.example.com'],
      'Store 1',
    ]);
    assert.equal(shown[2]?.value, 'db.example.com', 'the known hosts are proposed');
    assert.match(shown[3]?.texts[1] ?? '', /as db_two \| x\.example\.com/);
    assert.deepEqual(plan, [{ ...entries[1], name: 'db_two', hosts: ['y.example.com'] }]);
  });

  it('the import proposes no hosts for a name that an earlier entry has', async () => {
    const given = ['DB_PASSWORD', 'db.password'].map((key) => ({ key, value: 'x' }));
    const { shown } = await ask([LEAVE], { given });
    const [first, second] = shown[0]?.texts ?? [];
    assert.match(first ?? '', /db\.example\.com/);
    assert.match(second ?? '', /No hosts yet/);
  });

  it('the import asks for a name if a key gives a taken one or none', async () => {
    const { plan, shown } = await ask([
      ['API_KEY', 'api.key', '42'],
      ...['api_key', 'other_key'],
      ...['', 'other_key', 'answer'],
      'a.example.com',
      'Store 3',
    ]);
    assert.equal(plan.map(({ name }) => name).join(), 'api_key,other_key,answer');
    assert.match(shown[1]?.refusals[0] ?? '', /API_KEY/);
    assert.match(shown[2]?.refusals[1] ?? '', /api\.key/);
  });

  it('the import refuses the typed name of an entry that is selected later', async () => {
    const { plan, shown } = await ask([
      ['API_KEY', 'api.key'],
      'db_password',
      BACK,
      // Only now is DB_PASSWORD selected. It has the name that was typed for api.key.
      ['DB_PASSWORD', 'api.key'],
      ...['db_password', 'api_key'],
      'a.example.com',
      'Store 2',
    ]);
    const names = plan.map(({ key, name }) => `${key} ${name}`);
    assert.deepEqual(names, ['DB_PASSWORD db_password', 'api.key api_key']);
    assert.match(shown.flatMap(({ refusals }) => refusals).join(), /DB_PASSWORD/);
  });

  it('the import goes back from the review to the selection', async () => {
    const { plan } = await ask([['DB_PASSWORD'], BACK, ['API_KEY'], 'a.test', 'Store 1']);
    assert.equal(plan.map(({ key }) => key).join(), 'API_KEY');
  });

  it('the import shows the length of a value and never the value', async () => {
    const { shown } = await ask([['API_KEY'], 'a.example.com', LEAVE]);
    assert.doesNotMatch(JSON.stringify(shown), /test-value/);
    assert.match(shown[0]?.texts[0] ?? '', /No hosts yet · •+ Length: 14/);
  });

  it('the import shows which known secrets it replaces', async () => {
    const { shown } = await ask([
      ['DB_PASSWORD'],
      ...['DB_PASSWORD', 'db_password', 'new.example.com'],
      'Store 1',
    ]);
    assert.match(shown[0]?.texts[1] ?? '', /Replaces a secret in this list/);
    const review = shown.at(-1)?.texts.join('\n') ?? '';
    assert.match(review, /Replaces a secret in this list.*new\.example\.com.*db\.example\.com/);
  });

  it('the import does not claim that the vault holds a secret stored with another key', async () => {
    const { shown } = await ask([['DB_PASSWORD'], 'Store 1'], { isInVault: false });
    const texts = shown.flatMap((box) => box.texts).join('\n');
    assert.doesNotMatch(texts, /replaces a secret in this list|hosts:/i);
    assert.match(texts, /with another API key\. If this key’s vault has it/);
  });

  it('the import plans nothing if the user leaves', async () => {
    assert.deepEqual((await ask([['DB_PASSWORD'], LEAVE])).plan, []);
    assert.deepEqual((await ask([edit('API_KEY'), LEAVE])).plan, []);
  });
});

describe('the commands that import secrets', () => {
  const stub = useStubs();
  const select = ['A', 'B', 'C'];
  const messages: string[] = [];

  /**
   * Imports a selection, or runs another command while there is a selection.
   *
   * @param line where the selection begins, from 0
   * @param failures the secrets that fail the first time
   * @param disk puts a secret into the list
   */
  async function run(
    text: string,
    failures: Readonly<Record<string, Pick<ApiErrorInit, 'kind' | 'status'>>> = {},
    {
      script = [select, 'a.test', 'Store', 'Done'] as readonly Move[],
      isCancelled = false,
      disk = undefined as (() => Promise<void>) | undefined,
      command = ['interns.importSelection'] as readonly [CommandId, ...unknown[]],
      line = 0,
    } = {},
  ) {
    const fake = new FakeAccounts();
    const { log, registrar } = fake;
    if (disk) fake.account.store.secrets.put = disk;
    for (const name of ['a', 'b', 'c', 'c', 'c']) {
      const failure = failures[name];
      const metadata = { name, hosts: ['a.test'], fingerprint: null, createdAt: null };
      const refused = failure && new ApiError({ ...failure, route: 'secret', message: '' });
      fake.secretAnswers.push(refused ?? metadata);
    }
    const dialogs = new ScriptedDialogs(script);
    registerImportCommands({
      ...fake.ports,
      dialogs,
      registrar,
      storeSecret: createStoreSecret(fake.ports),
    });
    messages.splice(0);
    stub(vscode.window, {
      activeTextEditor: { document: { getText: () => text }, selection: { start: { line } } },
      showErrorMessage: (message: string) => Promise.resolve(void messages.push(message)),
      showWarningMessage: (message: string) => Promise.resolve(void messages.push(message)),
      showInformationMessage: (message: string) => Promise.resolve(void messages.push(message)),
      withProgress: (_: unknown, task: (...given: unknown[]) => unknown) =>
        task(
          { report: () => undefined },
          { onCancellationRequested: (cancel: () => void) => isCancelled && cancel() },
        ),
    });
    const [id, ...given] = command;
    await registrar.run(id, given);
    await new Promise((resolve) => setImmediate(resolve));
    const tried = fake.stored.map(({ name }) => name);
    const values = fake.stored.map(({ secret }) => secret.value);
    return {
      tried,
      values,
      log,
      shown: dialogs.shown,
      results: dialogs.shown[3]?.texts.slice(2) ?? [],
    };
  }

  const text = 'A=test-value-a\nB=test-value-b\nC=test-value-c';

  for (const [situation, given, message] of [
    ['no value', 'A=\n# B=1', /^There are no entries such as/],
    [
      'more than 500 entries',
      Array.from({ length: 501 }, (_, index) => `KEY_${index}=x`).join('\n'),
      /^There are 501 entries \(at most 500\)/,
    ],
  ] as const)
    it(`the import refuses a selection with ${situation}`, async () => {
      const { shown } = await run(given);
      assert.match(messages[0] ?? '', message);
      assert.equal(shown.length, 0);
    });

  it('the import names the lines that it skipped, without their text', async () => {
    const key = '-----BEGIN KEY-----\ntest-value-one\ntest-value-two\n-----END KEY-----';
    await run(`A=${key}\n# B\ntest-value-c`, {}, { line: 9, script: [LEAVE] });
    assert.deepEqual(messages, ['Skipped lines without KEY=value: 11–13, 15']);
    await run(`A=1\n${'x\n\n'.repeat(9)}`, {}, { script: [LEAVE] });
    assert.deepEqual(messages, ['Skipped lines without KEY=value: 2, 4, 6, 8, 10, 12, 14, 16…']);
    await run('A=1\n\nB=2', {}, { script: [LEAVE] });
    assert.deepEqual(messages, []);
  });

  it('the import retries only the secret that was refused', async () => {
    const script = [select, 'a.test', 'Store', 'Retry secrets that weren’t stored (1)', 'Done'];
    const { tried, shown } = await run(text, { b: { kind: 'refused', status: 400 } }, { script });
    assert.deepEqual(tried, ['a', 'b', 'c', 'b']);
    const [retry, , , ...rows] = shown[3]?.texts ?? [];
    assert.equal(retry, 'Retry secrets that weren’t stored (1)');
    assert.match(rows[0] ?? '', /^A \| Stored a\./);
    assert.match(rows[1] ?? '', /^B \| The service refused/);
    assert.match(rows[2] ?? '', /^C \| Stored c\./);
  });

  it('the import edits a refused secret before it retries, and shows its new name', async () => {
    const { tried, shown } = await run(
      text,
      { b: { kind: 'refused', status: 400 } },
      { script: [select, 'a.test', 'Store', 'B', 'b_two', 'b.test', 'Retry secrets', 'Done'] },
    );
    assert.deepEqual(tried, ['a', 'b', 'c', 'b_two']);
    assert.match(shown[6]?.texts.join() ?? '', /B \| The service refused.* \| as b_two · The name/);
  });

  for (const failure of [
    { kind: 'vault-writes-off', status: 503 },
    { kind: 'outsider', status: 404 },
    { kind: 'signed-out', status: 401 },
    { kind: 'refused', status: 403 },
  ] as const)
    it(`the import stops after ${failure.kind} (${failure.status}), which concerns all secrets`, async () => {
      const { tried, results } = await run(text, { b: failure });
      assert.deepEqual(tried, ['a', 'b']);
      assert.match(results.at(-1) ?? '', /^C \| Not attempted/);
    });

  it('a canceled import marks each secret as not tried', async () => {
    const { tried, results } = await run(text, {}, { isCancelled: true });
    assert.deepEqual(tried, []);
    assert.deepEqual(results.slice(1), [
      'A | Not attempted',
      'B | Not attempted',
      'C | Not attempted',
    ]);
  });

  it('the import reports secrets as stored if only the list could not be written', async () => {
    const disk = () => Promise.reject(new Error('ENOSPC'));
    const { tried, results, log } = await run(text, {}, { disk });
    assert.deepEqual(tried, ['a', 'b', 'c']);
    assert.match(results[0] ?? '', /^A \| Stored a\. Couldn’t add a to this list/);
    assert.equal(log.failures.length, 3);
  });

  it('the import stores a single entry without a selection of entries', async () => {
    const { tried, shown } = await run('A=test-value-a', {}, { script: ['a.test', 'Store 1'] });
    assert.deepEqual([tried, messages.length], [['a'], 1]);
    assert.match(messages[0] ?? '', /^Stored a\./);
    assert.deepEqual(
      shown.map(({ step }) => step),
      ['', ''],
    );
    assert.doesNotMatch(JSON.stringify(shown), /test-value/);
  });

  it('the import asks for the name of a selection that is only a value', async () => {
    const script = ['token', 'a.test', 'Store 1'];
    const { tried, values, shown } = await run('\ttest-value-a\n', {}, { script });
    assert.deepEqual([tried, values], [['token'], ['test-value-a']]);
    assert.equal(shown[0]?.title, 'Name for Selected text');
    assert.doesNotMatch(JSON.stringify(shown), /test-value/);
  });

  it('the import takes a selection that ends with padding for a value', async () => {
    const script = ['token', 'a.test', 'Store 1'];
    const pem = '-----BEGIN KEY-----\ndGVzdCB2YWx1\nZTE==\n-----END KEY-----';
    for (const text of [pem, 'dGVzdCB2YWx1ZSBvbmU=', 'dGVzdCB2YWx1ZSBvbg=='])
      assert.deepEqual((await run(text, {}, { script })).values, [text]);
  });

  it('the import of a file offers the selected text first', async () => {
    const { languages, workspace } = vscode;
    stub(workspace, { findFiles: () => Promise.resolve([]) });
    stub(languages, { match: () => 0 });
    const pick = (text: string, ...rest: readonly Move[]) =>
      run(text, {}, { command: ['interns.importSecrets'], script: ['Selected text', ...rest] });
    assert.deepEqual((await pick('A=1', 'a.test', 'Store 1')).tried, ['a']);
    assert.deepEqual((await pick('test-value', 'b', 'b.test', 'Store 1')).tried, ['b']);
  });

  it('the import lists files by their paths', async () => {
    const paths = ['web/.env', '.env.local', '.env'];
    const files = paths.map((path) => ({ path, toString: () => path }));
    stub(vscode.workspace, {
      findFiles: () => Promise.resolve(files),
      asRelativePath: ({ path }: (typeof files)[number]) => path,
    });
    stub(vscode.languages, { match: () => 0 });
    const { shown } = await run('', {}, { command: ['interns.importSecrets'], script: [LEAVE] });
    assert.deepEqual(shown[0]?.texts, ['.env', '.env.local', 'web/.env', 'Another file…']);
  });

  describe('the lightbulb of a .env file', () => {
    async function store(line: number, script: readonly Move[] = []) {
      stub(vscode.Uri, { parse: (parsed: string) => parsed });
      const getText = () => 'A="first\nB=inside\nend"';
      stub(vscode.workspace, { openTextDocument: () => Promise.resolve({ getText }) });
      const target = { document: 'file:///w/.env', line };
      return await run('', {}, { command: ['interns.storeEnvEntry', target], script });
    }

    it('the lightbulb stores the entry of its line', async () => {
      const { tried } = await store(0, ['a.test', 'Store 1']);
      assert.deepEqual(tried, ['a']);
    });

    it('the lightbulb refuses a line that is part of another value', async () => {
      const { shown } = await store(1);
      assert.deepEqual(messages, ['No KEY=value on this line.']);
      assert.equal(shown.length, 0);
    });
  });
});
