import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { MAX_INSTRUCTIONS_CHARACTERS, measureText } from '../../api/index.ts';
import { DisposableBase, DisposableStore, type Disposable } from '../../base/disposable.ts';
import { activeAccount, type Account } from '../accounts/account.ts';
import { confirm } from '../../platform/dialogs/confirm.ts';
import type { CreationTarget, InternTarget, UriTarget } from '../../platform/commands/ids.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import type { ContextKeys } from '../../platform/contextKeys.ts';
import { showStatusMessage } from '../../platform/dialogs/statusMessage.ts';
import type { DraftName, TextEditing } from '../../platform/dialogs/editText.ts';
import { pickTarget, type TargetRow } from '../../platform/dialogs/pickTargets.ts';
import { plainLine, visibleText } from '../../platform/dialogs/plainText.ts';
import { ReadOnlyTexts } from '../../platform/dialogs/readOnlyTexts.ts';
import { formatDateTime, formatNumber } from '../../platform/text/format.ts';
import { reportFailure, UserError } from '../../platform/text/reportFailure.ts';
import { askToCreate, type CreateDialogPorts } from './createDialog.ts';
import {
  creationEnd,
  EMPTY_VALUES,
  instructionsProblem,
  type CreateValues,
} from './createValues.ts';
import type { Creation, Creations } from './creations.ts';
import { valuesOfFile } from './internFile.ts';
import type { InternServices } from './internModel.ts';
import { nameOf, statusLabel } from './internState.ts';

interface CreateCommandPorts extends Pick<
  InternServices,
  'accounts' | 'dialogs' | 'interns' | 'log' | 'texts'
> {
  readonly contextKeys: Pick<ContextKeys, 'set'>;
  readonly creations: Creations;
  /** Selects the row of an intern. */
  readonly reveal: (internId: string) => void;
}

/** The commands that create interns, and resume and discard creations. One create dialog is open at a time. */
export class CreateCommands extends DisposableBase {
  readonly #ports: CreateCommandPorts;
  readonly #descriptions = this.own(new ReadOnlyTexts('interns-description'));

  constructor(registrar: CommandRegistrar, ports: CreateCommandPorts) {
    super();
    this.#ports = ports;
    this.own(showInstructionsLength(ports.texts));
    const inOrder = pLimit(1);
    const update = () => void inOrder(() => this.#updateContextKey());
    this.own(ports.creations.onDidChange(update));
    this.own(ports.interns.onDidChange(update));
    update();
    ports.texts.onResume(async (account, instructions) => {
      const known = ports.accounts.get(account) ?? ports.accounts.active;
      if (known === undefined) return false;
      await ports.texts.save(draftOf(known), instructions);
      await this.#create(known, { ...EMPTY_VALUES, source: 'editor', instructions });
      return true;
    });
    this.own(
      registrar.registerAll({
        'interns.createIntern': async () => {
          const account = activeAccount(ports.accounts);
          if (!(await this.#showsEditor())) await this.#create(account, EMPTY_VALUES);
        },
        'interns.createFromFile': (targets) => this.#createFromFile(targets),
        'interns.resumeCreation': (targets) => this.#resume(targets),
        'interns.discardCreation': (targets) => this.#discard(targets),
      }),
    );
  }

  /** Deletes an account's draft of instructions. */
  async forget(account: Account): Promise<void> {
    await this.#ports.texts.forget(draftOf(account));
  }

  /** Opens the dialog at its last step with the values of a `.intern.json` file. */
  async #createFromFile([target]: readonly UriTarget[]): Promise<void> {
    const account = activeAccount(this.#ports.accounts);
    const values = await valuesOfFile(target, account.record.workspaceId);
    if (await this.#showsEditor()) return;
    const tabs = new Map<string, string>();
    const showDescription = (description: string) => {
      const id = tabs.get(description) ?? randomUUID();
      tabs.set(description, id);
      const title = l10n.t('Description for the new intern');
      return this.#descriptions.show(id, title, visibleText(description));
    };
    const dialog = this.#dialogPorts(account, { name: instructionsName() });
    try {
      const ports = { ...dialog, showDescription };
      const outcome = await askToCreate(account, values, ports, 'provision');
      if (outcome.kind === 'created') this.#announce(outcome.creation);
    } finally {
      for (const id of tabs.values()) await this.#descriptions.forget(id);
    }
  }

  /** Shows the tab of instructions if it is open, with the reason. Returns whether it is open. */
  async #showsEditor(): Promise<boolean> {
    const isOpen = await this.#ports.texts.show(instructionsName());
    if (isOpen)
      void vscode.window.showInformationMessage(
        l10n.t(
          'An intern is already being created. Use or discard these instructions to continue.',
        ),
      );
    return isOpen;
  }

  /** Opens the dialog. Written instructions stay a draft until the intern is created. */
  async #create(account: Account, initial: CreateValues): Promise<void> {
    const draft = draftOf(account);
    const outcome = await askToCreate(account, initial, this.#dialogPorts(account, draft));
    if (outcome.kind === 'left') return;
    this.#announce(outcome.creation);
    if (outcome.values.source === 'editor') await this.#ports.texts.forget(draft);
  }

  #dialogPorts(account: Account, draft: DraftName): CreateDialogPorts {
    const { dialogs, creations, log, texts } = this.#ports;
    return {
      dialogs,
      creations,
      write: async (text) => {
        const edited = await texts.editText({ ...draft, text, problem: instructionsProblem });
        // The window may reload before they are sent.
        if (edited.text !== '') await texts.save(draft, edited.text);
        return edited;
      },
      late: (outcome, mayBeResumed, { source, instructions }) => {
        if (outcome instanceof Error) {
          const end = creationEnd(mayBeResumed);
          reportFailure(log, 'A creation whose dialog was left', outcome, account.id, end);
          return;
        }
        this.#announce(outcome);
        // The tab or the draft may hold the instructions of another intern by now.
        if (source === 'editor' && !texts.isOpen(draft)) void texts.forget(draft, instructions);
      },
    };
  }

  async #resume(targets: readonly (CreationTarget | InternTarget)[]): Promise<void> {
    const account = activeAccount(this.#ports.accounts);
    const id = await this.#pickCreation(account, targets);
    const record = id === undefined ? undefined : await account.store.creations.get(id);
    if (record === undefined) return;
    const { creations, log } = this.#ports;
    const sending = vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: l10n.t('Resuming the creation of {0}', record.name),
        cancellable: true,
      },
      (_progress, token) => {
        const canceled = new AbortController();
        token.onCancellationRequested(() => canceled.abort());
        return creations.send(account, record, canceled.signal);
      },
    );
    try {
      this.#announce(await sending);
    } catch (failure) {
      // The intern exists, so the report need not say whether it was created.
      if (record.internId !== null) throw failure;
      const end = creationEnd(await creations.mayBeResumed(account, record));
      reportFailure(log, 'interns.resumeCreation', failure, account.id, end);
    }
  }

  async #pickCreation(
    account: Account,
    [target]: readonly (CreationTarget | InternTarget)[],
  ): Promise<string | undefined> {
    const { interns, dialogs } = this.#ports;
    if (target !== undefined && 'creation' in target) return target.creation;
    if (target !== undefined) {
      const creation = (await interns.get(target.intern, account))?.creation ?? undefined;
      if (creation !== undefined) return creation;
      throw new UserError(l10n.t('This intern’s creation is already complete.'));
    }
    const rowsOf = async () => {
      const rows = await this.#listResumable(account);
      if (rows.length > 0) return rows;
      throw new UserError(l10n.t('There’s no interrupted creation to resume.'));
    };
    return pickTarget(dialogs, undefined, rowsOf, {
      title: l10n.t('Resume Creation'),
      placeholder: l10n.t('Select a creation to resume. No duplicate is created.'),
    });
  }

  /** Returns the creations that were interrupted, and those whose interns may have another status by now. */
  async #listResumable(account: Account): Promise<readonly TargetRow[]> {
    const { creations, interns } = this.#ports;
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

  async #updateContextKey(): Promise<void> {
    const { accounts, contextKeys, log } = this.#ports;
    const { active } = accounts;
    try {
      const rows = active === undefined ? [] : await this.#listResumable(active);
      if (accounts.active === active) contextKeys.set('interns.creationToResume', rows.length > 0);
    } catch (failure) {
      log.warn('Could not list the creations to resume', failure);
    }
  }

  async #discard([target]: readonly CreationTarget[]): Promise<void> {
    const account = activeAccount(this.#ports.accounts);
    const record = target && (await account.store.creations.get(target.creation));
    if (record === undefined) return;
    const isMeant = await confirm(
      l10n.t('Discard the creation of {0}?', record.name),
      l10n.t(
        'The service may have created this intern. If so, the intern stays, and its name is taken.',
      ),
      l10n.t('Discard'),
    );
    if (isMeant) await account.store.creations.remove(record.id);
  }

  /** Selects the intern's row. Shows a notification, which covers the composer of a chat, only if the intern existed. */
  #announce({ intern, wasKnown }: Creation): void {
    const name = plainLine(intern.name ?? intern.id);
    const status = statusLabel(intern.status);
    this.#ports.reveal(intern.id);
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
    item.tooltip =
      fit === 'tight'
        ? l10n.t('The text may be too long for the service. Shorten it if it’s refused.')
        : l10n.t('Length of the instructions and their limit');
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
