import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import { commands, env, l10n, Uri, window } from 'vscode';
import type { ContextItem } from '../../../conversation/attachments.ts';
import type { LineTarget, SelectionSource, UriTarget } from '../../../platform/commands/ids.ts';
import type { CommandHandlers } from '../../../platform/commands/registrar.ts';
import { UserError } from '../../../platform/text/reportFailure.ts';
import { activeAccount, type Account } from '../../accounts/account.ts';
import { problemsAt, selectedItems } from '../../context/editorItems.ts';
import { pickChanges } from '../../context/gitChanges.ts';
import type { PromptContext } from '../../context/promptContext.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import { withoutArchived } from '../../conversations/heads.ts';
import type { EditorLocation, LastTextEditor } from '../../editor/lastTextEditor.ts';
import type { ChatPage } from '../chatPage.ts';
import type { ChatCommandPorts } from './conversationCommands.ts';

/** The commands that attach something to the draft of a chat. */
export const addCommands = {
  'interns.sendSelection': addSelection,
  /** Adds the problems of the given lines, else of the cursor's line. @throws UserError if there are none */
  'interns.sendProblem': async (ports, problems) => {
    const lines = problems.length > 0 ? problems : lineOfCursor(ports.lastEditor);
    const found = await Promise.all(lines.map(problemsAt));
    const items = found.filter((item) => item !== undefined);
    if (items.length === 0) throw new UserError(l10n.t('The current line has no problem.'));
    await addItems(ports, items);
  },
  'interns.sendChanges': async (ports, target) => {
    const item = await pickChanges(ports.dialogs, target);
    if (item !== undefined) await addItems(ports, [item]);
  },
} satisfies CommandHandlers<[ChatCommandPorts]>;

/**
 * Adds the selection of an editor or a terminal, or whole files from the explorer. The palette does not know whether a
 * terminal had the focus, so it adds from an editor if there is one.
 *
 * @throws UserError if there is nothing to add
 */
async function addSelection(ports: ChatCommandPorts, source: SelectionSource): Promise<void> {
  switch (source.kind) {
    case 'files':
      return addFiles(ports, source.uris);
    case 'terminal':
      return addItems(ports, await terminalItems());
    case 'document': {
      const uri = Uri.from(source.uri).toString();
      // Panels such as Output have editors without a file.
      const editors = [window.activeTextEditor, ports.lastEditor.location];
      const editor = editors.find((each) => each?.document.uri.toString() === uri);
      return editor ? addItems(ports, editorItems(editor)) : addFiles(ports, [source.uri]);
    }
    case 'editor': {
      const { location } = ports.lastEditor;
      return addItems(ports, location ? editorItems(location) : await terminalItems());
    }
  }
}

function editorItems(location: EditorLocation): readonly ContextItem[] {
  const items = selectedItems(location);
  if (items.length > 0) return items;
  throw new UserError(l10n.t('The current line is empty. Select some text first.'));
}

/** Copies one selection after the other. Two at once would take each other's text for the user's clipboard. */
const copyInOrder = pLimit(1);

/** Copies the selection of the active terminal, because the stable API cannot read it. */
async function terminalItems(): Promise<readonly ContextItem[]> {
  const { name } = window.activeTerminal ?? {};
  const command = 'workbench.action.terminal.copySelection';
  if (name !== undefined) {
    const text = await copyInOrder(() => copied(() => commands.executeCommand(command)));
    const label = l10n.t('Terminal {0}', name);
    if (text?.trim()) return [{ source: name, label, language: 'console', text }];
  }
  throw new UserError(l10n.t('Select text in an editor or a terminal first.'));
}

function lineOfCursor({ location }: LastTextEditor): readonly LineTarget[] {
  const selection = location?.selections[0];
  if (location === undefined || selection === undefined) return [];
  return [{ document: location.document.uri.toString(), line: selection.active.line }];
}

function addItems(ports: ChatCommandPorts, items: readonly ContextItem[]): Promise<void> {
  return addToChat(ports, (context) => {
    for (const item of items) context.add(item);
  });
}

function addFiles(ports: ChatCommandPorts, uris: readonly UriTarget[]): Promise<void> {
  return addToChat(ports, (context) => context.addFiles(uris.map((uri) => Uri.from(uri))));
}

/** Attaches something to the visible chat, else to the chat of an intern that the user selects, and shows the chat. */
async function addToChat(
  ports: ChatCommandPorts,
  attach: (context: PromptContext) => Promise<void> | void,
): Promise<void> {
  const { lastUsedPage } = ports.pages;
  const page = lastUsedPage?.surface.visible === true ? lastUsedPage : await selectChat(ports);
  if (page === undefined) return;
  const { id } = page.open.conversation;
  await attach(ports.contexts.for(id));
  await ports.pages.showFromAnyAccount(id);
}

async function selectChat(ports: ChatCommandPorts): Promise<ChatPage | undefined> {
  const account = activeAccount(ports.accounts);
  const intern = await ports.picker.pick([], l10n.t('Add to Chat'));
  return intern === undefined ? undefined : showLatest(ports, account, intern);
}

/** Shows the intern's latest conversation, else one without messages, else a new one. */
export async function showLatest(
  { conversations, pages }: ChatCommandPorts,
  account: Account,
  intern: string,
): Promise<ChatPage> {
  const [latest] = withoutArchived(await conversations.list(account, intern));
  // A double click calls this twice, and must not start two conversations.
  const isUnused = ({ account: { id }, conversation: { transcript } }: OpenConversation) =>
    id === account.id && transcript.intern === intern && transcript.lastPrompt === undefined;
  const shown = latest ?? conversations.live.find(isUnused)?.conversation;
  return (shown && (await pages.show(account, shown.id))) ?? pages.start(account, intern);
}

/** Returns the text that `copy` puts on the clipboard, and restores the clipboard; undefined if it copies nothing. */
async function copied(copy: () => Thenable<unknown>): Promise<string | undefined> {
  const { clipboard } = env;
  const before = await clipboard.readText();
  // A unique text shows whether anything is copied, even if it equals the clipboard's text. A clipboard without text needs
  // none, and may have an image that the text would replace.
  const mark: string = before === '' ? before : randomUUID();
  if (mark !== before) await clipboard.writeText(mark);
  let after = mark;
  try {
    await copy();
    after = await clipboard.readText();
  } finally {
    // Another program may have changed the clipboard since.
    if (after !== before && (await clipboard.readText()) === after)
      await clipboard.writeText(before);
  }
  return after === mark ? undefined : after;
}
