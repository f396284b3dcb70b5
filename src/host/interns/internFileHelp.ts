import * as vscode from 'vscode';
import { MAX_BODY_BYTES } from '../../api/index.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Accounts } from '../auth/account.ts';
import type { UriTarget } from '../commands/ids.ts';
import type { CommandRegistrar } from '../commands/registrar.ts';
import { plainLine } from '../dialogs/plainText.ts';
import { currentText } from '../dialogs/textFile.ts';
import type { Log } from '../log/log.ts';
import type { InternRecord } from '../storage/records.ts';
import { accountLabel, accountName } from '../words/accounts.ts';
import { internNameSentence, lengthSentence } from '../words/limits.ts';
import { UserError } from '../words/report.ts';
import type { CreateStep, CreateValues } from './createValues.ts';
import { InternFileStatus, type InternFileSaying } from './internFileStatus.ts';
import { readInternFile, type InternFile, type InternFileProblem } from './internFile.ts';
import type { InternModel } from './internModel.ts';
import { statusWords } from './internWords.ts';

const SELECTOR: vscode.DocumentSelector = { pattern: '**/*.intern.json' };

/** What the help with files is built from. */
export interface InternFilePorts {
  readonly accounts: Accounts;
  readonly interns: InternModel;
  readonly log: Log;
  /** Opens the create dialog at a step, with values. */
  readonly create: (values: CreateValues, startAt: CreateStep) => Promise<void>;
}

/**
 * For people who keep interns in git: `Create Intern from This File`, and a code lens and a language status that tell
 * whether the intern of a `.intern.json` file is in the list of the active account.
 */
export class InternFileHelp implements vscode.CodeLensProvider, Disposable {
  readonly #ports: InternFilePorts;
  readonly #store = new DisposableStore();
  readonly #changed = new Emitter<undefined>();

  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(registrar: CommandRegistrar, ports: InternFilePorts) {
    this.#ports = ports;
    this.#store.add(this.#changed);
    this.#store.add(ports.interns.onDidChange(() => this.#changed.fire(undefined)));
    this.#store.add(
      new InternFileStatus({
        selector: SELECTOR,
        say: (document) => this.#say(document),
        onDidChange: ports.interns.onDidChange,
        log: ports.log,
      }),
    );
    this.#store.add(vscode.languages.registerCodeLensProvider(SELECTOR, this));
    this.#store.add(
      registrar.register('interns.createFromFile', (targets) => this.#create(targets)),
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { command } = await this.#look(document);
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #say(document: vscode.TextDocument): Promise<InternFileSaying> {
    const { command, isSound } = await this.#look(document);
    const { active } = this.#ports.accounts;
    // A language status makes links of what it spells, as a notification does.
    const detail = active === undefined ? '' : accountName(active.record);
    return { text: command.title, detail, isSound };
  }

  async #look(
    document: vscode.TextDocument,
  ): Promise<{ readonly command: vscode.Command; readonly isSound: boolean }> {
    const file = readInternFile(document.getText());
    const command = await this.#offer(document.uri, file.ok ? file.value : undefined);
    return { command, isSound: file.ok };
  }

  /** What can be done with a file, said in the words of what is known of its intern. */
  async #offer(uri: vscode.Uri, file: InternFile | undefined): Promise<vscode.Command> {
    const account = this.#ports.accounts.active;
    if (account === undefined) {
      return { command: 'interns.signIn', title: vscode.l10n.t('Sign in to create this intern') };
    }
    const record = file && (await this.#find(file));
    if (record !== undefined) {
      const label = accountLabel(account.record.label);
      return {
        command: 'interns.openChat',
        title: vscode.l10n.t('Created in {0}: {1}. Open Chat', label, statusWords(record)),
        arguments: [{ intern: record.id }],
      };
    }
    return {
      command: 'interns.createFromFile',
      title: vscode.l10n.t('Create Intern from This File'),
      arguments: [uri],
    };
  }

  async #find({ name, workspaceId }: InternFile): Promise<InternRecord | undefined> {
    const records = await this.#ports.interns.list();
    return records.find(
      ({ intern }) =>
        intern?.name === name && (workspaceId === null || intern.workspaceId === workspaceId),
    );
  }

  async #create([target]: readonly UriTarget[]): Promise<void> {
    const uri = target === undefined ? activeUri() : vscode.Uri.from(target);
    const text = await currentText(uri, MAX_BODY_BYTES);
    if (!text.ok) throw new UserError(text.error);
    const file = readInternFile(text.value);
    if (!file.ok) throw new UserError(problemSentence(file.error));
    const { workspaceId, instructions, ...values } = file.value;
    const own = this.#ports.accounts.active?.record.workspaceId;
    if (workspaceId !== null && own !== undefined && workspaceId !== own) {
      throw new UserError(
        vscode.l10n.t(
          'The file is for the workspace {0}, and the account is in {1}. Switch to another account, or change workspace_id.',
          plainLine(workspaceId, 60),
          plainLine(own, 60),
        ),
      );
    }
    const source = instructions === '' ? 'none' : 'file';
    await this.#ports.create({ ...values, source, instructions }, 'provision');
  }
}

function activeUri(): vscode.Uri {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri?.path.endsWith('.intern.json') === true) return uri;
  throw new UserError(vscode.l10n.t('Open a file whose name ends in .intern.json first.'));
}

function problemSentence(problem: InternFileProblem): string {
  switch (problem.kind) {
    case 'not-json':
      return vscode.l10n.t('The file is not JSON. The editor marks where.');
    case 'field':
      return problem.field === ''
        ? vscode.l10n.t('The file does not describe an intern: it must hold an object.')
        : vscode.l10n.t(
            '“{0}” is missing, unknown, or of the wrong type.',
            plainLine(problem.field, 60),
          );
    case 'name':
      return vscode.l10n.t('“{0}”: {1}', 'name', internNameSentence(problem.problem));
    case 'length':
      return vscode.l10n.t('“{0}”: {1}', problem.field, lengthSentence(problem.problem));
  }
}
