import assert from 'node:assert/strict';
import { ApiError, type ApiErrorKind } from '../../../../src/api/index.ts';
import { askToImport } from '../../../../src/host/vault/importDialog.ts';
import type { PlannedSecret } from '../../../../src/host/vault/importPlan.ts';
import { importSecrets, unstored } from '../../../../src/host/vault/importRun.ts';
import type { StoredSecret } from '../../../../src/host/vault/secretModel.ts';
import type { SecretRecord } from '../../../../src/host/storage/records.ts';
import { BACK, LEAVE, ScriptedPrompts, type Move } from '../support/scriptedPrompts.ts';

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

async function ask(script: readonly Move[]) {
  const prompts = new ScriptedPrompts(script);
  const plan = await askToImport(entries, new Map([[known.name, known]]), prompts);
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

  it('stores nothing when the user leaves', async () => {
    assert.equal((await ask([['API_KEY'], LEAVE])).plan, undefined);
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
    failures: Readonly<Record<string, ApiErrorKind>>,
    signal = new AbortController().signal,
  ) {
    const tried: string[] = [];
    const results = await importSecrets(
      planned,
      ({ name }) => {
        tried.push(name);
        const kind = failures[name];
        return kind === undefined
          ? Promise.resolve(stored)
          : Promise.reject(new ApiError({ kind, route: 'secret', message: '' }));
      },
      () => undefined,
      signal,
    );
    return { results, tried, left: unstored(results).map(({ name }) => name) };
  }

  it('goes on after one that was refused, so that only that one is tried again', async () => {
    const { tried, left } = await run({ b: 'refused' });
    assert.deepEqual(tried, ['a', 'b', 'c']);
    assert.deepEqual(left, ['b']);
  });

  it('stops where every other one would fail as well', async () => {
    for (const kind of ['vault-writes-off', 'outsider', 'signed-out'] as const) {
      const { tried, left } = await run({ b: kind });
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
