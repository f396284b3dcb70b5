import { l10n, Uri } from 'vscode';
import type { Conversation } from '../../chat/conversation.ts';
import { standingOf, type Standing } from '../../chat/standing.ts';
import { plainLine } from '../dialogs/plainText.ts';

/** The title of a conversation's tab: the intern, the first words, and what needs the user. */
export function tabTitle(internName: string, conversation: Conversation): string {
  const { title } = conversation.transcript;
  const name = plainLine(internName, 40);
  const whole = title === '' ? name : `${name}: ${plainLine(title, 40)}`;
  switch (standingOf(conversation)) {
    case 'waiting':
      return l10n.t('{0} (asks you)', whole);
    case 'failed':
      return l10n.t('{0} (failed)', whole);
    case 'working':
      return l10n.t('{0} (working)', whole);
    case 'idle':
      return whole;
  }
}

/** The icon of a conversation's tab: SVG, since the oldest supported VS Code ignores theme icons there. */
export function tabIcon(extension: Uri, standing: Standing): { light: Uri; dark: Uri } {
  return {
    light: Uri.joinPath(extension, 'media', 'tab', `${standing}-light.svg`),
    dark: Uri.joinPath(extension, 'media', 'tab', `${standing}-dark.svg`),
  };
}
