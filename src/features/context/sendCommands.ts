import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ContextItem } from '../../conversation/attachments.ts';
import type { LineTarget, SelectionSource, UriTarget } from '../../platform/commands/ids.ts';
import type { LastTextEditor } from '../editor/lastTextEditor.ts';
import type { Accounts } from '../accounts/account.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import type { Dialogs } from '../../platform/dialogs/dialogs.ts';
import { UserError } from '../../platform/words/report.ts';
import { problemsAt, registerProblemActions, selectedItems } from './editorItems.ts';
import { pickChanges } from './gitChanges.ts';
import type { PromptContext } from './promptContext.ts';

/** The chats of this window. */
export interface ChatTargets {
  /** The conversation whose tab is active; undefined where another tab is. */
  active(): string | undefined;
  /** Asks for an intern or a conversation. @returns undefined where the user left. */
  choose(): Promise<{ readonly conversation: string } | undefined>;
  /** Shows a conversation's tab and puts the focus into its composer. */
  reveal(conversation: string): Promise<void>;
}

export interface SendCommandPorts {
  readonly targets: ChatTargets;
  readonly contextFor: (conversation: string) => PromptContext;
  readonly lastEditor: LastTextEditor;
}

/** Registers what sends to chats: selections, changes, and problems, the latter among the quick fixes of a problem as well. */
export function registerSendCommands(
  ports: SendCommandPorts & {
    readonly registrar: CommandRegistrar;
    readonly accounts: Accounts;
    readonly dialogs: Dialogs;
  },
): Disposable {
  const { registrar, accounts, dialogs } = ports;
  const store = new DisposableStore();
  store.add(
    registrar.registerAll({
      'interns.sendSelection': (source) => sendSelection(ports, source),
      'interns.sendProblem': (problems) => sendProblems(ports, problems),
      'interns.sendChanges': async (target) => {
        const item = await pickChanges(dialogs, target);
        if (item !== undefined) await sendItems(ports, [item]);
      },
    }),
  );
  store.add(registerProblemActions(() => accounts.active !== undefined));
  return store;
}

/**
 * Sends what is selected where the command was called, or whole files from the explorer. From a terminal only its own
 * menu sends: the palette cannot tell that one had the focus, and sends from the editor where there is one.
 *
 * @throws UserError where there is nothing to send.
 */
export async function sendSelection(
  ports: SendCommandPorts,
  source: SelectionSource,
): Promise<void> {
  switch (source.kind) {
    case 'files':
      return sendFiles(ports, source.uris);
    case 'terminal':
      return sendItems(ports, await terminalItems());
    case 'document': {
      const { location } = ports.lastEditor;
      const isThere = location?.document.uri.toString() === toUri(source.uri).toString();
      return isThere ? sendItems(ports, editorItems(ports)) : sendFiles(ports, [source.uri]);
    }
    case 'editor': {
      const hasEditor = ports.lastEditor.location !== undefined;
      return sendItems(ports, hasEditor ? editorItems(ports) : await terminalItems());
    }
  }
}

/** @throws UserError where there is nothing but blanks. */
function editorItems({ lastEditor }: SendCommandPorts): readonly ContextItem[] {
  const items = lastEditor.location === undefined ? [] : selectedItems(lastEditor.location);
  if (items.length > 0) return items;
  throw new UserError(
    vscode.l10n.t('There is nothing to send: nothing is selected, and the line is empty.'),
  );
}

/** @throws UserError where nothing is selected. */
async function terminalItems(): Promise<readonly ContextItem[]> {
  const item = await selectedInTerminal((name) => vscode.l10n.t('Terminal {0}', name));
  if (item !== undefined) return [item];
  throw new UserError(
    vscode.l10n.t('There is nothing to send: select text in an editor or in a terminal first.'),
  );
}

/** Sends problems of the given lines, else of the line of the cursor. @throws UserError where there are none. */
export async function sendProblems(
  ports: SendCommandPorts,
  problems: readonly LineTarget[],
): Promise<void> {
  const lines = problems.length > 0 ? problems : lineOfCursor(ports.lastEditor);
  const found = await Promise.all(lines.map(problemsAt));
  const items = found.filter((item) => item !== undefined);
  if (items.length === 0)
    throw new UserError(vscode.l10n.t('There is no problem on the line of the cursor.'));
  await sendItems(ports, items);
}

function lineOfCursor({ location }: LastTextEditor): readonly LineTarget[] {
  const selection = location?.selections[0];
  if (location === undefined || selection === undefined) return [];
  return [{ document: location.document.uri.toString(), line: selection.active.line }];
}

function sendItems(ports: SendCommandPorts, items: readonly ContextItem[]): Promise<void> {
  return send(ports, (context) => {
    for (const item of items) context.add(item);
  });
}

function sendFiles(ports: SendCommandPorts, uris: readonly UriTarget[]): Promise<void> {
  return send(ports, (context) => context.addFiles(uris.map(toUri)));
}

/** Attaches to the chat in sight, else to the one that the user chooses, and goes there. */
async function send(
  { targets, contextFor }: SendCommandPorts,
  attach: (context: PromptContext) => Promise<void> | void,
): Promise<void> {
  const conversation = targets.active() ?? (await targets.choose())?.conversation;
  if (conversation === undefined) return;
  await attach(contextFor(conversation));
  await targets.reveal(conversation);
}

function toUri(target: UriTarget): vscode.Uri {
  return target instanceof vscode.Uri ? target : vscode.Uri.from(target);
}

/** VS Code's own Copy Selection of the active terminal. Reading the selection itself is no stable API. */
const copyCommand = 'workbench.action.terminal.copySelection';

/**
 * Returns the selection of the active terminal, by way of the clipboard, whose text is restored; undefined if nothing is
 * selected.
 *
 * @param label Names the item, given the terminal's name.
 */
async function selectedInTerminal(
  label: (terminal: string) => string,
): Promise<ContextItem | undefined> {
  const terminal = vscode.window.activeTerminal;
  if (terminal === undefined) return undefined;
  const text = await copied(() => vscode.commands.executeCommand(copyCommand));
  if (text === undefined || text.trim() === '') return undefined;
  return { source: terminal.name, label: label(terminal.name), language: 'console', text };
}

/** The text that `copy` puts on the clipboard; undefined where it puts none. */
async function copied(copy: () => Thenable<unknown>): Promise<string | undefined> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  // Tells a copy of the very text that is on the clipboard already from no copy.
  const mark: string = randomUUID();
  await clipboard.writeText(mark);
  let after = mark;
  try {
    await copy();
    after = await clipboard.readText();
  } finally {
    // What somebody else has put there meanwhile is theirs.
    if ((await clipboard.readText()) === after) await clipboard.writeText(before);
  }
  return after === mark ? undefined : after;
}
