import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  ApiError,
  MAX_SECRET_VALUE_CHARACTERS,
  type ApiErrorInit,
  type SecretMetadata,
} from '../../../../src/api/index.ts';
import {
  askForSecret,
  type SecretTask,
  type SecretValues,
} from '../../../../src/features/vault/secretDialog.ts';
import { createStoreSecret, type StoredSecret } from '../../../../src/features/vault/secrets.ts';
import { secretRefusal, storedMessage } from '../../../../src/features/vault/secretMessages.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { eventually } from '../../../harness/until.ts';
import { BACK, LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { stubClipboard, useStubs } from '../../support/stubEditor.ts';

const VALUE = 'test-value-not-real';
const TYPE = 'Type the value';
const noValues: SecretValues = { name: '', hosts: '', source: undefined, value: '' };

interface Setting extends Partial<SecretTask> {
  readonly answers?: readonly (Partial<ApiErrorInit> | Partial<SecretMetadata>)[];
  /** Hosts of a known secret `api_key`; null for a legacy one. */
  readonly known?: readonly string[] | null;
  /** True if it was stored with an earlier key of the account. */
  readonly isOfOtherKey?: boolean;
}

async function run(
  script: readonly Move[],
  { answers = [{}], known, isOfOtherKey = false, ...task }: Setting = {},
) {
  const fake = new FakeAccounts();
  const metadata = { name: 'api_key', fingerprint: 'sha256:1', createdAt: null };
  if (known !== undefined) {
    const record = { name: 'api_key', metadata: { ...metadata, hosts: known } };
    await fake.account.store.secrets.put({ ...record, storedAt: isOfOtherKey ? -1 : 1 });
  }
  for (const answer of answers) {
    fake.secretAnswers.push(
      'kind' in answer
        ? new ApiError({ kind: 'refused', route: 'secret', message: '', ...answer })
        : { ...metadata, hosts: ['a.example.com'], ...answer },
    );
  }
  const ended: StoredSecret[] = [];
  const lateFailures: ApiError[] = [];
  const dialogs = new ScriptedDialogs(script);
  const left = await askForSecret(
    fake.account,
    { title: 'Set Vault Secret', initial: noValues, ...task },
    {
      dialogs,
      storeSecret: createStoreSecret(fake.ports),
      handleStored: (each) => ended.push(each),
      handleLateFailure: (each) => lateFailures.push(each),
    },
  );
  const records = await fake.account.store.secrets.list();
  return { left, shown: dialogs.shown, stored: fake.stored, ended, lateFailures, records };
}

describe('Set Vault Secret…', () => {
  const stub = useStubs();

  it('the secret dialog asks for name, hosts, source and masked value in this order', async () => {
    const script = ['api_key', 'A.example.com.', TYPE, VALUE];
    const { left, shown, stored, ended, records } = await run(script);
    const boxes = shown.map(({ step, password }) => `${step} ${password}`);
    assert.deepEqual(boxes, ['1/4 false', '2/4 false', '3/4 false', '4/4 true']);
    assert.deepEqual(shown[2]?.rows, [TYPE, 'From the clipboard', 'From a file…']);
    const secret = { hosts: ['a.example.com'], value: VALUE };
    assert.deepEqual(stored, [{ name: 'api_key', secret }]);
    assert.deepEqual([left, ended.length], [undefined, 1]);
    assert.doesNotMatch(JSON.stringify(records), new RegExp(VALUE));
  });

  it('the secret dialog refuses typed values that the vault would refuse', async () => {
    const { shown } = await run([
      ...['', 'Api', '1a', 'a__b', 'a_', 'api_key'],
      ...['', 'https://a.example.com', 'a.example.com'],
      TYPE,
      ...['', 'x'.repeat(65_537), '-----BEGIN TEST-----', VALUE],
    ]);
    const counts = shown.map(({ refusals }) => refusals.length);
    assert.deepEqual(counts, [5, 2, 0, 3]);
    assert.match(shown[3]?.refusals[2] ?? '', /clipboard or a file/);
  });

  for (const [length, refusals] of [
    [MAX_SECRET_VALUE_CHARACTERS, 0],
    [MAX_SECRET_VALUE_CHARACTERS + 1, 1],
  ] as const)
    it(`the secret dialog ${refusals === 0 ? 'takes' : 'refuses'} a value of ${length} wide characters`, async () => {
      const value = '🦊'.repeat(length);
      const bytes = new TextEncoder().encode(value);
      stubClipboard(stub, value);
      stub(vscode.window, { showOpenDialog: () => Promise.resolve(['file']) });
      const stat = () => Promise.resolve({ size: bytes.length });
      stub(vscode.workspace, { fs: { stat, readFile: () => Promise.resolve(bytes) } });
      for (const source of ['From the clipboard', 'From a file…']) {
        const { shown } = await run(['api_key', 'a.example.com', source, LEAVE], { known: [] });
        const last = shown.at(-1);
        assert.equal(last?.refusals.length, refusals);
        assert.doesNotMatch(last.refusals.join(), /🦊/u);
      }
    });

  it('the secret dialog asks before it replaces a known secret', async () => {
    const script = ['api_key', 'b.example.com', TYPE, VALUE];
    const left = await run([...script, LEAVE], { known: ['a.example.com'] });
    assert.deepEqual(left.stored, []);
    const changes = left.shown.at(-1)?.texts.join() ?? '';
    assert.match(changes, /Added hosts: b\.example\.com.*Removed hosts: a\.example\.com/);
    const replaced = await run([...script, 'Replace api_key'], { known: ['a.example.com'] });
    assert.equal(replaced.stored.length, 1);
    assert.equal(replaced.records.length, 1);
  });

  // Rules 15.16, 16.3
  it('the secret dialog does not claim that the vault holds a secret of another key', async () => {
    const script = ['api_key', 'b.example.com', TYPE, VALUE, 'Store api_key'];
    const { shown, ended } = await run(script, { known: ['a.example.com'], isOfOtherKey: true });
    const { remarks, texts } = shown.at(-1)!;
    assert.doesNotMatch([...remarks, ...texts].join(), /Replace|already|hosts:/);
    assert.match(texts.join(), /If this key’s vault has it too, it’s replaced/);
    assert.match(shown[0]!.remarks.join(), /with another API key/);
    assert.match(storedMessage(ended[0]!), /^Stored api_key\./);
  });

  it('the secret dialog shows the refusal of a value from the clipboard at its source', async () => {
    stubClipboard(stub, VALUE);
    stub(vscode.window, {
      withProgress: (_: unknown, task: (...given: unknown[]) => unknown) =>
        task({}, { onCancellationRequested: () => undefined }),
    });
    const script = ['api_key', 'a.example.com', 'From the clipboard', 'From the clipboard'];
    const answers = [{ kind: 'refused', status: 400, message: 'Too short' } as const, {}];
    const { shown, ended, lateFailures } = await run(script, { answers });
    assert.match(shown[3]?.refusals[0] ?? '', /^Too short/);
    assert.deepEqual([shown.length, ended.length, lateFailures.length], [4, 1, 0]);
  });

  it('the box for typing does not hold a value from the clipboard', async () => {
    stubClipboard(stub, VALUE);
    const { shown } = await run(
      ['api_key', 'a.example.com', 'From the clipboard', BACK, TYPE, LEAVE],
      { known: [] },
    );
    assert.deepEqual([shown.at(-1)?.password, shown.at(-1)?.value], [true, '']);
  });

  it('the secret dialog keeps all values for the next try after a refusal', async () => {
    const script = ['api_key', 'a.example.com', TYPE, VALUE, VALUE];
    const off = { kind: 'vault-writes-off', status: 503, message: 'Vault writes are disabled' };
    const answers = [off as Partial<ApiErrorInit>, {}];
    const { shown, stored, ended } = await run(script, { answers });
    assert.equal(shown.length, 4);
    assert.match(shown[3]?.refusals[0] ?? '', /^Vault writes are disabled/);
    assert.equal(stored.length, 2);
    assert.equal(ended.length, 1);
  });

  it('the secret dialog forgets the secret value when the user leaves', async () => {
    const { shown, left } = await run(['api_key', 'a.example.com', TYPE, BACK, TYPE, LEAVE]);
    const offered = shown.map(({ value }) => value);
    assert.deepEqual(offered, ['', '', '', '', TYPE, '']);
    const values = { name: 'api_key', hosts: 'a.example.com', source: 'type', value: '' };
    assert.deepEqual(left, values);
  });

  it('the secret dialog reports a secret that was refused after it was left', async () => {
    const answers = [{ kind: 'refused', message: 'Host not allowed' } as const];
    const script = ['api_key', 'a.example.com', TYPE, { leavingAfter: VALUE }];
    const { ended, lateFailures } = await run(script, { answers });
    await eventually(() => lateFailures.length > 0);
    assert.deepEqual([ended.length, lateFailures[0]?.message], [0, 'Host not allowed']);
  });

  it('the secret dialog closes when another one stores the secret', async () => {
    const answers = [{ kind: 'aborted' } as const];
    const script = ['api_key', 'a.example.com', TYPE, VALUE];
    const { shown, ended, left } = await run(script, { answers });
    assert.deepEqual([shown.length, ended.length, left], [4, 0, undefined]);
  });

  it('the secret dialog asks for the value again to edit the hosts of a secret', async () => {
    const { shown, stored } = await run(['b.example.com', TYPE, VALUE, 'Replace api_key'], {
      known: ['a.example.com'],
      initial: { ...noValues, name: 'api_key', hosts: 'a.example.com' },
      startAt: 'hosts',
      isNameFixed: true,
    });
    assert.deepEqual([shown[0]?.value, shown[0]?.step], ['a.example.com', '1/4']);
    assert.deepEqual(stored[0]?.secret.hosts, ['b.example.com']);
  });
});

describe('secretRefusal', () => {
  it('a refused secret shows the sentence of the service, or ours if there is none', () => {
    const refused = { kind: 'refused', route: 'secret', status: 422 } as const;
    const said = new ApiError({ ...refused, message: 'Host not allowed' });
    assert.match(secretRefusal(said).message, /^Host not allowed/);
    const lost = new ApiError({ kind: 'network', route: 'secret', message: 'ECONNRESET' });
    assert.doesNotMatch(secretRefusal(lost).message, /ECONNRESET/);
  });
});
