import { l10n, type SaveDialogOptions, Uri, window, workspace } from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import { closeLastBlock } from '../../base/markdownText.ts';
import { shortTitle } from '../../base/shortTitle.ts';
import { itemLength, type ContextItem } from '../../conversation/attachments.ts';
import type { Message, Part, ReplyMessage } from '../../conversation/messages.ts';
import { withoutCommands } from '../../platform/dialogs/plainText.ts';
import { RESERVED_NAME } from '../../platform/storage/layout.ts';
import { questionView } from './questionView.ts';

/** Longest transcript that is attached, in UTF-16 units. It leaves 4,000 of a prompt for the user's own text. */
const MAX_TRANSCRIPT_CHARACTERS = 28_000;

/** Asks for a file, and writes the conversation as Markdown or JSON, by its extension. */
export async function exportConversation(
  conversation: Conversation,
  internName: string,
): Promise<void> {
  const title = l10n.t('Export Conversation');
  const filters = { Markdown: ['md'], JSON: ['json'] };
  const target = await askForFile(`${fileNameOf(conversation)}.md`, { title, filters });
  if (target === undefined) return;
  const text = target.path.toLowerCase().endsWith('.json')
    ? toJson(conversation, internName)
    : toMarkdown(conversation, internName);
  await workspace.fs.writeFile(target, new TextEncoder().encode(text));
  await window.showTextDocument(target, { preview: true });
}

/** Returns a file name without extension. */
export function fileNameOf({ transcript }: Conversation): string {
  const words = shortTitle(transcript.title).match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.join('-');
  // Windows allows no file with the name of a device.
  return name === '' || RESERVED_NAME.test(name) ? ['conversation', ...words].join('-') : name;
}

/** Asks where to save a file. Proposes its name in the first workspace folder, if there is one. */
export async function askForFile(
  name: string,
  options: SaveDialogOptions,
): Promise<Uri | undefined> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return window.showSaveDialog({
    ...options,
    ...(folder && { defaultUri: Uri.joinPath(folder, name) }),
  });
}

export function toMarkdown({ transcript }: Conversation, internName: string): string {
  const sections = transcript.messages.flatMap((message) => {
    const body = closeLastBlock(messageToMarkdown(message));
    return body === '' ? [] : [sectionOf(message, body, internName)];
  });
  return withoutCommands(`# ${transcript.title}\n\n${sections.join('\n\n')}\n`);
}

/**
 * Returns the transcript as an attachment, up to and including the message `last` if it is given. Leaves out reasoning,
 * and the oldest messages if the transcript is too long. If the last message alone is too long, its beginning is cut.
 */
export function transcriptItem(
  conversation: Conversation,
  internName: string,
  last?: string,
): ContextItem {
  const { messages, title } = conversation.transcript;
  const itemOf = (sections: readonly string[]): ContextItem => ({
    source: `${fileNameOf(conversation)}.md`,
    language: 'md',
    text: withoutCommands([`# ${shortTitle(title)}`, ...sections].join('\n\n')),
  });
  const shortened = (sections: readonly string[]): ContextItem =>
    itemOf([quote(l10n.t('The beginning of this conversation is left out.')), ...sections]);
  const end = messages.findIndex(({ id }) => id === last);
  let kept: readonly string[] = [];
  for (const message of messages.slice(0, end === -1 ? undefined : end + 1).toReversed()) {
    const body = closeLastBlock(messageToMarkdown(message, false));
    if (body === '') continue;
    const section = sectionOf(message, body, internName);
    const excess = itemLength(shortened([section, ...kept])) - MAX_TRANSCRIPT_CHARACTERS;
    if (excess > 0 && kept.length > 0) return shortened(kept);
    // A part of a surrogate pair may remain.
    if (excess > 0)
      return shortened([
        sectionOf(message, body.slice(excess).replace(/^\p{Cs}/u, ''), internName),
      ]);
    kept = [section, ...kept];
  }
  return itemOf(kept);
}

function sectionOf({ kind }: Message, body: string, internName: string): string {
  return `## ${kind === 'prompt' ? l10n.t('You') : internName}\n\n${body}`;
}

/** Returns everything on record of a conversation as JSON. */
export function toJson({ id, transcript }: Conversation, internName: string): string {
  const { intern, title, session, messages } = transcript;
  const exported = { conversation: id, intern, internName, title, session, messages };
  return `${JSON.stringify(exported, undefined, 2)}\n`;
}

/** Returns a message as Markdown, with questions and their outcomes, but without the values of answers. */
export function messageToMarkdown(message: Message, withReasoning = true): string {
  if (message.kind !== 'reply') return message.kind === 'prompt' ? message.sent : '';
  const parts = message.parts.filter(({ kind }) => withReasoning || kind !== 'reasoning');
  return [...parts.map(partToMarkdown), endingOf(message)]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Returns how a reply ended, if it did not end well. */
function endingOf({ state }: ReplyMessage): string {
  if (state === 'failed') return quote(l10n.t('Failed'));
  if (state === 'stopped') return quote(l10n.t('Stopped'));
  return state === 'cut' ? quote(l10n.t('Interrupted')) : '';
}

function partToMarkdown(part: Part): string {
  if (part.kind === 'text') return closeLastBlock(part.text);
  if (part.kind === 'reasoning') return quote(`${l10n.t('Thought')}:\n${part.text}`);
  // A failure may quote a value of the answer.
  const outcome = { ...part, failure: null };
  const { title, detail, stateMessage } = questionView(outcome, part.stage === 'open');
  return quote([title, detail, stateMessage].filter((line) => line !== '').join('\n'));
}

function quote(text: string): string {
  return `> ${text.replaceAll('\n', '\n> ')}`;
}
