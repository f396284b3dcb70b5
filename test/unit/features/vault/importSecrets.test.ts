import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError, type ApiErrorInit } from '../../../../src/api/index.ts';
import { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { registerImportCommands } from '../../../../src/features/vault/importCommands.ts';
import { askToImport } from '../../../../src/features/vault/importDialog.ts';
import type { PlannedSecret } from '../../../../src/features/vault/importPlan.ts';
import { importSecrets, unstored } from '../../../../src/features/vault/importRun.ts';
import { SecretModel, type StoredSecret } from '../../../../src/features/vault/secretModel.ts';
import type { SecretRecord } from '../../../../src/features/accounts/records.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { eventually } from '../../../harness/until.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { BACK, LEAVE, ScriptedPrompts, type Move } from '../../support/scriptedPrompts.ts';
import { useStubs } from '../../support/stubEditor.ts';

const entries = [
  { key: 'API_KEY', value: 'test-value-one' },
  { key: 'DB_PASSWORD', value: 'test-value-two' },
  { key: 'api.key', value: 'test-value-three' },
  { key: '42', value: 'test-value-four' },
];

const known: SecretRecord = {
  name: 'db_password',
  metadata: { name: 'db_password', hosts: ['db.example.com'], fingerprint: null, createdAt: null },
  storedAt: 0,
};

/** @param since when the account got its key; the known secret was stored at 0 */
async function ask(script: readonly Move[], since = 0) {
  const prompts = new ScriptedPrompts(script);
  const plan = await askToImport(entries, new Map([[known.name, known]]), since, prompts);
  return { plan, shown: prompts.shown };
}

const SAME = 'The same hosts for all';
const EACH = 'Hosts for each';

describe('Import Vault Secrets from .env…', () => {
  it('makes names of keys, and gives all entries the same hosts', async () => {
    const { plan } = await ask([
      ['API_KEY', 'DB_PASSWORD'],
      SAME,
      'a.example.com B.example.com',
      'Store 2',
    ]);
    const hosts = ['a.example.com', 'b.example.com'];
    assert.deepEqual(plan, [
      { key: 'API_KEY', name: 'api_key', hosts, value: 'test-value-one' },
      { key: 'DB_PASSWORD', name: 'db_password', hosts, value: 'test-value-two' },
    ]);
  });

  it('gives each entry its own hosts, beginning with those that its secret is known to have', async () => {
    const { plan, shown } = await ask([
      ['API_KEY', 'DB_PASSWORD'],
      EACH,
      'a.example.com',
      'db.example.com',
      'Store 2',
    ]);
    assert.equal(shown[3]?.value, 'db.example.com');
    assert.deepEqual(
      plan?.map(({ hosts }) => hosts),
      [['a.example.com'], ['db.example.com']],
    );
  });

  it('asks for a name where two keys give the same one, or a key gives none, and lets none clash', async () => {
    const { plan, shown } = await ask([
      ['API_KEY', 'api.key', '42'],
      ...['api_key', 'other_key'],
      ...['', 'other_key', 'answer'],
      SAME,
      'a.example.com',
      'Store 3',
    ]);
    assert.deepEqual(
      plan?.map(({ name }) => name),
      ['api_key', 'other_key', 'answer'],
    );
    assert.match(shown[1]?.refusals[0] ?? '', /API_KEY/);
    assert.match(shown[2]?.refusals[1] ?? '', /api\.key/);
  });

  it('lets no name that was typed clash with an entry that is picked afterwards', async () => {
    const { plan, shown } = await ask([
      ['API_KEY', 'api.key'],
      'db_password',
      BACK,
      BACK,
      // The first entry is gone, whose name made the second one need another; a third one has just that name.
      ['DB_PASSWORD', 'api.key'],
      ...['db_password', 'api_key'],
      SAME,
      'a.example.com',
      'Store 2',
    ]);
    assert.deepEqual(
      plan?.map(({ key, name }) => [key, name]),
      [
        ['DB_PASSWORD', 'db_password'],
        ['api.key', 'api_key'],
      ],
    );
    assert.match(shown.flatMap(({ refusals }) => refusals).join(), /DB_PASSWORD/);
  });

  it('does not ask for names or hosts of entries that were not picked', async () => {
    const { shown } = await ask([['DB_PASSWORD'], 'db.example.com', 'Store 1']);
    assert.deepEqual(
      shown.map(({ title }) => title),
      ['Import Vault Secrets', 'Hosts of DB_PASSWORD', 'Import Vault Secrets'],
    );
  });

  it('shows no value in any box, only how long each is', async () => {
    const { shown } = await ask([['API_KEY'], 'a.example.com', LEAVE]);
    assert.doesNotMatch(JSON.stringify(shown), /test-value/);
    assert.match(shown[0]?.texts[0] ?? '', /14 characters/);
  });

  it('says in the preview which known secrets are replaced, and what becomes of their hosts', async () => {
    const { shown } = await ask([['DB_PASSWORD'], 'new.example.com', 'Store 1']);
    const preview = shown.at(-1)?.texts.join('\n') ?? '';
    assert.match(preview, /Replaces a known secret.*new\.example\.com.*db\.example\.com/);
  });

  it('claims of no secret that another key stored that the vault of this one holds it', async () => {
    const { shown } = await ask([['DB_PASSWORD'], 'new.example.com', 'Store 1'], 1);
    assert.equal(shown[1]?.value, 'db.example.com', 'its hosts are proposed all the same');
    const texts = shown.flatMap((box) => box.texts).join('\n');
    assert.doesNotMatch(texts, /replaces a known secret|hosts:/i);
    assert.match(texts, /before this API key was entered\. If the vault of this key holds it/);
  });

  it('stores nothing when the user leaves', async () => {
    assert.equal((await ask([['API_KEY'], LEAVE])).plan, undefined);
  });
});

describe('an import of more entries than a person looks over', () => {
  const stub = useStubs();

  it('is refused in words before anything is shown of it', async () => {
    const { accounts } = new FakeAccounts();
    const log = new RecordingLog();
    const secrets = new SecretModel({ accounts, log, clock: new FakeClock() });
    const prompts = new ScriptedPrompts([]);
    const registrar = new CommandRegistrar(log, accounts);
    const commands = registerImportCommands(registrar, { accounts, secrets, prompts, log });
    const told: string[] = [];
    const text = Array.from({ length: 501 }, (_, index) => `KEY_${index}=x`).join('\n');
    stub(vscode.window, {
      activeTextEditor: { document: { getText: () => text } },
      showErrorMessage: (message: string) => Promise.resolve(void told.push(message)),
    });
    await registrar.run('interns.importSelection', []);
    await eventually(() => told.length > 0);
    assert.match(told[0] ?? '', /^It has 501 entries, and at most 500 /);
    assert.equal(prompts.shown.length, 0);
    commands.dispose();
    secrets.dispose();
  });
});

describe('the run of an import', () => {
  const planned: PlannedSecret[] = ['a', 'b', 'c'].map((name) => ({
    key: name.toUpperCase(),
    name,
    hosts: ['a.example.com'],
    value: `test-value-${name}`,
  }));
  const stored = { change: 'unknown' } as StoredSecret;

  /** Runs an import in which these secrets fail so. */
  async function run(
    failures: Readonly<Record<string, Pick<ApiErrorInit, 'kind' | 'status'>>>,
    signal = new AbortController().signal,
  ) {
    const tried: string[] = [];
    const results = await importSecrets(
      planned,
      ({ name }) => {
        tried.push(name);
        const failure = failures[name];
        return failure === undefined
          ? Promise.resolve(stored)
          : Promise.reject(new ApiError({ ...failure, route: 'secret', message: '' }));
      },
      () => undefined,
      signal,
    );
    return { results, tried, left: unstored(results).map(({ name }) => name) };
  }

  it('goes on after one that was refused, so that only that one is tried again', async () => {
    const { tried, left } = await run({ b: { kind: 'refused', status: 400 } });
    assert.deepEqual(tried, ['a', 'b', 'c']);
    assert.deepEqual(left, ['b']);
  });

  it('stops where every other one would fail as well', async () => {
    for (const failure of [
      { kind: 'vault-writes-off', status: 503 },
      { kind: 'outsider', status: 404 },
      { kind: 'signed-out', status: 401 },
      { kind: 'refused', status: 403 },
    ] as const) {
      const { tried, left } = await run({ b: failure });
      assert.deepEqual(tried, ['a', 'b']);
      assert.deepEqual(left, ['b', 'c']);
    }
  });

  it('tries none after it was cancelled, and says so of each', async () => {
    const { results, tried } = await run({}, AbortSignal.abort());
    assert.deepEqual(tried, []);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['not-tried', 'not-tried', 'not-tried'],
    );
  });
});
