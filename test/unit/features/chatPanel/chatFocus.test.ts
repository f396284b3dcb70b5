import assert from 'node:assert/strict';
import manifest from '../../../../package.json' with { type: 'json' };
import { confirm } from '../../../../src/platform/dialogs/confirm.ts';
import { chatPages, never, stubChats } from '../../support/chatPages.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { FakeSurface } from '../../support/fakeSurface.ts';
import { useStubs } from '../../support/stubEditor.ts';

const { keybindings } = manifest.contributes;

describe('keys of the chat', () => {
  const stub = useStubs();

  it('the chat keys turn off when the page loses the focus, even if it does not say so', async () => {
    const keys = new Map<string, unknown>();
    let focusCount = 0;
    const [tab, other] = [new FakeSurface(), new FakeSurface()];
    const panels = [tab, other];
    stubChats(stub, { createWebviewPanel: () => panels.shift() });
    const account = accountOf('account-1');
    const pages = chatPages({
      contextKeys: { set: (key: string, value: unknown) => keys.set(key, value) },
      dialogs: { handlePageFocus: () => (focusCount += 1), isOpen: false, onDidChange: never },
    });
    const isOn = () => keys.get('interns.chatFocused');
    assert.equal(isOn(), false, 'a dead extension host may have set it');
    for (const id of ['a', 'b']) await pages.show(account, id);
    const activate = (surface: FakeSurface, active: boolean) => {
      surface.active = active;
      surface.changed.fire();
    };
    activate(other, false);
    tab.focus();
    tab.focus();
    assert.equal(isOn(), true);
    assert.equal(focusCount, 1, 'the second report changed something else');
    other.focus(false);
    assert.equal(isOn(), true, 'another page is hidden');
    activate(tab, false);
    assert.equal(isOn(), false, 'another editor is active, and the page did not say so');
    activate(other, true);
    other.focus();
    tab.focus(false);
    assert.equal(isOn(), true, 'a page reports late that it lost the focus to another chat');
    other.focus(false);
    assert.equal(isOn(), false);
    pages.dispose();
  });

  it('a page gets the focus back that it had when a modal dialog opened', async () => {
    const surface = new FakeSurface();
    let close: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => (close = resolve));
    stubChats(stub, { createWebviewPanel: () => surface, showWarningMessage: () => closed });
    const account = accountOf('account-1');
    const pages = chatPages({});
    await pages.show(account, 'a');
    const returned = () => surface.bodies('returnFocus').length;
    surface.focus();
    const asked = confirm('question', 'detail', 'Yes');
    surface.focus(false);
    assert.equal(returned(), 0);
    close?.();
    await asked;
    assert.equal(returned(), 1);
    await confirm('question', 'detail', 'Yes');
    assert.equal(returned(), 1, 'the user was elsewhere');
    pages.dispose();
  });

  it('the chat keys work only while no other editor or view has the focus', () => {
    for (const { command, key, when } of keybindings) {
      if (key.startsWith('ctrl+k ')) continue;
      const places =
        /resourceScheme == interns-reply|interns\.chatFocused|^focusedView == interns/u;
      assert.match(when, places, command);
      if (!when.includes('interns.chatFocused')) continue;
      for (const part of ["activeWebviewPanelId == 'interns.chat'", '!sideBarFocus', '!panelFocus'])
        assert.ok(when.includes(part), `${command}: ${part}`);
      assert.ok(when.includes('!auxiliaryBarFocus'), command);
      // VS Code sets no key for the page of a view, but for a native input or list beside it.
      const inView = 'interns.chatViewActive && !inputFocus && !sideBarFocus && !panelFocus';
      assert.ok(when.includes(`interns.chatFocused && ${inView}`), command);
    }
  });

  it('no key of the extension types a character on an AltGr layout', () => {
    for (const { command, key, mac } of keybindings)
      for (const step of `${key} ${mac ?? ''}`.split(' '))
        assert.doesNotMatch(step, /^(?=.*ctrl)(?=.*alt).*\+.$/u, command);
  });
});
