import pLimit from 'p-limit';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { MAX_INSTRUCTIONS_CHARACTERS, measureText } from '../../api/index.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { activeAccount, type Account } from '../accounts/account.ts';
import { confirm } from '../../platform/dialogs/confirm.ts';
import type { CreationTarget, InternTarget, UriTarget } from '../../platform/commands/ids.ts';
import { showStatusMessage, withProgress } from '../../platform/dialogs/statusMessage.ts';
import type { DraftName, TextEditing } from '../../platform/dialogs/editText.ts';
import { pickTarget, type TargetRow } from '../../platform/dialogs/pickTargets.ts';
import { plainLine, visibleText } from '../../platform/dialogs/plainText.ts';
import { ReadOnlyTexts } from '../../platform/dialogs/readOnlyTexts.ts';
import { hashOf } from '../../platform/dialogs/takeText.ts';
import { formatDateTime, formatNumber } from '../../platform/text/format.ts';
import { reportFailure, UserError } from '../../platform/text/reportFailure.ts';
import {
  askToCreate,
  creationOutcomeMessage,
  EMPTY_VALUES,
  instructionsProblem,
  type CreateDialogPorts,
  type CreateValues,
} from './createDialog.ts';
import type { Creation, Creations } from './creations.ts';
import { valuesOfFile } from './internFile.ts';
import type { InternServices } from './internModel.ts';
import { nameOf, statusLabel } from './internState.ts';

interface CreateCommandPorts extends Pick<
  InternServices,
  'accounts' | 'contextKeys' | 'dialogs' | 'interns' | 'log' | 'registrar' | 'texts'
> {
  readonly creations: Creations;
  /** Selects the row of an intern. */
  readonly reveal: (internId: string) => void;
}

/** Registers the commands of creations. Only one create dialog is open at a time. */
export function registerCreateCommands(ports: CreateCommandPorts): Disposable {
  const { accounts, creations, interns, registrar, texts } = ports;
  const store = new DisposableStore();
  const descriptions = store.add(new ReadOnlyTexts('interns-description'));
  const inOrder = pLimit(1);
  const update = () => void inOrder(() => updateContextKey(ports));
  store.add(showInstructionsLength(texts));
  store.add(creations.onDidChange(update));
  store.add(interns.onDidChange(update));
  update();
  texts.setResume(async (id, instructions) => {
    const account = accounts.get(id) ?? accounts.active;
    if (account === undefined) return false;
    await texts.save(draftOf(account), instructions);
    const initial: CreateValues = { ...EMPTY_VALUES, source: 'editor', instructions };
    await askToCreate(account, initial, dialogPorts(ports, account));
    return true;
  });
  registrar.register({
    'interns.createIntern': async () => {
      const account = activeAccount(accounts);
      if (await showOpenInstructions(texts)) return;
      await askToCreate(account, EMPTY_VALUES, dialogPorts(ports, account));
    },
    'interns.createFromFile': (targets) => createFromFile(ports, descriptions, targets),
    'interns.resumeCreation': (targets) => resume(ports, targets),
    'interns.discardCreation': (targets) => discard(ports, targets),
  });
  return store;
}

/** Deletes an account's draft of instructions. */
export function forgetInstructions(texts: TextEditing, account: Account): Promise<void> {
  return texts.forget(draftOf(account));
}

/** Opens the dialog at its last step with the values of a `.intern.json` file. */
async function createFromFile(
  ports: CreateCommandPorts,
  descriptions: ReadOnlyTexts,
  [target]: readonly UriTarget[],
): Promise<void> {
  const account = activeAccount(ports.accounts);
  const values = await valuesOfFile(target, account.record.workspaceId);
  if (await showOpenInstructions(ports.texts)) return;
  const tabs = new Set<string>();
  const showDescription = (description: string) => {
    const id = hashOf(description);
    tabs.add(id);
    const title = l10n.t('Description for the new intern');
    return descriptions.show(id, title, visibleText(description));
  };
  const dialog = { ...dialogPorts(ports, account, { name: instructionsName() }), showDescription };
  try {
    await askToCreate(account, values, dialog, 'provision');
  } finally {
    for (const id of tabs) await descriptions.forget(id);
  }
}

/** Shows the tab of instructions if it is open, and says why no other dialog opens. Returns whether it is open. */
async function showOpenInstructions(texts: TextEditing): Promise<boolean> {
  const isOpen = await texts.show(instructionsName());
  if (isOpen)
    void vscode.window.showInformationMessage(
      l10n.t('An intern is already being created. Use or discard these instructions to continue.'),
    );
  return isOpen;
}

/** @param draft holds written instructions until the intern is created */
function dialogPorts(
  { dialogs, creations, log, reveal, texts }: CreateCommandPorts,
  account: Account,
  draft = draftOf(account),
): CreateDialogPorts {
  return {
    dialogs,
    creations,
    write: async (text) => {
      const edited = await texts.editText({ ...draft, text, problem: instructionsProblem });
      // The window may reload before they are sent.
      if (edited.text !== '') await texts.save(draft, edited.text);
      return edited;
    },
    handleCreated: async (creation, { source, instructions }, wasLeft) => {
      // The user may be at another row by now.
      announce(creation, wasLeft ? () => undefined : reveal);
      // If the dialog was left, the tab or the draft may hold the instructions of another intern by now.
      if (source === 'editor' && !texts.isOpen(draft)) await texts.forget(draft, instructions);
    },
    handleLeft: (name, sending) => {
      const title = l10n.t('Creating {0}…', name);
      const options = { location: vscode.ProgressLocation.Window, title };
      void vscode.window.withProgress(options, () => Promise.allSettled([sending]));
    },
    handleLateFailure: (failure, mayBeResumed) => {
      const outcome = creationOutcomeMessage(mayBeResumed);
      reportFailure(log, 'A creation whose dialog was left', failure, account.id, outcome);
    },
  };
}

async function resume(
  ports: CreateCommandPorts,
  targets: readonly (CreationTarget | InternTarget)[],
): Promise<void> {
  const { accounts, creations, log, reveal } = ports;
  const account = activeAccount(accounts);
  const id = await pickCreation(ports, account, targets);
  const record = id === undefined ? undefined : await account.store.creations.get(id);
  if (record === undefined) return;
  const title = l10n.t('Resuming the creation of {0}', record.name);
  try {
    announce(
      await withProgress(title, (signal) => creations.send(account, record, signal)),
      reveal,
    );
  } catch (failure) {
    // The intern exists, so the report need not say whether it was created.
    if (record.internId !== null) throw failure;
    const outcome = creationOutcomeMessage(await creations.mayBeResumed(account, record));
    reportFailure(log, 'interns.resumeCreation', failure, account.id, outcome);
  }
}

async function pickCreation(
  ports: CreateCommandPorts,
  account: Account,
  [target]: readonly (CreationTarget | InternTarget)[],
): Promise<string | undefined> {
  if (target !== undefined && 'creation' in target) return target.creation;
  if (target !== undefined) {
    const known = await account.store.interns.get(target.intern);
    if (known !== undefined && known.creation !== null) return known.creation;
    throw new UserError(l10n.t('This intern’s creation is already complete.'));
  }
  const rowsOf = async () => {
    const rows = await listResumable(ports, account);
    if (rows.length > 0) return rows;
    throw new UserError(l10n.t('There’s no interrupted creation to resume.'));
  };
  return pickTarget(ports.dialogs, undefined, rowsOf, {
    title: l10n.t('Resume Creation'),
    placeholder: l10n.t('Select a creation to resume. No duplicate is created.'),
  });
}

/** Returns the creations that were interrupted, and those whose interns may have another status by now. */
async function listResumable(
  { creations, interns }: CreateCommandPorts,
  account: Account,
): Promise<readonly TargetRow[]> {
  const interrupted = await creations.listInterrupted(account);
  const rows = interrupted.map(({ id, name, createdAt }) => {
    const description = l10n.t('Interrupted {0}', formatDateTime(createdAt));
    return { label: name, description, value: id };
  });
  for (const record of await interns.list(account)) {
    const { creation: value, status } = record;
    const label = plainLine(nameOf(record));
    if (value !== null) rows.push({ label, description: statusLabel(status), value });
  }
  return rows;
}

async function updateContextKey(ports: CreateCommandPorts): Promise<void> {
  const { accounts, contextKeys, log } = ports;
  const { active } = accounts;
  try {
    const rows = active === undefined ? [] : await listResumable(ports, active);
    if (accounts.active === active) contextKeys.set('interns.creationToResume', rows.length > 0);
  } catch (failure) {
    log.warn('Could not list the creations to resume', failure);
  }
}

async function discard(
  { accounts }: CreateCommandPorts,
  [target]: readonly CreationTarget[],
): Promise<void> {
  const { creations } = activeAccount(accounts).store;
  const record = target && (await creations.get(target.creation));
  if (record === undefined) return;
  const isConfirmed = await confirm(
    l10n.t('Discard the creation of {0}?', record.name),
    l10n.t(
      'The service may have created this intern. If so, the intern stays, and its name is taken.',
    ),
    l10n.t('Discard'),
  );
  if (isConfirmed) await creations.remove(record.id);
}

/** Selects the intern's row. Shows a notification, which covers the composer of a chat, only if the intern existed. */
function announce({ intern, wasKnown }: Creation, reveal: CreateCommandPorts['reveal']): void {
  const name = plainLine(intern.name ?? intern.id);
  const status = statusLabel(intern.status);
  reveal(intern.id);
  if (!wasKnown) {
    showStatusMessage(l10n.t('Created {0}. Status: {1}.', name, status));
    return;
  }
  const openChat = l10n.t('Open Chat');
  const message = l10n.t('{0} already existed. Status: {1}.', name, status);
  void vscode.window.showInformationMessage(message, openChat).then((chosen) => {
    if (chosen === openChat)
      void vscode.commands.executeCommand('interns.openChat', { intern: intern.id });
  });
}

function draftOf({ id }: Account): DraftName {
  return { name: instructionsName(), account: id };
}

/** Returns the name of the tab in which instructions are written. */
function instructionsName(): string {
  return `${l10n.t('Instructions for the new intern')}.md`;
}

/** Shows the length of the instructions in the active editor in the status bar. */
function showInstructionsLength(texts: TextEditing): Disposable {
  const store = new DisposableStore();
  const { Right } = vscode.StatusBarAlignment;
  const item = store.add(vscode.window.createStatusBarItem('interns.instructions', Right, 100));
  item.name = l10n.t('Interns: length of instructions');
  item.tooltip = l10n.t('Length of the instructions and their limit');
  const { scheme, path } = texts.uriOf({ name: instructionsName() });
  const update = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.uri.scheme !== scheme || document.uri.path !== path) {
      item.hide();
      return;
    }
    const { characters, max, fit } = measureText(document.getText(), MAX_INSTRUCTIONS_CHARACTERS);
    item.text = l10n.t('{0} of {1} characters', formatNumber(characters), formatNumber(max));
    item.backgroundColor =
      fit === 'too-long' ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    item.show();
  };
  store.add(vscode.window.onDidChangeActiveTextEditor(update));
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === vscode.window.activeTextEditor?.document) update();
    }),
  );
  update();
  return store;
}
