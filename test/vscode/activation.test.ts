import assert from 'node:assert/strict';
import * as vscode from 'vscode';

const extensionId = 'intern-service.interns';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

describe('activation', () => {
  let extension: vscode.Extension<unknown>;

  before(async () => {
    const found = vscode.extensions.getExtension(extensionId);
    assert.ok(found, `${extensionId} is not installed`);
    extension = found;
    await extension.activate();
  });

  it('succeeds without a key and without a network', () => {
    assert.equal(extension.isActive, true);
  });

  it('leaves no command of the manifest without a handler, so none says "command not found"', async () => {
    const { contributes } = extension.packageJSON as Manifest;
    const declared = contributes.commands.map(({ command }) => command);
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.notEqual(declared.length, 0);
    assert.deepEqual(
      declared.filter((command) => !registered.has(command)),
      [],
    );
  });
});
