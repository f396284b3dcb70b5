import { l10n } from 'vscode';
import { collapseWhitespace, textOfMarkdown } from '../../base/markdownText.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { PickRow, Dialogs } from '../../platform/dialogs/dialogs.ts';
import { formatRelative } from '../../platform/words/format.ts';
import type { Account } from '../accounts/account.ts';
import type { InternModel } from '../interns/internModel.ts';
import { listedWords } from '../interns/internState.ts';
import type { Conversations } from './conversations.ts';
import type { ConversationHead } from './heads.ts';
import type { Message, Part } from '../../conversation/messages.ts';
import type { FoundMessage } from '../../protocol/messages.ts';

/** What is searched, and whom it asks. */
interface SearchPorts {
  readonly dialogs: Dialogs;
  readonly conversations: Pick<Conversations, 'list' | 'read'>;
  readonly interns: Pick<InternModel, 'name'>;
}

/** A conversation that was chosen, and the message of it that has the words. */
interface FoundConversation {
  readonly conversation: string;
  /** Undefined where the title alone has them. */
  readonly message: string | undefined;
  readonly words: string;
}

/** Characters shown around a match. */
const around = 60;

/** Searches the titles and the whole text of all conversations of an account; undefined where the user left. */
export async function searchConversations(
  account: Account,
  ports: SearchPorts,
): Promise<FoundConversation | undefined> {
  const chosen = await ports.dialogs.pick<FoundConversation>({
    title: l10n.t('Search Conversations'),
    placeholder: l10n.t('Words that were said'),
    matchAll: true,
    rows: [],
    search: (query, signal) => findRows(account, collapseWhitespace(query.trim()), signal, ports),
  });
  return chosen.kind === 'value' ? chosen.value : undefined;
}

async function findRows(
  account: Account,
  words: string,
  signal: AbortSignal,
  { conversations, interns }: SearchPorts,
): Promise<PickRow<FoundConversation>[]> {
  const rows: PickRow<FoundConversation>[] = [];
  for (const head of await conversations.list(account)) {
    if (signal.aborted) break;
    const { id, title } = head;
    const found = words === '' ? undefined : await firstMatch(id);
    if (found === undefined && indexIn(title, words) === -1) continue;
    rows.push({
      label: plainLine(title, 80),
      description: headWords(head, interns),
      detail: found && plainLine(found.excerpt, found.excerpt.length),
      value: { conversation: id, message: found?.message, words },
    });
  }
  return rows;

  async function firstMatch(id: string): Promise<{ message: string; excerpt: string } | undefined> {
    const transcript = await conversations.read(account, id);
    for (const message of transcript.messages) {
      const text = searchableText(message);
      const start = indexIn(text, words);
      if (start !== -1)
        return {
          message: message.id,
          excerpt: text.slice(Math.max(0, start - around), start + words.length + around),
        };
    }
    return undefined;
  }
}

/** Whose a conversation is, where it is found in lists, and how long ago something was said in it. */
export function headWords(
  { intern, at, listed }: ConversationHead,
  interns: Pick<InternModel, 'name'>,
): string {
  const name = plainLine(interns.name(intern), 40);
  return [name, listedWords(listed), formatRelative(at, Date.now())].filter(Boolean).join(' · ');
}

function indexIn(text: string, words: string): number {
  return text.toLowerCase().indexOf(words.toLowerCase());
}

/** Finds text in a whole conversation, drawn or not: the messages that have it, oldest first. */
export function findInTranscript(
  messages: readonly Message[],
  query: string,
  matchCase: boolean,
): readonly FoundMessage[] {
  const fold = (text: string): string => (matchCase ? text : text.toLowerCase());
  const wanted = fold(collapseWhitespace(query));
  if (wanted === '') return [];
  return messages
    .map((message) => ({
      message: message.id,
      count: fold(searchableText(message)).split(wanted).length - 1,
    }))
    .filter(({ count }) => count > 0);
}

/** What of a message can be found: its words as they are read, any white space in them one space. */
function searchableText(message: Message): string {
  switch (message.kind) {
    case 'prompt':
      return collapseWhitespace(message.text);
    case 'reply':
      return message.parts.map(searchablePart).join(' ');
    case 'notice':
      return '';
  }
}

/** What was read of a part, while its text is the same: a search goes through everything at every key. */
const read = new WeakMap<Part, { readonly text: string; readonly plain: string }>();

function searchablePart(part: Part): string {
  if (part.kind === 'question')
    return part.question.kind === 'elicitation' ? collapseWhitespace(part.question.message) : '';
  const known = read.get(part);
  if (known?.text === part.text) return known.plain;
  const plain = collapseWhitespace(textOfMarkdown(part.text));
  read.set(part, { text: part.text, plain });
  return plain;
}
