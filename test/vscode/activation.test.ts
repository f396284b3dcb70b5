import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type packageJson from '../../package.json';
import { forwardCommands, type RunCommand, forwardTools } from '../../src/platform/startup.ts';

const extensionId = 'intern-service.interns';

describe('activation', () => {
  let extension: vscode.Extension<unknown>;

  before(async () => {
    const found = vscode.extensions.getExtension(extensionId);
    assert.ok(found, `${extensionId} is not installed`);
    extension = found;
    await extension.activate();
  });

  it('the extension registers a handler for every command of the manifest', async () => {
    const { contributes } = extension.packageJSON as typeof packageJson;
    const declared = contributes.commands.map(({ command }) => command);
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.notEqual(declared.length, 0);
    assert.deepEqual(
      declared.filter((command) => !registered.has(command)),
      [],
    );
  });
});

describe('agent tools', () => {
  it('an agent tool asks the user to sign in first', async () => {
    const names = vscode.lm.tools.map(({ name }) => name);
    assert.ok(['interns_ask', 'interns_list'].every((name) => names.includes(name)));
    const ask = { intern: 'ada', prompt: 'Hello' };
    for (const [name, input] of Object.entries({ interns_ask: ask, interns_list: {} })) {
      const call = vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
      await assert.rejects(Promise.resolve(call), /Sign in first/, name);
    }
  });

  it('the extension registers no agent tools in an editor without agents', () => {
    const manifest = { contributes: { languageModelTools: [{ name: 'interns_test' }] } };
    const never = () => Promise.reject(new Error('not loaded'));
    forwardTools(manifest, never, {}).dispose();
  });
});

describe('forwarded commands', () => {
  const manifest = {
    contributes: { commands: [{ command: 'interns.test.one' }, { command: 'interns.test.two' }] },
  };
  let forwarders: vscode.Disposable;

  afterEach(() => {
    forwarders.dispose();
  });

  it('a command waits until the extension has loaded', async () => {
    const ran: unknown[] = [];
    const runCommand: RunCommand = (...call) => Promise.resolve(void ran.push(call));
    let load = (): void => undefined;
    const main = new Promise<void>((resolve) => (load = resolve)).then(() => ({ runCommand }));
    forwarders = forwardCommands(manifest, () => main);
    const called = vscode.commands.executeCommand('interns.test.two', { intern: 'a' }, [1]);
    load();
    await called;
    assert.deepEqual(ran, [['interns.test.two', [{ intern: 'a' }, [1]]]]);
  });

  it('a command fails if the extension could not be loaded', async () => {
    forwarders = forwardCommands(manifest, () => Promise.reject(new Error('not loaded')));
    const called = vscode.commands.executeCommand('interns.test.one');
    await assert.rejects(Promise.resolve(called), /not loaded/);
  });
});
