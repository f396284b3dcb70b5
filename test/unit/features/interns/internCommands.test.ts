import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { registerInternCommands } from '../../../../src/features/interns/internCommands.ts';
import type { InternPicker } from '../../../../src/features/interns/internPicker.ts';
import { creating } from '../../support/creating.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { ScriptedDialogs } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';

const reveal = () => undefined;
const picker = { pickMany: () => Promise.resolve(['i1']) } as unknown as InternPicker;

describe('the commands of the Interns view', () => {
  const stub = useStubs();

  it('interns leave the list of the account that was asked about', async () => {
    const fake = new FakeAccounts();
    const { account, other, registrar } = fake;
    const accounts = { ...fake.accounts };
    const { interns, dispose } = creating({ ...fake.ports, accounts });
    for (const each of [account, other]) await interns.add('i1', each);
    const dialogs = new ScriptedDialogs([]);
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

  it('an intern is added to the account that was active when its ID was asked for', async () => {
    const fake = new FakeAccounts();
    const { account, other, registrar } = fake;
    const accounts = { ...fake.accounts };
    const { interns, dispose } = creating({ ...fake.ports, accounts });
    const dialogs = new ScriptedDialogs([]);
    dialogs.input = () => {
      Object.assign(accounts, { active: other });
      return Promise.resolve({ kind: 'value', value: ' i1 ' });
    };
    registerInternCommands({ accounts, dialogs, interns, picker, registrar, reveal });
    await registrar.run('interns.addIntern', []);
    assert.equal(await interns.get('i1', other), undefined);
    assert.notEqual(await interns.get('i1', account), undefined);
    dispose();
  });
});
