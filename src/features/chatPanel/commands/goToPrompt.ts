import * as vscode from 'vscode';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import type { Prompts } from '../../../platform/dialogs/prompts.ts';
import { formatDateTime } from '../../../platform/words/format.ts';
import { nothingSaidWords } from './chatLinks.ts';
import { UserError } from '../../../platform/words/report.ts';
import type { ChatPanel } from '../chatPanel.ts';

/** Shows the prompts of a chat as the outline of its conversation, the last one active, and goes to the chosen one. */
export async function goToPrompt(
  chat: Pick<ChatPanel, 'open' | 'postToPage'>,
  prompts: Prompts,
): Promise<void> {
  const { transcript } = chat.open.conversation;
  const rows = transcript.messages.flatMap((message) =>
    message.kind === 'prompt'
      ? {
          label: plainLine(message.text, 120),
          description: formatDateTime(message.at),
          value: message.id,
        }
      : [],
  );
  if (rows.length === 0) throw new UserError(nothingSaidWords());
  const picked = await prompts.pick({
    title: vscode.l10n.t('Go to Prompt'),
    placeholder: vscode.l10n.t('Words of a prompt in this conversation'),
    rows,
    active: transcript.lastPrompt?.id,
  });
  if (picked.kind === 'value') chat.postToPage('reveal', { message: picked.value });
}
