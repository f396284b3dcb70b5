import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { activeAccount, type Account, type Accounts } from '../accounts/account.ts';
import { confirm } from '../../platform/dialogs/confirm.ts';
import type { CreationTarget, InternTarget } from '../../platform/commands/ids.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import { announce } from '../../platform/dialogs/announce.ts';
import { DraftEditor, type WrittenText } from '../../platform/dialogs/draftEditor.ts';
import type { DraftFiles } from '../../platform/dialogs/draftFiles.ts';
import { plainLine, visibleText } from '../../platform/dialogs/plainText.ts';
import type { Prompts } from '../../platform/dialogs/prompts.ts';
import { ReadOnlyTexts } from '../../platform/dialogs/readOnlyTexts.ts';
import type { Log } from '../../platform/log/log.ts';
import { formatDateTime } from '../../platform/words/format.ts';
import { reportFailure, UserError } from '../../platform/words/report.ts';
import type { CreationRecord } from '../accounts/records.ts';
import { statusLabel } from './internWords.ts';
import { askToCreate, type CreateDialogPorts } from './createDialog.ts';
import { emptyValues, type CreateStep, type CreateValues } from './createValues.ts';
import { creationEnd } from './creationRefusal.ts';
import type { Creation, Creations } from './creations.ts';
import { instructionsProblem } from './internFieldChecks.ts';
import { showInstructionsLength, instructionsDraft } from './instructionsDraft.ts';
import type { InternModel } from './internModel.ts';
import { nameOf } from './internState.ts';
import type { KeptValues } from './keptValues.ts';

interface CreateCommandPorts {
  readonly accounts: Accounts;
  readonly interns: InternModel;
  readonly creations: Creations;
  readonly prompts: Prompts;
  readonly log: Log;
  readonly idempotencyHeader: () => string;
  /** Where instructions stand while they are written in an editor. */
  readonly drafts: DraftFiles;
  /** What was entered outlives a reload of the window. */
  readonly kept: KeptValues;
  /** Selects the row of an intern. */
  readonly reveal: (internId: string) => void;
}

/** Create Intern…, Resume Creation… and Discard Creation…. One create dialog is open at a time. */
export class CreateCommands extends DisposableBase {
  readonly #ports: CreateCommandPorts;
  readonly #kept: KeptValues;
  readonly #editor: DraftEditor;
  readonly #descriptions = this.own(new ReadOnlyTexts('interns-description'));

  constructor(registrar: CommandRegistrar, ports: CreateCommandPorts) {
    super();
    this.#ports = ports;
    this.#kept = ports.kept;
    this.own(showInstructionsLength());
    this.#editor = this.own(
      new DraftEditor({
        registrar,
        files: ports.drafts,
        use: 'interns.useInstructions',
        cancel: 'interns.cancelInstructions',
        problem: instructionsProblem,
        orphaned: ({ query: account }, written) =>
          this.#resumeDialog(
            ports.accounts.get(account) ?? activeAccount(this.#ports.accounts),
            written,
          ),
      }),
    );
    this.own(
      registrar.registerAll({
        'interns.createIntern': () => this.#createAnew(),
        'interns.resumeCreation': (targets) => this.#resume(targets),
        'interns.discardCreation': (targets) => this.#discard(targets),
      }),
    );
  }

  /** Opens the dialog at a step, with the values of a file: what was entered in another dialog stays as it was. */
  async createFrom(values: CreateValues, startAt: CreateStep): Promise<void> {
    const account = activeAccount(this.#ports.accounts);
    if (await this.#showsWriting()) return;
    const tabs = new Map<string, string>();
    const showDescription = (description: string) => {
      const id = tabs.get(description) ?? randomUUID();
      tabs.set(description, id);
      const title = vscode.l10n.t('Description of the new intern');
      return this.#descriptions.show(id, title, visibleText(description));
    };
    const dialog = this.#dialogPorts(account, () => Promise.resolve());
    try {
      const outcome = await askToCreate(account, values, { ...dialog, showDescription }, startAt);
      if (outcome.kind === 'created') this.#announce(outcome.creation);
    } finally {
      for (const id of tabs.values()) await this.#descriptions.forget(id);
    }
  }

  /** Forgets what was entered and written for interns of an account. */
  async forget(account: Account): Promise<void> {
    await this.#kept.set(account, emptyValues);
    await this.#editor.forget(instructionsDraft(account.id));
  }

  /** Goes on from what was entered when the dialog was last left. */
  async #createAnew(): Promise<void> {
    const account = activeAccount(this.#ports.accounts);
    if (!(await this.#showsWriting())) await this.#create(account, this.#kept.get(account));
  }

  /** Goes on with instructions whose dialog went with a reload. */
  #resumeDialog(account: Account, { kind, text }: WrittenText): Promise<void> {
    const kept = this.#kept.get(account);
    const values: CreateValues = { ...kept, source: 'editor', instructions: text };
    const next = kind === 'used' ? 'provision' : 'instructions';
    return this.#create(account, values, kept.name === '' ? 'name' : next);
  }

  /** Whether instructions are being written, of which there is one tab. Shows it then, and says why. */
  async #showsWriting(): Promise<boolean> {
    if (!this.#editor.isWriting) return false;
    await this.#editor.show();
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        'An intern is being created already: use these instructions, or cancel them, to go on with it.',
      ),
    );
    return true;
  }

  /** Asks, and keeps what was entered until an intern came of it. */
  async #create(account: Account, initial: CreateValues, startAt?: CreateStep): Promise<void> {
    const keep = (values: CreateValues) => this.#kept.set(account, values);
    const dialog = this.#dialogPorts(account, keep);
    const outcome = await askToCreate(account, initial, dialog, startAt);
    await keep(outcome.kind === 'left' ? outcome.values : emptyValues);
    if (outcome.kind === 'created') this.#announce(outcome.creation);
  }

  #dialogPorts(account: Account, keep: CreateDialogPorts['keep']): CreateDialogPorts {
    const { prompts, creations, idempotencyHeader, log } = this.#ports;
    return {
      prompts,
      creations,
      write: (text) => this.#editor.write(instructionsDraft(account.id), text),
      idempotencyHeader,
      keep,
      late: (outcome, mayBeResumed) => {
        const end = creationEnd(mayBeResumed);
        if (outcome instanceof Error)
          reportFailure(log, 'A create whose dialog was left', outcome, account.id, end);
        else void this.#handleLateCreation(account, outcome);
      },
    };
  }

  /** An intern came of a create after its dialog was left: what was kept of it is done with. */
  async #handleLateCreation(account: Account, creation: Creation): Promise<void> {
    await this.#kept.created(account, creation.intern.name);
    this.#announce(creation);
  }

  async #resume(targets: readonly (CreationTarget | InternTarget)[]): Promise<void> {
    const account = activeAccount(this.#ports.accounts);
    const id = await this.#pickCreation(account, targets);
    const record = id === undefined ? undefined : await account.store.creations.get(id);
    if (record === undefined) return;
    const creation = await this.#send(account, record);
    if (creation !== undefined) await this.#handleLateCreation(account, creation);
  }

  /** Sends a stored create once more; undefined after a failure, which is reported with what is known of the intern. */
  async #send(account: Account, record: CreationRecord): Promise<Creation | undefined> {
    const { creations, log } = this.#ports;
    const sending = vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Resuming the creation of {0}', record.name),
        cancellable: true,
      },
      (_progress, token) => {
        const cancelled = new AbortController();
        token.onCancellationRequested(() => cancelled.abort());
        return creations.send(account, record, cancelled.signal);
      },
    );
    try {
      return await sending;
    } catch (failure) {
      // An intern that is known needs no word on whether it was created.
      if (record.internId !== null) throw failure;
      const end = creationEnd(await creations.mayBeResumed(account, record));
      reportFailure(log, 'interns.resumeCreation', failure, account.id, end);
      return undefined;
    }
  }

  async #pickCreation(
    account: Account,
    [target]: readonly (CreationTarget | InternTarget)[],
  ): Promise<string | undefined> {
    const { creations, interns, prompts } = this.#ports;
    if (target !== undefined && 'creation' in target) return target.creation;
    if (target !== undefined) {
      const creation = (await interns.get(target.intern, account))?.creation ?? undefined;
      if (creation !== undefined) return creation;
      throw new UserError(
        vscode.l10n.t('There is nothing to resume: the creation of this intern is complete.'),
      );
    }
    const rows = [
      ...(await creations.cutOff(account)).map(({ id, name, createdAt }) => ({
        label: name,
        description: vscode.l10n.t('Cut off {0}', formatDateTime(createdAt)),
        value: id,
      })),
      ...(await interns.list(account)).flatMap((record) =>
        record.creation === null
          ? []
          : [
              {
                label: plainLine(nameOf(record)),
                description: statusLabel(record.status),
                value: record.creation,
              },
            ],
      ),
    ];
    const [only] = rows;
    if (only === undefined) {
      throw new UserError(vscode.l10n.t('Every creation is complete: there is nothing to resume.'));
    }
    if (rows.length === 1) return only.value;
    const picked = await prompts.pick({
      title: vscode.l10n.t('Resume Creation'),
      placeholder: vscode.l10n.t('Pick a creation; the same request is sent again'),
      rows,
    });
    return picked.kind === 'value' ? picked.value : undefined;
  }

  async #discard([target]: readonly CreationTarget[]): Promise<void> {
    const account = activeAccount(this.#ports.accounts);
    const record = target && (await account.store.creations.get(target.creation));
    if (record === undefined) return;
    const isMeant = await confirm(
      vscode.l10n.t('Discard the creation of {0}?', record.name),
      vscode.l10n.t(
        'It is not known whether the service created this intern. If it did, the intern stays, and its name with it.',
      ),
      vscode.l10n.t('Discard'),
    );
    if (isMeant) await account.store.creations.remove(record.id);
  }

  /** Shows the intern in its view; a notification, which would cover the composer of a chat, only where it surprises. */
  #announce({ intern, kept }: Creation): void {
    const name = plainLine(intern.name ?? intern.id);
    const status = statusLabel(intern.status);
    this.#ports.reveal(intern.id);
    if (kept !== 'known') {
      const created = vscode.l10n.t('Created {0}. Its status: {1}.', name, status);
      announce(created);
      return;
    }
    const openChat = vscode.l10n.t('Open Chat');
    const message = vscode.l10n.t('{0} existed already. Its status: {1}.', name, status);
    void vscode.window.showInformationMessage(message, openChat).then((chosen) => {
      if (chosen === openChat) {
        void vscode.commands.executeCommand('interns.openChat', { intern: intern.id });
      }
    });
  }
}
