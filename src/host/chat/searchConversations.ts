import * as vscode from 'vscode';
import { plainLine } from '../dialogs/plainText.ts';
import { formatRelative } from '../words/format.ts';
import type { ChatCommandPorts } from './chatCommandPorts.ts';
import { searchableQuery, searchableText } from './find.ts';

interface Row extends vscode.QuickPickItem {
  readonly conversation: string;
  readonly message: string | undefined;
}

/** Characters shown around a match. */
const around = 60;

/** Searches the titles and the whole text of all conversations of the active account, in a quick pick. */
export async function searchConversations(ports: ChatCommandPorts): Promise<void> {
  const account = ports.accounts.active;
  if (account === undefined) return;
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = vscode.l10n.t('Search Conversations');
  pick.placeholder = vscode.l10n.t('Words that were said');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const chosen = new Promise<Row | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]));
    pick.onDidHide(() => resolve(undefined));
  });
  pick.show();
  let latest = 0;
  const search = async (query: string): Promise<void> => {
    const turn = ++latest;
    pick.busy = true;
    const rows = await rowsFor(ports, searchableQuery(query.trim()), () => turn !== latest);
    if (turn !== latest) return;
    pick.items = rows;
    pick.busy = false;
  };
  pick.onDidChangeValue((query) => void search(query));
  await search('');
  const row = await chosen;
  pick.dispose();
  if (row === undefined) return;
  const panel = await ports.panels.show(account, row.conversation);
  if (row.message !== undefined) panel?.say('reveal', { message: row.message });
}

async function rowsFor(
  { accounts, conversations, interns }: ChatCommandPorts,
  query: string,
  isStale: () => boolean,
): Promise<Row[]> {
  const account = accounts.active;
  if (account === undefined) return [];
  const rows: Row[] = [];
  for (const head of await conversations.list(account)) {
    if (isStale()) return [];
    const found = query === '' ? undefined : await firstMatch(head.id, query);
    if (query !== '' && found === undefined && !includes(head.title, query)) continue;
    rows.push({
      label: plainLine(head.title, 80),
      description: `${plainLine(interns.name(head.intern), 40)} · ${formatRelative(head.at, Date.now())}`,
      ...(found === undefined ? {} : { detail: plainLine(found.excerpt, found.excerpt.length) }),
      // Found already: VS Code's own filter would look for the words as they were typed.
      alwaysShow: true,
      conversation: head.id,
      message: found?.message,
    });
  }
  return rows;

  async function firstMatch(
    id: string,
    wanted: string,
  ): Promise<{ message: string; excerpt: string } | undefined> {
    const transcript = account && (await conversations.read(account, id));
    for (const message of transcript?.messages ?? []) {
      const text = searchableText(message);
      const at = text.toLowerCase().indexOf(wanted.toLowerCase());
      if (at !== -1)
        return {
          message: message.id,
          excerpt: text.slice(Math.max(0, at - around), at + wanted.length + around),
        };
    }
    return undefined;
  }
}

function includes(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted.toLowerCase());
}
