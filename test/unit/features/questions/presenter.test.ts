import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { PendingQuestions } from '../../../../src/conversation/questions/pendingQuestions.ts';
import { AllowedRecords } from '../../../../src/features/questions/allowedRecords.ts';
import { QuestionPresenter } from '../../../../src/features/questions/presenter.ts';
import { permission, QuestionWindows, standsAt } from '../../conversation/questions/fakes.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { useStubs } from '../../support/stubEditor.ts';

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

  /** Returns a presenter whose dialogs are answered with `pick`. */
  function presenterOf(pick: () => Promise<unknown>, more: object = {}): QuestionPresenter {
    const dialogs = { pick, during: (task: () => unknown) => task() };
    const ports = { pendingQuestions, dialogs, answerer: windows.answerer, texts: {}, ...more };
    return new QuestionPresenter(ports as never);
  }

  it('a question whose dialog fails can be asked again', async () => {
    pendingQuestions.add(permission('q1'));
    const presenter = presenterOf(() => Promise.reject(new Error('The dialog failed')));
    await assert.rejects(presenter.ask('q1'), /The dialog failed/);
    assert.equal(standsAt(pendingQuestions.get('q1')), 'open');
  });

  describe('an answer that always allows', () => {
    const value = { kind: 'permission', choice: 'allow_always' } as const;
    let allowed: AllowedRecords;

    async function allowAlways(): Promise<void> {
      pendingQuestions.add(permission('q1'));
      const pick = () => Promise.resolve({ kind: 'value', value });
      const chats = { returnFocus: () => undefined };
      await presenterOf(pick, { allowed, chats }).ask('q1');
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
