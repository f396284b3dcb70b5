import { commands, l10n, ThemeIcon } from 'vscode';
import type { Disposable } from '../../../base/disposable.ts';
import type {
  ChatOpening,
  ConversationTarget,
  InternTarget,
  MessageTarget,
  TranscriptTarget,
} from '../../../platform/commands/ids.ts';
import type { CommandRegistrar } from '../../../platform/commands/registrar.ts';
import { copyToClipboard } from '../../../platform/dialogs/statusMessage.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import { formatDateTime } from '../../../platform/text/format.ts';
import { UserError } from '../../../platform/text/reportFailure.ts';
import type { GoTarget } from '../../../protocol/messages.ts';
import { activeAccount, type Account } from '../../accounts/account.ts';
import type { ChatTargets } from '../../context/addCommands.ts';
import { transcriptItem } from '../../conversations/exportConversation.ts';
import { latestHead, type ConversationHead } from '../../conversations/heads.ts';
import { searchConversations } from '../../conversations/searchConversations.ts';
import type { ChatPage } from '../chatPage.ts';
import { askSeveral } from './askSeveral.ts';
import { messageLink, conversationNotHereMessage, noMessagesMessage } from './chatLinks.ts';
import { type ChatCommandPorts, conversationPickRow, openTarget } from './conversationCommands.ts';

/** Registers the commands that open chats and move in them. */
export function registerChatCommands(
  registrar: CommandRegistrar,
  ports: ChatCommandPorts,
): Disposable {
  const { pages } = ports;
  return registrar.registerAll({
    'interns.openChat': (targets, opening) => openChat(ports, targets, opening),
    'interns.newConversation': (targets, opening) => newConversation(ports, targets, opening),
    'interns.continueInNew': (targets) => continueInNew(ports, targets),
    'interns.askSeveral': (targets) => askSeveral(ports, targets),
    'interns.searchConversations': () => search(ports),
    'interns.moveToSideBar': (targets) => moveToSideBar(ports, targets),
    'interns.moveToEditor': () => pages.moveToEditor(),
    'interns.showInSideBar': () => showInSideBar(ports),
    'interns.newInSideBar': () => newInSideBar(ports),
    'interns.pinSideBar': () => pages.sideBar.setLocked(true),
    'interns.unpinSideBar': () => pages.sideBar.setLocked(false),
    'interns.stopAndSend': () => pages.lastUsedPage?.postToPage('stopAndSend', {}),
    'interns.findInChat': () => pages.lastUsedPage?.postToPage('openFind', {}),
    'interns.focusComposer': () =>
      pages.lastUsedPage === undefined
        ? commands.executeCommand('interns.openChat')
        : pages.lastUsedPage.reveal(),
    'interns.nextMessage': () => goToMessage(ports, 1),
    'interns.previousMessage': () => goToMessage(ports, -1),
    'interns.nextPrompt': () => go(ports, 'prompt', 1),
    'interns.previousPrompt': () => go(ports, 'prompt', -1),
    'interns.goToPrompt': () => goToPrompt(ports),
    'interns.nextCodeBlock': () => go(ports, 'codeBlock', 1),
    'interns.previousCodeBlock': () => go(ports, 'codeBlock', -1),
    'interns.openReplyAsText': () =>
      pages.lastUsedPage?.postToPage('askFocused', { about: 'openReply' }),
    'interns.returnToChat': () => returnToChat(ports),
    'interns.copyMessageLink': (targets) => copyMessageLink(ports, targets),
    'interns.accessibilityHelp': () =>
      pages.lastUsedPage?.surface.visible === true
        ? pages.lastUsedPage.postToPage('askFocused', { about: 'openHelp' })
        : ports.chatTexts.showHelp(null),
  });
}

/** Returns where a selection is added: the visible chat, or the latest one of an intern that the user selects. */
export function createChatTargets(
  ports: Pick<ChatCommandPorts, 'accounts' | 'conversations' | 'picker' | 'pages'>,
): ChatTargets {
  const { accounts, conversations, picker, pages } = ports;
  return {
    active: () => {
      const { lastUsedPage } = pages;
      return lastUsedPage?.surface.visible === true ? lastUsedPage.open.conversation.id : undefined;
    },
    choose: async () => {
      const account = activeAccount(accounts);
      const intern = await picker.pick([], l10n.t('Add to Chat'));
      if (intern === undefined) return undefined;
      const latest = latestHead(await conversations.list(account, intern));
      const shown = latest && (await pages.show(account, latest.id));
      const page = shown ?? pages.start(account, intern);
      return { conversation: page.open.conversation.id };
    },
    reveal: async (conversation) => {
      await pages.showFromAnyAccount(conversation);
    },
  };
}

/** Searches the conversations, and shows the match that the user selects. */
async function search(ports: ChatCommandPorts): Promise<void> {
  const account = ports.accounts.active;
  if (account === undefined) return;
  const found = await searchConversations(account, ports);
  if (found === undefined) return;
  const { conversation, message, query } = found;
  const page = await ports.pages.show(account, conversation);
  if (message !== undefined) page?.postToPage('reveal', { message, query });
}

function go({ pages }: ChatCommandPorts, to: GoTarget, step: -1 | 1): void {
  pages.lastUsedPage?.postToPage('go', { to, step });
}

/** Copies a link to the given message of the chat used last, or to its focused message. */
async function copyMessageLink(
  { pages }: ChatCommandPorts,
  [target]: readonly MessageTarget[],
): Promise<void> {
  const { lastUsedPage } = pages;
  if (lastUsedPage === undefined || target === undefined)
    lastUsedPage?.postToPage('askFocused', { about: 'copyLink' });
  else await copyToClipboard(messageLink(lastUsedPage.open.conversation, target.message));
}

/** Moves in a reply that is open as text if its editor is active, otherwise in the chat. */
async function goToMessage(ports: ChatCommandPorts, step: -1 | 1): Promise<void> {
  if (!(await ports.chatTexts.step(step))) go(ports, 'message', step);
}

/** Closes a text that was opened from the chat, and returns to the message or composer that had the focus. */
async function returnToChat({ pages, chatTexts }: ChatCommandPorts): Promise<void> {
  const message = await chatTexts.close();
  const page = pages.lastUsedPage;
  if (message === undefined || page === undefined) return;
  page.reveal();
  if (message !== null) page.postToPage('reveal', { message });
}

/** Lists the prompts of the chat used last, and goes to the one that the user selects. */
export async function goToPrompt({
  pages,
  dialogs,
}: Pick<ChatCommandPorts, 'pages' | 'dialogs'>): Promise<void> {
  const chat = pages.lastUsedPage;
  if (chat === undefined) return;
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
  if (rows.length === 0) throw new UserError(noMessagesMessage());
  const picked = await dialogs.pick({
    title: l10n.t('Go to Prompt'),
    placeholder: l10n.t('Type to search your prompts in this conversation'),
    rows,
    active: transcript.lastPrompt?.id,
  });
  if (picked.kind === 'value') chat.postToPage('reveal', { message: picked.value });
}

async function openChat(
  ports: ChatCommandPorts,
  targets: readonly (InternTarget | ConversationTarget)[],
  opening: ChatOpening,
): Promise<void> {
  const account = activeAccount(ports.accounts);
  const { message, prompt } = opening;
  const page = await pageFor(ports, account, targets, opening);
  if (message !== undefined) page?.postToPage('reveal', { message });
  fillComposer(page, prompt);
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
  const heads = await ports.conversations.list(account, intern);
  const named = message === undefined ? undefined : await headWith(message, heads);
  const head = named ?? latestHead(heads);
  return (head && (await ports.pages.show(account, head.id))) ?? ports.pages.start(account, intern);

  async function headWith(id: string, among: readonly ConversationHead[]) {
    for (const each of among) {
      const { messages } = await ports.conversations.read(account, each.id);
      if (messages.some((said) => said.id === id)) return each;
    }
    return undefined;
  }
}

/** Appends a prompt to the composer's text. Only the user sends it. */
function fillComposer(page: ChatPage | undefined, prompt = ''): void {
  if (prompt !== '') page?.postToPage('compose', { text: prompt, where: 'append' });
}

function sideBarButton(label: string) {
  return { id: 'sideBar', label, icon: 'layout-sidebar-left' };
}

async function newConversation(
  ports: ChatCommandPorts,
  targets: readonly InternTarget[],
  { prompt }: ChatOpening,
): Promise<void> {
  const account = activeAccount(ports.accounts);
  const intern = await ports.picker.pick(targets, l10n.t('New Conversation'), {
    ...sideBarButton(l10n.t('New Conversation in Side Bar')),
    open: () => newInSideBar(ports, prompt),
  });
  if (intern !== undefined) fillComposer(ports.pages.start(account, intern), prompt);
}

async function moveToSideBar(
  ports: ChatCommandPorts,
  targets: readonly ConversationTarget[],
): Promise<void> {
  const open = await openTarget(ports, targets, l10n.t('Move Chat to Side Bar'));
  if (open !== undefined) await ports.pages.moveToSideBar(open);
}

/** Shows a conversation that the user selects. Its tab closes if it has one. */
async function showInSideBar(ports: ChatCommandPorts, prompt?: string): Promise<void> {
  const { conversations, pages, dialogs } = ports;
  const account = activeAccount(ports.accounts);
  const shown = pages.sideBar.page?.open.conversation.id;
  const heads = (await conversations.list(account)).filter(({ id }) => id !== shown);
  const picked = await dialogs.pick<ConversationHead | 'new'>({
    title: l10n.t('Show Conversation in Side Bar'),
    matchAll: true,
    rows: [
      {
        label: l10n.t('New Conversation…'),
        icon: new ThemeIcon('add'),
        value: 'new',
      },
      ...heads.map((head) => ({ ...conversationPickRow(ports, head), value: head })),
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
 * Starts a conversation with the same or another intern, and attaches the transcript of an open chat to its draft, up to
 * a message if one is given. If the chat's account is signed out, uses the active one.
 */
export async function continueInNew(
  { accounts, interns, picker, pages, contextFor }: ChatCommandPorts,
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
