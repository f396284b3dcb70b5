import { l10n } from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type { ListedAs } from '../../../conversation/journal.ts';
import type { ConversationTarget } from '../../../platform/commands/ids.ts';
import type { CommandRegistrar } from '../../../platform/commands/registrar.ts';
import type { ConversationHead } from '../../conversations/heads.ts';
import type { ChatCommandPorts } from './chatCommandPorts.ts';
import { accountOf, pickConversations } from './chatCommands.ts';

/** What brings a conversation to another place in lists. */
interface Move {
  readonly title: string;
  readonly to: ListedAs;
  /** Whether a conversation in this place can be moved so. */
  readonly from: (listed: ListedAs) => boolean;
}

/** Registers the commands that choose how lists show a conversation. */
export function registerListCommands(
  registrar: CommandRegistrar,
  ports: ChatCommandPorts,
): Disposable {
  const moving = (move: () => Move) => (targets: readonly ConversationTarget[]) =>
    list(ports, targets, move());
  return registrar.registerAll({
    'interns.pinConversation': moving(() => ({
      title: l10n.t('Pin Conversation'),
      to: 'pinned',
      from: (listed) => listed !== 'pinned',
    })),
    'interns.unpinConversation': moving(() => ({
      title: l10n.t('Unpin Conversation'),
      to: 'plain',
      from: (listed) => listed === 'pinned',
    })),
    'interns.archiveConversation': moving(() => ({
      title: l10n.t('Archive Conversation'),
      to: 'archived',
      from: (listed) => listed !== 'archived',
    })),
    'interns.unarchiveConversation': moving(() => ({
      title: l10n.t('Unarchive Conversation'),
      to: 'plain',
      from: (listed) => listed === 'archived',
    })),
  });
}

async function list(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
  { title, to, from }: Move,
): Promise<void> {
  const fits = ({ listed = 'plain' }: ConversationHead): boolean => from(listed);
  const heads = await pickConversations(ports, targets, title, fits);
  for (const { id } of heads.filter(fits)) {
    const open = await ports.conversations.open(accountOf(ports, targets), id);
    open?.conversation.record({ type: 'listed', as: to });
  }
}
