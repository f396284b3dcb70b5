import { randomUUID } from 'node:crypto';
import { commands, env, l10n, Uri, window } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { ContextItem } from '../../conversation/attachments.ts';
import type { LineTarget, SelectionSource, UriTarget } from '../../platform/commands/ids.ts';
import type { EditorLocation, LastTextEditor } from '../editor/lastTextEditor.ts';
import type { AccountServices } from '../accounts/account.ts';
import { UserError } from '../../platform/text/reportFailure.ts';
import { problemsAt, registerProblemActions, selectedItems } from './editorItems.ts';
import { pickChanges } from './gitChanges.ts';
import type { PromptContext } from './promptContext.ts';

export interface ChatTargets {
  /** Returns the conversation of the active chat, else of the one used last; undefined if that is not visible. */
  active(): string | undefined;
  /** Asks for an intern and opens its latest conversation, or a new one. Returns undefined if the user left. */
  choose(): Promise<string | undefined>;
  /** Shows a conversation and focuses its composer. */
  reveal(conversation: string): Promise<void>;
}

export interface AddCommandPorts {
  readonly targets: ChatTargets;
  readonly contextFor: (conversation: string) => PromptContext;
  readonly lastEditor: LastTextEditor;
}

export function registerAddCommands(
  ports: AddCommandPorts & Pick<AccountServices, 'accounts' | 'dialogs' | 'registrar'>,
): Disposable {
  const { registrar, accounts, dialogs } = ports;
  const store = new DisposableStore();
  store.add(
    registrar.registerAll({
      'interns.sendSelection': (source) => addSelection(ports, source),
      'interns.sendProblem': (problems) => addProblems(ports, problems),
      'interns.sendChanges': async (target) => {
        const item = await pickChanges(dialogs, target);
        if (item !== undefined) await addItems(ports, [item]);
      },
    }),
  );
  store.add(registerProblemActions(() => accounts.active !== undefined));
  return store;
}

/**
 * Adds the selection of an editor or a terminal, or whole files from the explorer. The palette does not know whether a
 * terminal had the focus, so it adds from an editor if there is one.
 *
 * @throws UserError if there is nothing to add
 */
export async function addSelection(ports: AddCommandPorts, source: SelectionSource): Promise<void> {
  switch (source.kind) {
    case 'files':
      return addFiles(ports, source.uris);
    case 'terminal':
      return addItems(ports, await terminalItems());
    case 'document': {
      const uri = toUri(source.uri).toString();
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

/** Copies the selection of the active terminal, because the stable API cannot read it. */
async function terminalItems(): Promise<readonly ContextItem[]> {
  const { name } = window.activeTerminal ?? {};
  const command = 'workbench.action.terminal.copySelection';
  if (name !== undefined) {
    const text = await copied(() => commands.executeCommand(command));
    const label = l10n.t('Terminal {0}', name);
    if (text?.trim()) return [{ source: name, label, language: 'console', text }];
  }
  throw new UserError(l10n.t('Select text in an editor or a terminal first.'));
}

/** Adds the problems of the given lines, else of the cursor's line. @throws UserError if there are none */
export async function addProblems(
  ports: AddCommandPorts,
  problems: readonly LineTarget[],
): Promise<void> {
  const lines = problems.length > 0 ? problems : lineOfCursor(ports.lastEditor);
  const found = await Promise.all(lines.map(problemsAt));
  const items = found.filter((item) => item !== undefined);
  if (items.length === 0) throw new UserError(l10n.t('The current line has no problem.'));
  await addItems(ports, items);
}

function lineOfCursor({ location }: LastTextEditor): readonly LineTarget[] {
  const selection = location?.selections[0];
  if (location === undefined || selection === undefined) return [];
  return [{ document: location.document.uri.toString(), line: selection.active.line }];
}

function addItems(ports: AddCommandPorts, items: readonly ContextItem[]): Promise<void> {
  return addToChat(ports, (context) => {
    for (const item of items) context.add(item);
  });
}

function addFiles(ports: AddCommandPorts, uris: readonly UriTarget[]): Promise<void> {
  return addToChat(ports, (context) => context.addFiles(uris.map(toUri)));
}

/** Attaches to the active chat, else to one that the user selects, and shows it. */
async function addToChat(
  { targets, contextFor }: AddCommandPorts,
  attach: (context: PromptContext) => Promise<void> | void,
): Promise<void> {
  const conversation = targets.active() ?? (await targets.choose());
  if (conversation === undefined) return;
  await attach(contextFor(conversation));
  await targets.reveal(conversation);
}

function toUri(target: UriTarget): Uri {
  return target instanceof Uri ? target : Uri.from(target);
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
