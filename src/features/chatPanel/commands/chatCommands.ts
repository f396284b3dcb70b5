import { commands, l10n, ViewColumn, window } from 'vscode';
import { checkPrompt } from '../../../api/index.ts';
import type {
  ChatOpening,
  ConversationTarget,
  InternTarget,
} from '../../../platform/commands/ids.ts';
import type { CommandHandlers } from '../../../platform/commands/registrar.ts';
import { copyToClipboard } from '../../../platform/dialogs/statusMessage.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import { inputStep, runSteps, type Step } from '../../../platform/dialogs/steps.ts';
import { formatDateTime, formatNumber } from '../../../platform/text/format.ts';
import { checkText, lengthMessage } from '../../../platform/text/limitMessages.ts';
import { UserError } from '../../../platform/text/reportFailure.ts';
import type { GoTarget } from '../../../protocol/messages.ts';
import { activeAccount, type Account } from '../../accounts/account.ts';
import { transcriptItem } from '../../conversations/exportConversation.ts';
import type { ConversationHead } from '../../conversations/heads.ts';
import {
  conversationPickRow,
  searchConversations,
} from '../../conversations/searchConversations.ts';
import type { ChatPage } from '../chatPage.ts';
import { addCommands, showLatest } from './addCommands.ts';
import { messageLink, conversationNotHereMessage, noMessagesMessage } from './chatLinks.ts';
import { type ChatCommandPorts, conversationCommands, openTarget } from './conversationCommands.ts';

const { One, Two, Three, Four, Five, Six, Seven, Eight, Nine } = ViewColumn;

/** The columns that VS Code has names for. Their number is also the maximum number of interns. */
const COLUMNS = [One, Two, Three, Four, Five, Six, Seven, Eight, Nine] as const;

/** The prompt and its recipients. */
interface SeveralPrompts {
  readonly interns: readonly string[];
  readonly prompt: string;
}

/** The commands of conversations, and those that open chats, move in them and add to them. */
export const chatCommands = {
  ...conversationCommands,
  ...addCommands,
  'interns.openChat': async (ports, targets, opening) => {
    const { message, prompt } = opening;
    const page = await pageFor(ports, activeAccount(ports.accounts), targets, opening);
    if (message !== undefined) page?.postToPage('reveal', { message });
    fillComposer(page, prompt);
  },
  'interns.newConversation': async (ports, targets, { prompt }) => {
    const account = activeAccount(ports.accounts);
    const intern = await ports.picker.pick(targets, l10n.t('New Conversation'), {
      ...sideBarButton(l10n.t('New Conversation in Side Bar')),
      open: () => newInSideBar(ports, prompt),
    });
    if (intern !== undefined) fillComposer(ports.pages.start(account, intern), prompt);
  },
  /**
   * Starts a conversation with the same or another intern, and attaches the transcript of an open chat to its draft, up to
   * a message if one is given. If the chat's account is signed out, uses the active one.
   */
  'interns.continueInNew': async ({ accounts, interns, picker, pages, contexts }, [target]) => {
    const { conversation: named, message } = target ?? {};
    const { open } = (named === undefined ? pages.lastUsedPage : pages.get(named)) ?? {};
    if (open === undefined || open.conversation.transcript.messages.length === 0)
      throw new UserError(noMessagesMessage());
    const { intern } = open.conversation.transcript;
    const item = transcriptItem(open.conversation, interns.name(intern, open.account), message);
    const account = accounts.get(open.account.id) ?? activeAccount(accounts);
    const title = l10n.t('Continue in New Conversation');
    const picked = await picker.pickWithFirst(account, intern, title);
    if (picked === undefined) return;
    const { id } = pages.start(account, picked).open.conversation;
    contexts.for(id).add(item);
  },
  'interns.askSeveral': askSeveral,
  /** Searches the conversations, and shows the match that the user selects. */
  'interns.searchConversations': async (ports) => {
    const account = activeAccount(ports.accounts);
    const found = await searchConversations(account, ports);
    if (found === undefined) return;
    const { conversation, message, query } = found;
    const page = await ports.pages.show(account, conversation);
    if (message !== undefined) page?.postToPage('reveal', { message, query });
  },
  'interns.moveToSideBar': async (ports, targets) => {
    const open = await openTarget(ports, targets, l10n.t('Move Chat to Side Bar'));
    if (open !== undefined) await ports.pages.moveToSideBar(open);
  },
  'interns.moveToEditor': ({ pages }) => pages.moveToEditor(),
  'interns.showInSideBar': showInSideBar,
  'interns.newInSideBar': newInSideBar,
  'interns.pinSideBar': ({ pages }) => pages.sideBar.setPinned(true),
  'interns.unpinSideBar': ({ pages }) => pages.sideBar.setPinned(false),
  'interns.stopAndSend': ({ pages }) => pages.lastUsedPage?.postToPage('stopAndSend', {}),
  'interns.findInChat': ({ pages }) => pages.lastUsedPage?.postToPage('openFind', {}),
  'interns.focusComposer': ({ pages }) =>
    pages.lastUsedPage === undefined
      ? commands.executeCommand('interns.openChat')
      : pages.lastUsedPage.reveal(),
  'interns.nextMessage': (ports) => go(ports, 'message', 1),
  'interns.previousMessage': (ports) => go(ports, 'message', -1),
  'interns.nextPrompt': (ports) => go(ports, 'prompt', 1),
  'interns.previousPrompt': (ports) => go(ports, 'prompt', -1),
  'interns.nextCodeBlock': (ports) => go(ports, 'codeBlock', 1),
  'interns.previousCodeBlock': (ports) => go(ports, 'codeBlock', -1),
  /** Lists the prompts of the chat used last, and goes to the one that the user selects. */
  'interns.goToPrompt': async ({ pages, dialogs }) => {
    const chat = pages.lastUsedPage;
    if (chat === undefined) return;
    const { messages, lastPrompt } = chat.open.conversation.transcript;
    const prompts = messages.filter((message) => message.kind === 'prompt');
    if (prompts.length === 0) throw new UserError(noMessagesMessage());
    const picked = await dialogs.pick({
      title: l10n.t('Go to Prompt'),
      placeholder: l10n.t('Type to search your prompts in this conversation'),
      rows: prompts.map(({ id, text, at }) => ({
        label: plainLine(text, 120),
        description: formatDateTime(at),
        value: id,
      })),
      active: lastPrompt?.id,
    });
    if (picked.kind === 'value') chat.postToPage('reveal', { message: picked.value });
  },
  'interns.openReplyAsText': async ({ pages: { lastUsedPage: page }, chatTexts }) => {
    if (page !== undefined) await chatTexts.showReply(page.open, page.focusedMessage);
  },
  /** Closes a text that was opened from the chat, and returns to the message or composer that had the focus. */
  'interns.returnToChat': async ({ pages, chatTexts }) => {
    const message = await chatTexts.close();
    const page = pages.lastUsedPage;
    if (message === undefined || page === undefined) return;
    page.reveal();
    if (message !== null) page.postToPage('reveal', { message });
  },
  /** Copies a link to the given message of the chat used last, or to its focused message. */
  'interns.copyMessageLink': async ({ pages: { lastUsedPage: page } }, [target]) => {
    if (page === undefined) return;
    const message = target?.message ?? page.focusedMessage;
    await copyToClipboard(messageLink(page.open.conversation, message));
  },
  'interns.accessibilityHelp': ({ pages, chatTexts }) =>
    chatTexts.showHelp(pages.lastUsedPage?.focusedMessage ?? null),
} satisfies CommandHandlers<[ChatCommandPorts]>;

/** Moves in the chat. A reply that is open as text in the active editor takes the place of the chat's messages. */
async function go(
  { pages, chatTexts }: ChatCommandPorts,
  to: GoTarget,
  step: -1 | 1,
): Promise<void> {
  if (to === 'message' && (await chatTexts.step(step))) return;
  pages.lastUsedPage?.postToPage('go', { to, step });
}

/**
 * Opens the page of the given conversation, in any account. Without one, opens the intern's conversation that has
 * `message`, or its latest one.
 *
 * @returns undefined if the user selected no intern
 */
async function pageFor(
  ports: ChatCommandPorts,
  account: Account,
  targets: readonly (InternTarget | ConversationTarget)[],
  { message, prompt }: ChatOpening,
): Promise<ChatPage | undefined> {
  const [target] = targets;
  if (target !== undefined && 'conversation' in target) {
    const shown = await ports.pages.showFromAnyAccount(target.conversation);
    if (shown !== undefined) return shown;
    throw new UserError(conversationNotHereMessage());
  }
  const intern = await ports.picker.pick(targets, l10n.t('Open Chat'), {
    ...sideBarButton(l10n.t('Show Conversation in Side Bar')),
    open: () => showInSideBar(ports, prompt),
  });
  if (intern === undefined) return undefined;
  const heads = message === undefined ? [] : await ports.conversations.list(account, intern);
  for (const { id } of heads) {
    const { messages } = await ports.conversations.read(account, id);
    if (messages.some((each) => each.id === message)) return ports.pages.show(account, id);
  }
  return showLatest(ports, account, intern);
}

/** Appends a prompt to the composer's text. Only the user sends it. */
function fillComposer(page: ChatPage | undefined, prompt = ''): void {
  if (prompt !== '') page?.postToPage('compose', { text: prompt, where: 'append' });
}

function sideBarButton(label: string) {
  return { id: 'sideBar', label, icon: 'layout-sidebar-left' };
}

/** Shows a conversation that the user selects. Its tab closes if it has one. */
async function showInSideBar(ports: ChatCommandPorts, prompt?: string): Promise<void> {
  const { conversations, pages, dialogs } = ports;
  const account = activeAccount(ports.accounts);
  const shown = pages.sideBar.page?.open.conversation.id;
  const heads = (await conversations.list(account)).filter(({ id }) => id !== shown);
  const picked = await dialogs.pick<ConversationHead | 'new'>({
    title: l10n.t('Show Conversation in Side Bar'),
    rows: [
      { label: l10n.t('New Conversation…'), icon: 'add', value: 'new' },
      ...heads.map((head) => conversationPickRow(head, ports.interns, account)),
    ],
  });
  if (picked.kind !== 'value') return;
  if (picked.value === 'new') return newInSideBar(ports, prompt);
  const open = await conversations.open(account, picked.value.id);
  if (open !== undefined) fillComposer(await pages.moveToSideBar(open), prompt);
}

async function newInSideBar(ports: ChatCommandPorts, prompt?: string): Promise<void> {
  const { accounts, conversations, pages, picker } = ports;
  const account = activeAccount(accounts);
  const intern = await picker.pick([], l10n.t('New Conversation in Side Bar'));
  if (intern === undefined) return;
  const open = conversations.create(account, intern);
  fillComposer(await pages.moveToSideBar(open), prompt);
}

/**
 * Sends one prompt to several interns, in new conversations side by side. Each prompt is sent as if from its own
 * composer: if new conversations use self-drive, the user is asked for each.
 *
 * @throws UserError if there is only one intern
 */
async function askSeveral(
  { accounts, picker, dialogs, pages }: ChatCommandPorts,
  targets: readonly InternTarget[],
): Promise<void> {
  const account = activeAccount(accounts);
  const rows = await picker.rows();
  if (rows.length < 2)
    throw new UserError(l10n.t('Your list has only one intern. Add another one to ask several.'), [
      { label: l10n.t('Create Intern…'), command: 'interns.createIntern' },
      { label: l10n.t('Add Intern by ID…'), command: 'interns.addIntern' },
    ]);
  const listed = rows.map(({ value }) => value);
  const given = listed.filter((id) => targets.some(({ intern }) => intern === id));
  const steps: readonly Step<SeveralPrompts>[] = [
    {
      id: 'interns',
      applies: () => internsProblem(given) !== undefined,
      show: (values, ask) =>
        ask.pickMany<string, SeveralPrompts>({
          placeholder: l10n.t('Select interns'),
          rows,
          selected: values.interns,
          validate: internsProblem,
          write: (interns) => ({ ...values, interns }),
        }),
    },
    inputStep('prompt', () => ({
      prompt: l10n.t('Prompt to send to each intern in a new conversation'),
      validate: checkText(checkPrompt, lengthMessage),
    })),
  ];
  const initial = { interns: given, prompt: '' };
  const title = l10n.t('Ask Several Interns');
  const { kind, values } = await runSteps(dialogs, steps, initial, { title });
  if (kind === 'left') return;
  const columns = COLUMNS.slice(window.tabGroups.activeTabGroup.viewColumn - 1);
  const chats: ChatPage[] = [];
  for (const [index, intern] of values.interns.entries()) {
    // Up to VS Code 1.100, pages that start at the same time replace each other's service worker, and one stays blank.
    await chats.at(-1)?.whenUp();
    chats.push(pages.start(account, intern, columns[index] ?? Nine));
  }
  for (const chat of chats) await chat.submit(values.prompt);
}

function internsProblem(interns: readonly string[]): string | undefined {
  if (interns.length < 2) return l10n.t('Select at least two interns.');
  return interns.length > COLUMNS.length
    ? l10n.t('Select at most {0} interns.', formatNumber(COLUMNS.length))
    : undefined;
}
