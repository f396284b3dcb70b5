import { l10n, Uri, window, workspace } from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import { firstWords } from '../../base/firstWords.ts';
import type { Message, Part, ReplyMessage } from '../../conversation/messages.ts';
import { withoutCommands } from '../../platform/dialogs/plainText.ts';
import { questionView } from './questionView.ts';

/** Asks where to and writes a conversation as Markdown or JSON, by the ending of the name. */
export async function exportConversation(
  conversation: Conversation,
  internName: string,
): Promise<void> {
  const target = await window.showSaveDialog({
    title: l10n.t('Export Conversation'),
    filters: { Markdown: ['md'], JSON: ['json'] },
    ...defaultUri(conversation),
  });
  if (target === undefined) return;
  const text = target.path.toLowerCase().endsWith('.json')
    ? toJson(conversation, internName)
    : toMarkdown(conversation, internName);
  await workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await window.showTextDocument(target, { preview: true });
}

function defaultUri({ transcript }: Conversation): { defaultUri?: Uri } {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined) return {};
  const name = firstWords(transcript.title).replace(/[^\p{L}\p{N}]+/gu, '-') || 'conversation';
  return { defaultUri: Uri.joinPath(folder, `${name.replace(/^-|-$/g, '')}.md`) };
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
  return message.kind === 'prompt' ? l10n.t('You') : internName;
}

/** A conversation to process: everything that its record holds, which is no secret value. */
export function toJson({ id, transcript }: Conversation, internName: string): string {
  const { intern, title, session, messages } = transcript;
  const exported = { conversation: id, intern, internName, title, session, messages };
  return `${JSON.stringify(exported, undefined, 2)}\n`;
}

/** A message as Markdown, to copy or to export. Questions appear by what was asked and how it was answered. */
export function markdownOf(message: Message): string {
  switch (message.kind) {
    case 'prompt':
      return message.sent;
    case 'reply':
      return [...message.parts.map(partMarkdown), endingOf(message)]
        .filter((part) => part !== '')
        .join('\n\n');
    case 'notice':
      return '';
  }
}

/** How a reply ended where it did not end well: a reader of a copy cannot see it otherwise. */
function endingOf({ state }: ReplyMessage): string {
  switch (state) {
    case 'failed':
      return quote(l10n.t('Failed'));
    case 'stopped':
      return quote(l10n.t('Stopped'));
    case 'cut':
      return quote(l10n.t('Cut off'));
    case 'done':
    case 'waiting':
    case 'working':
      return '';
  }
}

function partMarkdown(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'reasoning':
      return quote(`${l10n.t('Thought')}:\n${part.text}`);
    case 'question': {
      const { title, detail, stateText } = questionView(part, false);
      return quote([title, detail, stateText].filter((line) => line !== '').join('\n'));
    }
  }
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
