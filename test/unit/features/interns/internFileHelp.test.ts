import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/event.ts';
import { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { InternFileHelp } from '../../../../src/features/interns/internFileHelp.ts';
import { InternModel } from '../../../../src/features/interns/internModel.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeAccounts, internOf } from '../../support/fakeAccounts.ts';
import { eventually } from '../../../harness/until.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { useStubs } from '../../support/stubEditor.ts';

/** A document as far as the help reads one. */
interface FakeDocument {
  text: string;
  readonly isIntern: boolean;
  readonly getText: () => string;
}

function documentOf(text: string, isIntern = true): FakeDocument {
  return {
    text,
    isIntern,
    getText() {
      return this.text;
    },
  };
}

describe('the language status of a .intern.json file', () => {
  const stub = useStubs();
  let fake: FakeAccounts;
  let interns: InternModel;
  let help: InternFileHelp;
  let activated: Emitter<undefined>;
  let edited: Emitter<{ readonly document: FakeDocument }>;
  const item = {
    text: '',
    detail: '',
    severity: undefined as vscode.LanguageStatusSeverity | undefined,
    dispose: () => undefined,
  };

  beforeEach(() => {
    fake = new FakeAccounts();
    activated = new Emitter();
    edited = new Emitter();
    Object.assign(item, { text: '', detail: '', severity: undefined });
    stub(vscode.languages, {
      createLanguageStatusItem: () => item,
      // The editor may ask for no lens at all: the status owes it nothing.
      registerCodeLensProvider: () => ({ dispose: () => undefined }),
      match: (_selector: unknown, { isIntern }: FakeDocument) => (isIntern ? 10 : 0),
    });
    stub(vscode.window, {
      activeTextEditor: undefined,
      onDidChangeActiveTextEditor: activated.event,
    });
    stub(vscode.workspace, { onDidChangeTextDocument: edited.event });
    const { accounts } = fake;
    const log = new RecordingLog();
    interns = new InternModel({ accounts, clock: new FakeClock(), log });
    const create = () => Promise.resolve();
    help = new InternFileHelp(new CommandRegistrar(log, accounts), {
      ...{ accounts, interns, log, create },
    });
  });

  afterEach(() => {
    help.dispose();
    interns.dispose();
  });

  /** Brings a file to the front. */
  function show(text: string, isIntern = true): FakeDocument {
    const document = documentOf(text, isIntern);
    Object.assign(vscode.window, { activeTextEditor: { document } });
    activated.fire(undefined);
    return document;
  }

  const says = (text: string) => eventually(() => item.text === text);
  const CREATE = 'Create Intern from This File';

  it('is there without a code lens, and names the account that counts', async () => {
    show('{"name": "ada"}');
    await says(CREATE);
    assert.equal(item.detail, 'Key of account-1 · workspace-1');
    assert.equal(item.severity, vscode.LanguageStatusSeverity.Information);
  });

  it('is that of the file in the active editor, of several that are open', async () => {
    const { account } = fake;
    await interns.recordIntern(
      internOf({ id: 'i1', name: 'ada', status: 'running' }),
      'created',
      null,
      account,
    );
    show('{"name": "ada"}');
    await says('Created in Key of account-1: Running. Open Chat');
    show('{"name": "bob"}');
    await says(CREATE);
    show('no file of ours', false);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(item.text, CREATE);
  });

  it('follows what is typed, and what becomes of the intern', async () => {
    const document = show('{"name": ');
    await eventually(() => item.severity === vscode.LanguageStatusSeverity.Warning);
    document.text = '{"name": "ada"}';
    edited.fire({ document });
    await eventually(() => item.severity === vscode.LanguageStatusSeverity.Information);
    await interns.list();
    const intern = internOf({ id: 'i1', name: 'ada', status: 'running' });
    await interns.recordIntern(intern, 'created', null, fake.account);
    await says('Created in Key of account-1: Running. Open Chat');
  });

  it('names a key without a label, too', async () => {
    Object.assign(fake.account.record, { label: '' });
    await interns.recordIntern(internOf({ id: 'i1', name: 'ada' }), 'created', null, fake.account);
    show('{"name": "ada"}');
    await says('Created in Unnamed API key: Not known. Open Chat');
  });
});
