import assert from 'node:assert/strict';
import manifest from '../../../../package.json' with { type: 'json' };
import { accessibilityHelp } from '../../../../src/features/chatPanel/chatTexts.ts';

const settings = { sendWith: 'enter', escapeStops: true } as const;

describe('Open Chat Accessibility Help', () => {
  it('the accessibility help names every key of the chat and links the shortcuts', () => {
    const text = accessibilityHelp(manifest, settings);
    for (const { command, key, mac, when } of manifest.contributes.keybindings) {
      if (!when.includes('interns.chatFocused') || when.includes('isLinux')) continue;
      if (command === 'interns.accessibilityHelp') continue;
      const told = mac === undefined ? `: ${key}\n` : `: ${key}, macos ${mac}\n`;
      assert.ok(text.toLowerCase().includes(told), command);
    }
    assert.doesNotMatch(text, /undefined|: \n/u);
    assert.ok(text.includes('Go to your next prompt: Alt+PageDown\n'));
    assert.ok(text.includes('Keyboard Shortcuts'));
  });

  it('the accessibility help follows the settings for Enter and Escape', () => {
    assert.match(accessibilityHelp(manifest, settings), /prompt: Enter\n.*line: Shift\+Enter\n/);
    const other = accessibilityHelp(manifest, { sendWith: 'ctrl+enter', escapeStops: false });
    assert.match(accessibilityHelp(manifest, settings), /Escape twice/u);
    assert.doesNotMatch(other, /Escape twice/u);
    assert.match(other, /prompt: Ctrl\+Enter, macOS Cmd\+Enter\n.*line: Enter\n/);
  });
});
