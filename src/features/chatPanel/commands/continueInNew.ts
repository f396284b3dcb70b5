import { l10n } from 'vscode';
import type { TranscriptTarget } from '../../../platform/commands/ids.ts';
import { UserError } from '../../../platform/text/reportFailure.ts';
import { activeAccount } from '../../accounts/account.ts';
import { transcriptItem } from '../../conversations/exportConversation.ts';
import { noMessagesMessage } from './chatLinks.ts';
import type { ChatCommandPorts } from './conversationCommands.ts';

/**
 * Starts a conversation with the same or another intern, and attaches the transcript of an open chat to its draft, up to
 * a message if one is given. If the chat's account is signed out, uses the active one.
 */
export async function continueInNew(
  {
    accounts,
    interns,
    picker,
    pages,
    contextFor,
  }: Pick<ChatCommandPorts, 'accounts' | 'interns' | 'picker' | 'pages' | 'contextFor'>,
  [target]: readonly TranscriptTarget[],
): Promise<void> {
  const { conversation: named, message } = target ?? {};
  const page = named === undefined ? pages.lastUsedPage : pages.get(named);
  const { account: own, conversation } = page?.open ?? {};
  if (
    own === undefined ||
    conversation === undefined ||
    conversation.transcript.messages.length === 0
  )
    throw new UserError(noMessagesMessage());
  const { intern } = conversation.transcript;
  const item = transcriptItem(conversation, interns.name(intern, own), message);
  const account = accounts.get(own.id) ?? activeAccount(accounts);
  const title = l10n.t('Continue in New Conversation');
  const picked = await picker.pickWithFirst(account, intern, title);
  if (picked === undefined) return;
  const { id } = pages.start(account, picked).open.conversation;
  contextFor(id).add(item);
}
