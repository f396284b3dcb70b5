import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { accessibilityHelp } from '../../../../src/features/chatPanel/commands/accessibilityHelp.ts';

interface Manifest {
  readonly contributes: {
    keybindings: { command: string; key: string; mac?: string; when: string }[];
  };
}

const file = new URL('../../../../package.json', import.meta.url);
const read = (): Manifest => JSON.parse(readFileSync(file, 'utf8')) as Manifest;

describe('Open Chat Accessibility Help', () => {
  it('the accessibility help names every key of the chat as package.json has it', () => {
    const manifest = read();
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
    const manifest = read();
    for (const binding of manifest.contributes.keybindings)
      if (binding.command === 'interns.nextMessage') binding.key = 'ctrl+f12';
    const text = accessibilityHelp(manifest, 'enter');
    assert.ok(text.includes('Go to the next message: Ctrl+F12'));
    assert.ok(text.includes('Go to your next prompt: Alt+PageDown\n'));
    assert.ok(text.includes('Keyboard Shortcuts'));
  });

  it('the accessibility help follows the setting for the key that sends', () => {
    assert.match(accessibilityHelp(read(), 'enter'), /prompt: Enter\n.*line: Shift\+Enter\n/);
    const other = accessibilityHelp(read(), 'ctrl+enter');
    assert.match(other, /prompt: Ctrl\+Enter, macOS Cmd\+Enter\n.*line: Enter\n/);
  });
});
