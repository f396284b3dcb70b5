import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registerInternCommands } from '../../../../src/features/interns/internCommands.ts';
import type { InternPicker } from '../../../../src/features/interns/internPicker.ts';
import { creating } from '../../support/creating.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { ScriptedDialogs } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('Remove Intern from This List…', () => {
  const stub = useStubs();

  it('interns leave the list of the account that was asked about', async () => {
    const fake = new FakeAccounts();
    const { account, other, registrar } = fake;
    const accounts = { ...fake.accounts };
    const { interns, dispose } = creating({ ...fake.ports, accounts });
    for (const each of [account, other]) await interns.add('i1', each);
    const picker = { pickMany: () => Promise.resolve(['i1']) } as unknown as InternPicker;
    const dialogs = new ScriptedDialogs([]);
    const reveal = () => undefined;
    registerInternCommands({ accounts, dialogs, interns, picker, registrar, reveal });
    stub(vscode.window, {
      showWarningMessage: (_question: string, _options: unknown, remove: string) => {
        Object.assign(accounts, { active: other });
        return Promise.resolve(remove);
      },
    });
    await registrar.run('interns.removeIntern', []);
    assert.equal(await interns.get('i1', account), undefined);
    assert.notEqual(await interns.get('i1', other), undefined);
    dispose();
  });
});
