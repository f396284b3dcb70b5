import { l10n } from 'vscode';
import { collapseWhitespace, markdownToText } from '../../base/markdownText.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { PickRow, Dialogs } from '../../platform/dialogs/dialogs.ts';
import { formatRelative } from '../../platform/text/format.ts';
import type { Account } from '../accounts/account.ts';
import type { InternModel } from '../interns/internModel.ts';
import { listingLabel } from './conversationRows.ts';
import type { Conversations } from './conversations.ts';
import type { ConversationHead } from './heads.ts';
import type { Message, Part } from '../../conversation/messages.ts';
import type { Transcript } from '../../conversation/transcript.ts';
import type { FoundMessage } from '../../protocol/messages.ts';

interface SearchPorts {
  readonly dialogs: Dialogs;
  readonly conversations: Pick<Conversations, 'list' | 'read'>;
  readonly interns: Pick<InternModel, 'name'>;
}

/** The selected conversation, and its first message with the words. */
interface FoundConversation {
  readonly conversation: string;
  /** Undefined if only the title has the words. */
  readonly message: string | undefined;
  readonly query: string;
}

/** Characters shown around a match. */
const EXCERPT_MARGIN_CHARACTERS = 60;

/** Lets the user search the titles and texts of an account's conversations; undefined if the user cancels. */
export async function searchConversations(
  account: Account,
  ports: SearchPorts,
): Promise<FoundConversation | undefined> {
  const chosen = await ports.dialogs.pick<FoundConversation>({
    title: l10n.t('Search Conversations'),
    placeholder: l10n.t('Type to search messages'),
    rows: [],
    search: (query, signal) => findRows(account, collapseWhitespace(query.trim()), signal, ports),
  });
  return chosen.kind === 'value' ? chosen.value : undefined;
}

async function findRows(
  account: Account,
  query: string,
  signal: AbortSignal,
  { conversations, interns }: SearchPorts,
): Promise<PickRow<FoundConversation>[]> {
  const rows: PickRow<FoundConversation>[] = [];
  for (const head of await conversations.list(account)) {
    if (signal.aborted) break;
    const found =
      query === '' ? undefined : firstMatch(await conversations.read(account, head.id), query);
    if (found === undefined && indexIn(head.title, query) === -1) continue;
    rows.push({
      ...conversationPickRow(head, interns, account),
      detail: found && plainLine(found.excerpt, found.excerpt.length),
      value: { conversation: head.id, message: found?.message, query },
    });
  }
  return rows.length > 0 || query === '' ? rows : [{ note: l10n.t('No matches') }];
}

/** Returns the first message with the words, and the text around them. */
function firstMatch({ messages }: Transcript, words: string) {
  for (const message of messages) {
    const text = searchableText(message);
    const start = indexIn(text, words);
    if (start === -1) continue;
    const from = Math.max(0, start - EXCERPT_MARGIN_CHARACTERS);
    const excerpt = text.slice(from, start + words.length + EXCERPT_MARGIN_CHARACTERS);
    return { message: message.id, excerpt };
  }
  return undefined;
}

/** Returns the row of a conversation in a list to pick from, with its intern, how it is listed, and its age. */
export function conversationPickRow(
  head: ConversationHead,
  interns: Pick<InternModel, 'name'>,
  account: Account,
): Record<'label' | 'description', string> & { readonly value: ConversationHead } {
  const { title, intern, at, listed } = head;
  const facts = [
    plainLine(interns.name(intern, account), 40),
    listingLabel(listed),
    formatRelative(at, Date.now()),
  ];
  const description = facts.filter(Boolean).join(' · ');
  return { label: plainLine(title, 80), description, value: head };
}

function indexIn(text: string, words: string): number {
  return text.toLowerCase().indexOf(words.toLowerCase());
}

/** Finds the messages with a text, oldest first. */
export function findInTranscript(
  messages: readonly Message[],
  query: string,
  matchCase: boolean,
): readonly FoundMessage[] {
  const fold = (text: string): string => (matchCase ? text : text.toLowerCase());
  const wanted = fold(collapseWhitespace(query));
  if (wanted === '') return [];
  const countIn = (message: Message) => fold(searchableText(message)).split(wanted).length - 1;
  return messages
    .map((message) => ({ message: message.id, count: countIn(message) }))
    .filter(({ count }) => count > 0);
}

/** Returns the text of a message without its markup, with white space collapsed. */
function searchableText(message: Message): string {
  if (message.kind === 'prompt') return collapseWhitespace(message.text);
  return message.kind === 'reply' ? message.parts.map(searchablePart).join(' ') : '';
}

/** Caches the plain text of parts, since a search runs at every key. */
const plainTexts = new WeakMap<Part, { readonly text: string; readonly plain: string }>();

function searchablePart(part: Part): string {
  if (part.kind === 'question')
    return part.question.kind === 'elicitation' ? collapseWhitespace(part.question.message) : '';
  const known = plainTexts.get(part);
  if (known?.text === part.text) return known.plain;
  const plain = collapseWhitespace(markdownToText(part.text));
  plainTexts.set(part, { text: part.text, plain });
  return plain;
}
