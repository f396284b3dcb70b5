import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PendingQuestions } from '../../../../src/conversation/questions/pendingQuestions.ts';
import type { PendingQuestion } from '../../../../src/conversation/questions/types.ts';
import { AllowedRecords } from '../../../../src/features/questions/allowedRecords.ts';
import { QuestionPresenter } from '../../../../src/features/questions/presenter.ts';
import { DraftFiles } from '../../../../src/platform/dialogs/draftFiles.ts';
import { TextEditing } from '../../../../src/platform/dialogs/editText.ts';
import { eventually } from '../../../harness/until.ts';
import {
  asked,
  permission,
  QuestionWindows,
  standsAt,
} from '../../conversation/questions/fakes.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { LEAVE, ScriptedDialogs } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';
import { StubTabs } from '../../support/stubTabs.ts';

describe('QuestionPresenter', () => {
  const stub = useStubs();
  let windows: QuestionWindows;
  let pendingQuestions: PendingQuestions;

  beforeEach(() => {
    const nothing = () => ({ dispose: () => undefined });
    stub(vscode.window, { onDidChangeTextEditorVisibleRanges: nothing });
    stub(vscode.workspace, { registerTextDocumentContentProvider: nothing });
    windows = new QuestionWindows();
    pendingQuestions = windows.open('w1');
  });

  afterEach(() => windows.dispose());

  /** Returns a presenter with these dialogs. */
  function presenterOf(dialogs: object, more: object = {}): QuestionPresenter {
    const during = (task: () => unknown) => task();
    const ports = { pendingQuestions, answerer: windows.answerer, texts: {}, ...more };
    Object.assign(ports, { dialogs: Object.assign(dialogs, { during }) });
    return new QuestionPresenter(ports as never);
  }

  it('a question whose dialog fails can be asked again', async () => {
    pendingQuestions.add(permission('q1'));
    const pick = () => Promise.reject(new Error('The dialog failed'));
    const presenter = presenterOf({ pick });
    await assert.rejects(presenter.ask('q1'), /The dialog failed/);
    assert.equal(standsAt(pendingQuestions.get('q1')), 'open');
  });

  it('a question waits again with its text after the user closes the tab of the text', async () => {
    const fields = [{ name: 'notes', type: 'string', required: true, options: [] }];
    const form = { kind: 'elicitation', message: 'How?', fields };
    pendingQuestions.add({ ...permission('q1'), ...asked('q1', form) } as PendingQuestion);
    const tabs = new StubTabs(stub);
    const texts = new TextEditing(new FakeAccounts().registrar, new DraftFiles('/nowhere', 'w'));
    const dialogs = new ScriptedDialogs([{ pressing: 'Write in an Editor' }, LEAVE]);
    const presenter = presenterOf(dialogs, { texts });
    const asking = presenter.ask('q1');
    await eventually(() => tabs.open.length === 1);
    tabs.type(tabs.uri, 'typed');
    await tabs.saveAndClose();
    await asking;
    assert.equal(standsAt(pendingQuestions.get('q1')), 'open');
    await presenter.ask('q1');
    assert.deepEqual([dialogs.shown[1]?.value, tabs.open], ['typed', []]);
  });

  describe('an answer that always allows', () => {
    const value = { kind: 'permission', choice: 'allow_always' } as const;
    let allowed: AllowedRecords;

    async function allowAlways(): Promise<void> {
      pendingQuestions.add(permission('q1'));
      const pick = () => Promise.resolve({ kind: 'value', value });
      const chats = { returnFocus: () => undefined };
      await presenterOf({ pick }, { allowed, chats }).ask('q1');
    }

    beforeEach(() => {
      allowed = new AllowedRecords(new FakeAccounts().ports);
    });

    it('the allowed permissions list no answer that another window kept from being sent', async () => {
      windows.disk.owners.set('c1', 'w2');
      await allowAlways();
      assert.deepEqual([windows.sent, await allowed.list()], [[], []]);
    });

    it('the allowed permissions list no answer whose conversation cannot be read', async () => {
      windows.answerer.answer = () => Promise.reject(new Error('The record is damaged'));
      await assert.rejects(allowAlways(), /damaged/);
      assert.deepEqual(await allowed.list(), []);
    });

    it('an answer that is not sent leaves an earlier one listed as unclear', async () => {
      await allowed.recordSent(permission('q1'), value);
      windows.disk.owners.set('c1', 'w2');
      await allowAlways();
      assert.equal((await allowed.list())[0]?.isUnclear, true);
    });
  });
});
