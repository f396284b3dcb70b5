import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import { firstWords } from '../../base/firstWords.ts';
import type { Message } from '../../conversation/messages.ts';
import { withoutCommands } from '../../platform/dialogs/plainText.ts';
import { markdownOf } from './markdown.ts';

/** Asks where to and writes a conversation as Markdown or JSON, by the ending of the name. */
export async function exportConversation(
  conversation: Conversation,
  internName: string,
): Promise<void> {
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Conversation'),
    filters: { Markdown: ['md'], JSON: ['json'] },
    ...defaultUri(conversation),
  });
  if (target === undefined) return;
  const text = target.path.toLowerCase().endsWith('.json')
    ? toJson(conversation, internName)
    : toMarkdown(conversation, internName);
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(target, { preview: true });
}

function defaultUri({ transcript }: Conversation): { defaultUri?: vscode.Uri } {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined) return {};
  const name = firstWords(transcript.title).replace(/[^\p{L}\p{N}]+/gu, '-') || 'conversation';
  return { defaultUri: vscode.Uri.joinPath(folder, `${name.replace(/^-|-$/g, '')}.md`) };
}

/** A conversation to read. */
export function toMarkdown({ transcript }: Conversation, internName: string): string {
  const sections = transcript.messages.flatMap((message) => {
    const body = markdownOf(message);
    return body === '' ? [] : [`## ${authorOf(message, internName)}\n\n${body}`];
  });
  return withoutCommands(`# ${transcript.title}\n\n${sections.join('\n\n')}\n`);
}

function authorOf(message: Message, internName: string): string {
  return message.kind === 'prompt' ? vscode.l10n.t('You') : internName;
}

/** A conversation to process: everything that its record holds, which is no secret value. */
export function toJson({ id, transcript }: Conversation, internName: string): string {
  const { intern, title, session, messages } = transcript;
  const exported = { conversation: id, intern, internName, title, session, messages };
  return `${JSON.stringify(exported, undefined, 2)}\n`;
}
