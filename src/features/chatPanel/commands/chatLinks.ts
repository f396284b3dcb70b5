import * as vscode from 'vscode';
import { checkInternId, MAX_PROMPT_CHARACTERS, measureText } from '../../../api/index.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import type { Account, Accounts } from '../../accounts/account.ts';
import type { ChatOpening } from '../../../platform/commands/ids.ts';
import { confirm } from '../../../platform/dialogs/confirm.ts';
import { plainLine, withoutDeceptive, visibleText } from '../../../platform/dialogs/plainText.ts';
import { UserError } from '../../../platform/words/report.ts';
import type { Conversations } from '../../conversations/conversations.ts';
import type { InternModel } from '../../interns/internModel.ts';
import { nameOf } from '../../interns/internState.ts';

/** Longest id in a link. */
const longestId = 256;

/** Characters of a prompt that are shown before it is put into a composer. */
const shownOfPrompt = 300;

/** What a link asks for. */
interface Linked extends ChatOpening {
  readonly intern: string;
  readonly conversation?: string | undefined;
}

/**
 * Opens `SCHEME://intern-service.interns/chat?intern=ID`, which may also name a `conversation` and a `message` in it, and
 * bring a `prompt` for its composer. A link may come from anywhere and some editors let it through without a word, so it
 * asks every time, also before a sign-in, and does no more than opening the chat: a prompt is never sent.
 */
export class ChatLinks implements vscode.UriHandler {
  readonly #accounts: Accounts;
  readonly #interns: InternModel;
  readonly #conversations: Pick<Conversations, 'list'>;

  constructor(
    accounts: Accounts,
    interns: InternModel,
    conversations: Pick<Conversations, 'list'>,
  ) {
    this.#accounts = accounts;
    this.#interns = interns;
    this.#conversations = conversations;
  }

  async handleUri(uri: Pick<vscode.Uri, 'path' | 'query'>): Promise<void> {
    const linked = uri.path === '/chat' ? readLink(uri.query) : undefined;
    if (linked === undefined) {
      refuse();
      return;
    }
    // The link may have started the extension: before the accounts are read nobody seems to be signed in.
    await this.#accounts.whenLoaded;
    if (this.#accounts.active === undefined && !(await signInAfterQuestion())) return;
    if (this.#accounts.active !== undefined) await this.#ask(linked);
  }

  async #ask(linked: Linked): Promise<void> {
    const { intern, prompt, conversation } = linked;
    const held = conversation === undefined ? undefined : await this.#find(conversation);
    if (conversation !== undefined && held === undefined) {
      void vscode.window.showWarningMessage(notHereWords());
      return;
    }
    // It is the conversation that is opened: the question must not name another intern.
    if (held !== undefined && held.intern !== intern) {
      refuse();
      return;
    }
    const known = await this.#interns.get(intern, held?.account);
    const isAdded = known === undefined && held === undefined;
    const asks = !isAdded
      ? vscode.l10n.t('A link asks for it.')
      : vscode.l10n.t(
          'A link asks for it. This intern is not in your list; opening the chat adds it.',
        );
    const brings =
      prompt &&
      vscode.l10n.t(
        'It brings a prompt, which is not sent before you do that: “{0}”',
        plainLine(visibleText(prompt), shownOfPrompt),
      );
    const question = vscode.l10n.t(
      'Open a chat with the intern {0}?',
      plainLine(known === undefined ? intern : nameOf(known), 80),
    );
    const detail = [asks, brings].filter(Boolean).join('\n\n');
    if (!(await confirm(question, detail, vscode.l10n.t('Open Chat'), 'information'))) return;
    if (isAdded) await this.#interns.add(intern);
    await vscode.commands.executeCommand('interns.openChat', linked);
  }

  /** Undefined for a conversation that is not in this editor. */
  async #find(conversation: string): Promise<{ account: Account; intern: string } | undefined> {
    for (const account of this.#accounts.all) {
      const heads = await this.#conversations.list(account);
      const head = heads.find(({ id }) => id === conversation);
      if (head !== undefined) return { account, intern: head.intern };
    }
    return undefined;
  }
}

/**
 * A link to a message of a conversation, the last one where none is named: it leads there on this machine alone.
 *
 * @throws UserError where nothing was said in it.
 */
export function linkTo(
  { id, transcript }: Pick<Conversation, 'id' | 'transcript'>,
  message: string | null,
): string {
  const { intern, messages } = transcript;
  const shown = message ?? messages.at(-1)?.id;
  if (shown === undefined) throw new UserError(nothingSaidWords());
  const query = new URLSearchParams({ intern, conversation: id, message: shown });
  return `${vscode.env.uriScheme}://intern-service.interns/chat?${query.toString()}`;
}

function refuse(): void {
  void vscode.window.showWarningMessage(vscode.l10n.t('This link does not lead to a chat.'));
}

/** Of a conversation that has no record here. */
export function notHereWords(): string {
  return vscode.l10n.t(
    'This conversation is not in this editor. Its record is kept only where it was held, until it is deleted there.',
  );
}

/** Of a conversation without a message. */
export function nothingSaidWords(): string {
  return vscode.l10n.t('Nothing was said in this conversation yet.');
}

/**
 * What a link names. VS Code has decoded the query, so that what stands in a prompt may look like what parts names: the
 * first of each name counts.
 */
function namesIn(query: string): ReadonlyMap<string, string> {
  const marks = [...query.matchAll(/(?:^|&)(intern|conversation|message|prompt)=/gu)].filter(
    ({ 1: name }, index, all) => all.findIndex((other) => other[1] === name) === index,
  );
  return new Map(
    marks.map(({ 0: mark, 1: name = '', index }, at) => [
      name,
      query.slice(index + mark.length, marks[at + 1]?.index),
    ]),
  );
}

/** Undefined for a link that leads nowhere. */
function readLink(query: string): Linked | undefined {
  const names = namesIn(query);
  const intern = names.get('intern') ?? '';
  if (intern.length > longestId || checkInternId(intern) !== null) return undefined;
  const ids = ['conversation', 'message'].flatMap((name) => {
    const id = names.get(name) ?? '';
    return id === '' ? [] : [[name, id] as const];
  });
  const prompt = withoutDeceptive(names.get('prompt') ?? '');
  if (ids.some(([, id]) => id.length > longestId)) return undefined;
  if (measureText(prompt, MAX_PROMPT_CHARACTERS).fit === 'too-long') return undefined;
  return { intern, ...Object.fromEntries(ids), ...(prompt !== '' && { prompt }) };
}

/** @returns Whether the user agreed to a sign-in, which is over then. */
async function signInAfterQuestion(): Promise<boolean> {
  const isWanted = await confirm(
    vscode.l10n.t('Sign in to open a chat?'),
    vscode.l10n.t(
      'A link asks for it. Go on only if you trust where it comes from: the next dialogs take an API key.',
    ),
    vscode.l10n.t('Sign In'),
    'information',
  );
  if (isWanted) await vscode.commands.executeCommand('interns.signIn');
  return isWanted;
}
