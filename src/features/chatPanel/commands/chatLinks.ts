import { commands, env, l10n, type Uri } from 'vscode';
import { checkInternId, MAX_PROMPT_CHARACTERS, measureText } from '../../../api/index.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import type { Account } from '../../accounts/account.ts';
import type { ChatOpening } from '../../../platform/commands/ids.ts';
import { confirm } from '../../../platform/dialogs/confirm.ts';
import { plainLine, withoutDeceptive, visibleText } from '../../../platform/dialogs/plainText.ts';
import { warn } from '../../../platform/dialogs/statusMessage.ts';
import { UserError } from '../../../platform/text/reportFailure.ts';
import { nameOf } from '../../interns/internState.ts';
import type { ChatServices } from '../chatServices.ts';

/** Longest ID in a link, in UTF-16 units. */
const MAX_ID_CHARACTERS = 256;

/** Characters of a prompt that are shown before it is put into a composer. */
const MAX_SHOWN_PROMPT_CHARACTERS = 300;

type ChatLinkPorts = Pick<ChatServices, 'accounts' | 'conversations' | 'interns'>;

interface Linked extends ChatOpening {
  readonly intern: string;
  readonly conversation?: string | undefined;
}

/**
 * Opens `SCHEME://intern-service.interns/chat?intern=ID`, which may also name a `conversation` and a `message` in it, and
 * a `prompt` for its composer. A link may come from anywhere, so the user is asked first, and a prompt is never sent.
 */
export async function openChatLink(
  ports: ChatLinkPorts,
  { path, query }: Pick<Uri, 'path' | 'query'>,
): Promise<void> {
  const { accounts } = ports;
  const linked = path === '/chat' ? readLink(query) : undefined;
  if (linked === undefined) {
    warnOfInvalidLink();
    return;
  }
  // The link may have started the extension.
  await accounts.whenLoaded;
  if (accounts.active === undefined && !(await signInAfterQuestion())) return;
  if (accounts.active !== undefined) await openAfterQuestion(ports, linked);
}

async function openAfterQuestion(ports: ChatLinkPorts, linked: Linked): Promise<void> {
  const { interns } = ports;
  const { intern, prompt, conversation } = linked;
  const here = conversation === undefined ? undefined : await findConversation(ports, conversation);
  if (conversation !== undefined && here === undefined) {
    warn(conversationNotHereMessage());
    return;
  }
  // The question below must not name another intern than the conversation's.
  if (here !== undefined && here.intern !== intern) {
    warnOfInvalidLink();
    return;
  }
  const known = await interns.get(intern, here?.account);
  const isAdded = known === undefined && here === undefined;
  const explanation = isAdded
    ? l10n.t(
        'A link wants to open this chat. The intern isn’t in your list; opening the chat adds it.',
      )
    : l10n.t('A link wants to open this chat.');
  const promptNote =
    prompt &&
    l10n.t(
      'The link includes a prompt. It isn’t sent until you press Send: “{0}”',
      plainLine(visibleText(prompt), MAX_SHOWN_PROMPT_CHARACTERS),
    );
  const question = l10n.t(
    'Open a chat with the intern {0}?',
    plainLine(known === undefined ? intern : nameOf(known), 80),
  );
  const detail = [explanation, promptNote].filter(Boolean).join('\n\n');
  if (!(await confirm(question, detail, l10n.t('Open Chat'), 'information'))) return;
  if (isAdded) await interns.add(intern);
  await commands.executeCommand('interns.openChat', linked);
}

/** Finds the account and intern of a conversation in this editor. */
async function findConversation(
  { accounts, conversations }: ChatLinkPorts,
  conversation: string,
): Promise<{ account: Account; intern: string } | undefined> {
  for (const account of accounts.all) {
    const heads = await conversations.list(account);
    const head = heads.find(({ id }) => id === conversation);
    if (head !== undefined) return { account, intern: head.intern };
  }
  return undefined;
}

/** Returns a link to a message, by default the last one. It works on this machine only. @throws UserError if there is no message */
export function messageLink(
  { id, transcript }: Pick<Conversation, 'id' | 'transcript'>,
  message: string | null,
): string {
  const { intern, messages } = transcript;
  const shown = message ?? messages.at(-1)?.id;
  if (shown === undefined) throw new UserError(noMessagesMessage());
  const query = new URLSearchParams({ intern, conversation: id, message: shown });
  return `${env.uriScheme}://intern-service.interns/chat?${query.toString()}`;
}

function warnOfInvalidLink(): void {
  warn(l10n.t('This chat link isn’t valid.'));
}

export function conversationNotHereMessage(): string {
  return l10n.t('This conversation isn’t available here. It’s stored only where it took place.');
}

export function noMessagesMessage(): string {
  return l10n.t('This conversation has no messages yet.');
}

/** Splits a query by its names. VS Code has decoded it, so a prompt may contain `&conversation=`: the first of each name counts. */
function queryParts(query: string): Readonly<Record<string, string>> {
  const marks = [...query.matchAll(/(?:^|&)(intern|conversation|message|prompt)=/gu)].filter(
    ({ 1: name }, index, all) => all.findIndex((other) => other[1] === name) === index,
  );
  const parts = marks.map(({ 0: mark, 1: name = '', index }, at): [string, string] => [
    name,
    query.slice(index + mark.length, marks[at + 1]?.index),
  ]);
  return Object.fromEntries(parts.filter(([, value]) => value !== ''));
}

/** Reads a link; undefined if it is not valid. */
function readLink(query: string): Linked | undefined {
  const { intern = '', prompt: written = '', ...rest } = queryParts(query);
  const prompt = withoutDeceptive(written);
  const isTooLong = [intern, ...Object.values(rest)].some((id) => id.length > MAX_ID_CHARACTERS);
  if (isTooLong || checkInternId(intern) !== null) return undefined;
  if (measureText(prompt, MAX_PROMPT_CHARACTERS).fit === 'too-long') return undefined;
  return { intern, ...rest, ...(prompt !== '' && { prompt }) };
}

/** Signs in if the user agrees. @returns whether they did */
async function signInAfterQuestion(): Promise<boolean> {
  const isConfirmed = await confirm(
    l10n.t('Sign in to open a chat?'),
    l10n.t(
      'A link wants to open a chat. Continue only if you trust it; the next dialogs ask for an API key.',
    ),
    l10n.t('Sign In'),
    'information',
  );
  if (isConfirmed) await commands.executeCommand('interns.signIn');
  return isConfirmed;
}
