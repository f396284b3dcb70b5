import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SecretMetadata } from '../../../../src/api/index.ts';
import { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { SecretCommands } from '../../../../src/features/vault/secretCommands.ts';
import { SecretModel } from '../../../../src/features/vault/secretModel.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { eventually } from '../../../harness/until.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';

const VALUE = 'test-value-of-the-clipboard';
const hosts = ['a.example.com'];
const metadata: SecretMetadata = { name: 'api_key', hosts, fingerprint: null, createdAt: null };

describe('Set Vault Secret… with a value from the clipboard', () => {
  const stub = useStubs();
  let fake: FakeAccounts;
  let clipboard: string;
  let messages: string[];

  beforeEach(async () => {
    fake = new FakeAccounts();
    await fake.account.store.secrets.put({ name: 'api_key', metadata, storedAt: 1 });
    clipboard = VALUE;
    messages = [];
    stub(vscode.env, {
      clipboard: {
        readText: () => Promise.resolve(clipboard),
        writeText: (text: string) => {
          clipboard = text;
          return Promise.resolve();
        },
      },
    });
    stub(vscode.window, {
      showInformationMessage: (message: string, offer?: string) => {
        messages.push(message);
        return Promise.resolve(offer);
      },
    });
  });

  /** Replaces a known secret by the clipboard's text. */
  async function replace(last: Move, answer: SecretMetadata | Promise<SecretMetadata>) {
    const { accounts } = fake;
    const log = new RecordingLog();
    const secrets = new SecretModel({ accounts, log, clock: new FakeClock() });
    const dialogs = new ScriptedDialogs(['api_key', 'a.example.com', 'From the clipboard', last]);
    const registrar = new CommandRegistrar(log, accounts);
    const commands = new SecretCommands(registrar, { accounts, secrets, dialogs, log });
    fake.secretAnswers.push(answer);
    await registrar.run('interns.setSecret', []);
    return { dispose: () => [commands, secrets].forEach((part) => part.dispose()) };
  }

  it('storing a secret from the clipboard offers to clear the clipboard', async () => {
    const parts = await replace('Replace api_key', metadata);
    assert.match(messages[0] ?? '', /still on the clipboard/);
    await eventually(() => clipboard === '');
    parts.dispose();
  });

  it('a left dialog still offers to clear the clipboard once the secret is stored', async () => {
    const answers: ((metadata: SecretMetadata) => void)[] = [];
    const pending = new Promise<SecretMetadata>((resolve) => answers.push(resolve));
    const parts = await replace({ leavingAfter: 'Replace api_key' }, pending);
    assert.equal(messages.length, 0);
    answers[0]?.(metadata);
    await eventually(() => clipboard === '');
    assert.match(messages[0] ?? '', /still on the clipboard/);
    parts.dispose();
  });

  it('clearing the clipboard spares something else that was copied since', async () => {
    stub(vscode.window, {
      showInformationMessage: (_message: string, offer?: string) => {
        clipboard = 'something else';
        return Promise.resolve(offer);
      },
    });
    const parts = await replace('Replace api_key', metadata);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(clipboard, 'something else');
    parts.dispose();
  });
});

describe('interns.storeEnvEntry', () => {
  const stub = useStubs();

  it('interns.storeEnvEntry refuses a line that is part of another value', async () => {
    const { accounts } = new FakeAccounts();
    const log = new RecordingLog();
    const secrets = new SecretModel({ accounts, log, clock: new FakeClock() });
    const dialogs = new ScriptedDialogs([]);
    const registrar = new CommandRegistrar(log, accounts);
    const commands = new SecretCommands(registrar, { accounts, secrets, dialogs, log });
    const messages: string[] = [];
    stub(vscode.Uri, { parse: (text: string) => text });
    stub(vscode.workspace, {
      openTextDocument: () => Promise.resolve({ getText: () => 'A="first\nB=inside\nend"' }),
    });
    stub(vscode.window, {
      showErrorMessage: (message: string) => Promise.resolve(void messages.push(message)),
    });
    await registrar.run('interns.storeEnvEntry', [{ document: 'file:///w/.env', line: 1 }]);
    await eventually(() => messages.length > 0);
    assert.deepEqual(messages, ['No KEY=value on this line.']);
    assert.equal(dialogs.shown.length, 0);
    commands.dispose();
    secrets.dispose();
  });
});
