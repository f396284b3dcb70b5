import assert from 'node:assert/strict';
import manifest from '../../../../package.json' with { type: 'json' };
import { ChatFocus } from '../../../../src/features/chatPanel/surfaces/focus.ts';
import type { ContextKeys } from '../../../../src/platform/contextKeys.ts';

const { keybindings } = manifest.contributes;

describe('keys of the chat', () => {
  const keys: unknown[] = [];
  const contextKeys = {
    set: (key: string, value: unknown) => keys.push([key, value]),
  } as unknown as ContextKeys;
  const last = (): unknown => keys.at(-1);
  const on = ['interns.chatFocused', true];
  const off = ['interns.chatFocused', false];

  it('the chat keys turn off when the page loses the focus, even if it does not say so', () => {
    const focus = new ChatFocus(contextKeys);
    assert.deepEqual(last(), off, 'a dead extension host may have set it');
    const tab = { active: true };
    const other = { active: false };
    focus.set(tab, true);
    assert.deepEqual(last(), on);
    focus.set(other, false);
    assert.deepEqual(last(), on, 'another page is hidden');
    tab.active = false;
    focus.update();
    assert.deepEqual(last(), off, 'another editor is active, and the page did not say so');
    other.active = true;
    focus.set(other, true);
    focus.set(tab, false);
    assert.deepEqual(last(), on, 'a page reports late that it lost the focus to another chat');
    focus.set(other, false);
    assert.deepEqual(last(), off);
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
