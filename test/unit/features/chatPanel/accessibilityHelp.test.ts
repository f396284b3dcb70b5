import assert from 'node:assert/strict';
import manifest from '../../../../package.json' with { type: 'json' };
import { accessibilityHelp } from '../../../../src/features/chatPanel/commands/accessibilityHelp.ts';

describe('Open Chat Accessibility Help', () => {
  it('the accessibility help names every key of the chat as package.json has it', () => {
    const text = accessibilityHelp(manifest, 'enter').toLowerCase();
    for (const { command, key, mac, when } of manifest.contributes.keybindings) {
      if (!when.includes('interns.chatFocused') || when.includes('isLinux')) continue;
      if (command === 'interns.accessibilityHelp') continue;
      const told = mac === undefined ? `: ${key}\n` : `: ${key}, macos ${mac}\n`;
      assert.ok(text.includes(told), command);
    }
    assert.doesNotMatch(text, /undefined|: \n/u);
  });

  it('the accessibility help follows changed keys of the manifest', () => {
    const keybindings = manifest.contributes.keybindings.map((each) =>
      each.command === 'interns.nextMessage' ? { ...each, key: 'ctrl+f12' } : each,
    );
    const text = accessibilityHelp({ contributes: { keybindings } }, 'enter');
    assert.ok(text.includes('Go to the next message: Ctrl+F12'));
    assert.ok(text.includes('Go to your next prompt: Alt+PageDown\n'));
    assert.ok(text.includes('Keyboard Shortcuts'));
  });

  it('the accessibility help follows the setting for the key that sends', () => {
    assert.match(accessibilityHelp(manifest, 'enter'), /prompt: Enter\n.*line: Shift\+Enter\n/);
    const other = accessibilityHelp(manifest, 'ctrl+enter');
    assert.match(other, /prompt: Ctrl\+Enter, macOS Cmd\+Enter\n.*line: Enter\n/);
  });
});
