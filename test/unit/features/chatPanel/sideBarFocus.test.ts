import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import type { ChatPages } from '../../../../src/features/chatPanel/chatPages.ts';
import { chatPages, openConversation, stubChats } from '../../support/chatPages.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeSurface } from '../../support/fakeSurface.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('the focus of the chat in the side bar', () => {
  const stub = useStubs();
  const account = accountOf('account-1');
  const dialogsChanged = new Emitter<void>();
  const dialogs = {
    isOpen: false,
    onDidChange: dialogsChanged.event,
    handlePageFocus: () => undefined,
  };
  const editorChanged = new Emitter<void>();
  let clock: FakeClock;
  let view: FakeSurface;
  let tab: FakeSurface;
  let pages: ChatPages;

  beforeEach(async () => {
    clock = new FakeClock();
    view = new FakeSurface();
    view.visible = false;
    stubChats(stub, {
      onDidChangeActiveTextEditor: editorChanged.event,
      createWebviewPanel: () => (tab = new FakeSurface()),
    });
    stub(vscode.commands, {
      executeCommand: () => {
        if (view.visible) return;
        view.show(true);
        pages.sideBar.resolveWebviewView(view as unknown as vscode.WebviewView);
      },
    });
    pages = chatPages({ dialogs, clock });
    await pages.moveToSideBar(openConversation(account, 'a'));
    await setImmediate();
  });

  afterEach(() => pages.dispose());

  function setDialog(isOpen: boolean): void {
    dialogs.isOpen = isOpen;
    dialogsChanged.fire();
  }

  it('the side bar gets the focus back after a dialog that took it', () => {
    const returns = (): number => view.bodies('returnFocus').length;
    view.focus();
    setDialog(true);
    view.focus(false);
    setDialog(false);
    clock.advance(50);
    setDialog(true);
    clock.advance(200);
    assert.equal(returns(), 0, 'another dialog follows');
    setDialog(false);
    clock.advance(200);
    assert.equal(returns(), 1);
    view.focus();
    view.focus(false);
    setDialog(true);
    setDialog(false);
    clock.advance(200);
    assert.equal(returns(), 1);
    view.focus();
    setDialog(true);
    view.focus(false);
    editorChanged.fire();
    setDialog(false);
    clock.advance(200);
    assert.equal(returns(), 1, 'the user went to an editor');
  });

  it('the side bar gets the focus back that VS Code gave to the chat in a tab', async () => {
    pages.sideBar.setPinned(true);
    await pages.show(account, 'b');
    const returns = (): number => view.bodies('returnFocus').length;
    const ask = (): void => {
      tab.focus(false);
      view.focus();
      setDialog(true);
      view.focus(false);
    };
    ask();
    setDialog(false);
    tab.focus();
    clock.advance(200);
    assert.equal(returns(), 1);
    assert.equal(pages.activePage?.open.conversation.id, 'a');
    ask();
    tab.focus();
    setDialog(false);
    clock.advance(200);
    assert.equal(returns(), 1, 'the user went to the tab while the dialog was open');
    ask();
    setDialog(false);
    await pages.show(account, 'b');
    tab.focus();
    clock.advance(200);
    assert.equal(returns(), 1, 'the dialog showed the chat in the tab');
  });

  it('the side bar tells its page that the dialog answered a question', () => {
    for (const wasAnswered of [true, false]) {
      view.focus();
      setDialog(true);
      view.focus(false);
      setDialog(false);
      if (wasAnswered) pages.returnFocus('a');
      clock.advance(200);
    }
    assert.deepEqual(view.bodies('returnFocus'), [{ wasAnswered: true }, {}]);
  });
});
