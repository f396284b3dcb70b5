import { l10n, Uri } from 'vscode';
import type { PageSettings } from '../../../protocol/view.ts';
import type { CommandId } from '../../../platform/commands/ids.ts';

/** The part of package.json that names keys. */
interface Manifest {
  readonly contributes: {
    readonly keybindings: readonly { command: string; key: string; mac?: string }[];
  };
}

/** Returns a link to the Keyboard Shortcuts editor: extensions cannot read the user's own keys. */
export function shortcutsLink(): Uri {
  const args = encodeURIComponent(JSON.stringify(['@ext:intern-service.interns']));
  return Uri.parse(`command:workbench.action.openGlobalKeybindings?${args}`);
}

/**
 * Returns the help on the chat's keys and on screen readers, as Markdown with the default keys.
 *
 * @param manifest the extension's package.json
 */
export function accessibilityHelp(
  manifest: unknown,
  { sendWith, escapeStops }: Pick<PageSettings, 'sendWith' | 'escapeStops'>,
): string {
  const { keybindings } = (manifest as Manifest).contributes;
  const row = (command: CommandId, what: string): string => {
    const binding = keybindings.find((each) => each.command === command);
    return `- ${what}: ${keysText(binding?.key ?? '', binding?.mac)}`;
  };
  const isEnter = sendWith === 'enter';
  return [
    `# ${l10n.t('Chat Accessibility Help')}`,
    l10n.t('These are the default keys. You can see and change yours in Keyboard Shortcuts.'),
    `## ${l10n.t('Writing')}`,
    [
      `- ${l10n.t('Send the prompt')}: ${isEnter ? 'Enter' : keysText('ctrl+enter', 'cmd+enter')}`,
      `- ${l10n.t('Start a new line')}: ${isEnter ? 'Shift+Enter' : 'Enter'}`,
      `- ${l10n.t('Recall an earlier prompt')}: ↑, ↓`,
      `- ${l10n.t('Attach a file: type @ and the beginning of its name, select with ↑ and ↓')}: Enter`,
      `- ${l10n.t('Insert a workspace prompt: type / at the beginning, select with ↑ and ↓')}: Enter`,
      `- ${l10n.t('Close an open part of the chat, such as find, or go to the composer')}: Escape`,
      row('interns.focusComposer', l10n.t('Go to the composer from anywhere in the window')),
    ].join('\n'),
    `## ${l10n.t('Reading')}`,
    [
      row('interns.previousMessage', l10n.t('Go to the previous message')),
      row('interns.nextMessage', l10n.t('Go to the next message')),
      row('interns.previousPrompt', l10n.t('Go to your previous prompt')),
      row('interns.nextPrompt', l10n.t('Go to your next prompt')),
      row('interns.goToPrompt', l10n.t('Select one of your prompts and go to it')),
      row('interns.previousCodeBlock', l10n.t('Go to the previous code block')),
      row('interns.nextCodeBlock', l10n.t('Go to the next code block')),
      `- ${l10n.t('Copy, insert or save a code block: Shift+Tab to its buttons, then')}: ←, →, Enter`,
      row('interns.findInChat', l10n.t('Find in the conversation')),
      row('interns.openReplyAsText', l10n.t('Open the reply as text')),
      row('interns.returnToChat', l10n.t('Close the reply or this help, and return to the chat')),
    ].join('\n'),
    l10n.t(
      'Each message is an article with a level 2 heading. Headings in replies have lower levels. In a reply that is open as text, the keys for the previous and next message open the previous and next reply.',
    ),
    `## ${l10n.t('Runs and questions')}`,
    [
      ...(escapeStops
        ? [
            `- ${l10n.t('Stop the run while the intern is working')}: ${l10n.t('Escape twice within a second')}`,
          ]
        : []),
      row('interns.stop', l10n.t('Stop the run, also while it’s waiting for an answer')),
      row('interns.answer', l10n.t('Answer the pending question')),
      row('interns.goToWaiting', l10n.t('Show the next chat that is waiting for you')),
    ].join('\n'),
    l10n.t(
      'Escape in a question’s dialog doesn’t answer. The question stays open. The dialog ignores input for its first half second.',
    ),
    `## ${l10n.t('What is announced')}`,
    l10n.t(
      'The setting {0} controls which parts of a reply are announced: sentences as they arrive, the complete reply, or nothing. Questions, failures and the end of a run are always announced, even while the chat is hidden.',
      '`interns.chat.narration`',
    ),
    '',
  ].join('\n\n');
}

/** Writes `ctrl+k shift+pageup` as `Ctrl+K Shift+PageUp`. */
function keysText(key: string, mac?: string): string {
  const keys = mac === undefined ? key : `${key}, macOS ${mac}`;
  return keys.replace(/\b\p{L}(?!acOS)|(?<=page)\p{L}/gu, (letter) => letter.toUpperCase());
}
