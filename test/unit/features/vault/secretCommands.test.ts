import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SecretMetadata } from '../../../../src/api/index.ts';
import type { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { registerSecretCommands } from '../../../../src/features/vault/secretCommands.ts';
import { createStoreSecret } from '../../../../src/features/vault/secrets.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { eventually } from '../../../harness/until.ts';
import { LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { stubClipboard, useStubs } from '../../support/stubEditor.ts';

const VALUE = 'test-value-of-the-clipboard';
const hosts = ['a.example.com'];
const metadata: SecretMetadata = { name: 'api_key', hosts, fingerprint: null, createdAt: null };

type Command = Parameters<CommandRegistrar['run']>;

/** Runs commands of a window whose user follows the script. Returns the dialogs that were shown. */
async function run(fake: FakeAccounts, script: readonly Move[], ...given: readonly Command[]) {
  const { registrar } = fake;
  const dialogs = new ScriptedDialogs(script);
  registerSecretCommands({
    ...fake.ports,
    dialogs,
    registrar,
    storeSecret: createStoreSecret(fake.ports),
  });
  for (const command of given) await registrar.run(...command);
  return dialogs.shown;
}

describe('Set Vault Secret… with a value from the clipboard', () => {
  const stub = useStubs();
  let fake: FakeAccounts;
  let clipboard: { text: string };
  let messages: string[];

  beforeEach(async () => {
    fake = new FakeAccounts();
    await fake.account.store.secrets.put({ name: 'api_key', metadata, storedAt: 1 });
    clipboard = stubClipboard(stub, VALUE);
    messages = [];
    stub(vscode.window, {
      showInformationMessage: (message: string, offer?: string) => {
        messages.push(message);
        return Promise.resolve(offer);
      },
    });
  });

  /** Replaces a known secret by the clipboard's text. */
  async function replace(last: Move, answer: SecretMetadata | Promise<SecretMetadata>) {
    fake.secretAnswers.push(answer);
    const script: Move[] = ['api_key', 'a.example.com', 'From the clipboard', last];
    return run(fake, script, ['interns.setSecret', []]);
  }

  it('storing a secret from the clipboard offers to clear the clipboard', async () => {
    await replace('Replace api_key', metadata);
    await eventually(() => clipboard.text === '');
    assert.match(messages[0] ?? '', /still on the clipboard/);
  });

  for (const [copied, says] of [
    [VALUE, /still on the clipboard/],
    ['something else', /^Replaced api_key\.$/],
  ] as const)
    it(`a secret that is stored after its dialog was left says “${says.source}”`, async () => {
      const answers: ((metadata: SecretMetadata) => void)[] = [];
      const pending = new Promise<SecretMetadata>((resolve) => answers.push(resolve));
      await replace({ leavingAfter: 'Replace api_key' }, pending);
      assert.equal(messages.length, 0);
      clipboard.text = copied;
      answers[0]?.(metadata);
      await eventually(() => messages.length > 0);
      assert.match(messages[0] ?? '', says);
      await eventually(() => clipboard.text === (copied === VALUE ? '' : copied));
    });

  it('Set Vault Secret… proposes the entries of a dialog that was left until they are stored', async () => {
    fake.secretAnswers.push(metadata);
    const script: Move[] = [
      'api_key',
      LEAVE,
      LEAVE,
      'a.example.com',
      'From the clipboard',
      'Replace api_key',
    ];
    const anew: Command = ['interns.setSecret', []];
    const ofRow: Command = ['interns.setSecret', [{ secret: 'api_key' }]];
    const shown = await run(fake, [...script, LEAVE], anew, anew, ofRow, anew);
    assert.deepEqual([shown[2]?.value, shown.at(-1)?.value], ['api_key', '']);
  });

  it('a secret stays in the list if its removal is not confirmed', async () => {
    stub(vscode.window, { showWarningMessage: () => Promise.resolve(undefined) });
    await run(fake, [], ['interns.removeSecret', []]);
    assert.equal((await fake.account.store.secrets.list()).length, 1);
  });

  for (const [which, targets] of [
    ['the only secret', []],
    ['a secret that a row names', [{ secret: 'api_key' }]],
  ] as const)
    it(`${which} leaves the list of the account that was asked about`, async () => {
      const { account, other } = fake;
      await other.store.secrets.put({ name: 'api_key', metadata, storedAt: 1 });
      const accounts = { ...fake.accounts };
      stub(vscode.window, {
        showWarningMessage: (_question: string, _options: unknown, remove: string) => {
          Object.assign(accounts, { active: other });
          return Promise.resolve(remove);
        },
      });
      Object.defineProperty(fake, 'accounts', { value: accounts });
      await run(fake, [], ['interns.removeSecret', targets]);
      const left = [account, other].map(({ store }) => store.secrets.list());
      assert.deepEqual(
        (await Promise.all(left)).map(({ length }) => length),
        [0, 1],
      );
    });

  it('clearing the clipboard keeps something else that was copied since', async () => {
    stub(vscode.window, {
      showInformationMessage: (_message: string, offer?: string) => {
        clipboard.text = 'something else';
        return Promise.resolve(offer);
      },
    });
    await replace('Replace api_key', metadata);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(clipboard.text, 'something else');
  });
});
