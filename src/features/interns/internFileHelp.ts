import * as vscode from 'vscode';
import { MAX_BODY_BYTES } from '../../api/index.ts';
import { DisposableBase, DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { UriTarget } from '../../platform/commands/ids.ts';
import type { CommandRegistrar } from '../../platform/commands/registrar.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { currentText } from '../../platform/dialogs/textFiles.ts';
import type { InternRecord } from '../accounts/records.ts';
import { accountLabel, accountName } from '../accounts/accountWords.ts';
import { internNameSentence, lengthSentence } from '../../platform/words/limits.ts';
import { UserError } from '../../platform/words/report.ts';
import type { HostParts } from '../parts.ts';
import type { CreateStep, CreateValues } from './createValues.ts';
import { readInternFile, type InternFile, type InternFileProblem } from './internFile.ts';
import { statusWords } from './internWords.ts';

const SELECTOR: vscode.DocumentSelector = { pattern: '**/*.intern.json' };

interface InternFilePorts extends Pick<HostParts, 'accounts' | 'interns' | 'log'> {
  /** Opens the create dialog at a step, with values. */
  readonly create: (values: CreateValues, startAt: CreateStep) => Promise<void>;
}

/**
 * For people who keep interns in git: `Create Intern from This File`, and a code lens and a language status that tell
 * whether the intern of a `.intern.json` file is in the list of the active account.
 */
export class InternFileHelp extends DisposableBase implements vscode.CodeLensProvider {
  readonly #ports: InternFilePorts;
  readonly #changed = this.own(new Emitter<undefined>());

  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(registrar: CommandRegistrar, ports: InternFilePorts) {
    super();
    this.#ports = ports;
    this.own(ports.interns.onDidChange(() => this.#changed.fire(undefined)));
    this.own(this.#showStatus());
    this.own(vscode.languages.registerCodeLensProvider(SELECTOR, this));
    this.own(registrar.register('interns.createFromFile', (targets) => this.#create(targets)));
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { command } = await this.#describe(document);
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
  }

  /** The language status of the file in the active editor: there also where code lenses are switched off. */
  #showStatus(): Disposable {
    const { interns, log } = this.#ports;
    const store = new DisposableStore();
    const item = store.add(vscode.languages.createLanguageStatusItem('interns.file', SELECTOR));
    item.name = vscode.l10n.t('Intern');
    /** Counts the updates: of two under way, the later one holds. */
    let latest = 0;
    const show = async (): Promise<void> => {
      const update = (latest += 1);
      const document = vscode.window.activeTextEditor?.document;
      if (document === undefined || vscode.languages.match(SELECTOR, document) === 0) return;
      const { command, isValid: isSound } = await this.#describe(document);
      if (update !== latest) return;
      const { active } = this.#ports.accounts;
      item.text = command.title;
      // A language status makes links of what it spells, as a notification does.
      item.detail = active === undefined ? '' : accountName(active.record);
      item.severity = isSound
        ? vscode.LanguageStatusSeverity.Information
        : vscode.LanguageStatusSeverity.Warning;
    };
    const update = (): void => {
      show().catch((failure: unknown) =>
        log.warn('Could not tell what is known of the intern of a file', failure),
      );
    };
    store.add(vscode.window.onDidChangeActiveTextEditor(update));
    store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document) update();
      }),
    );
    store.add(interns.onDidChange(update));
    update();
    return store;
  }

  async #describe(
    document: vscode.TextDocument,
  ): Promise<{ readonly command: vscode.Command; readonly isValid: boolean }> {
    const file = readInternFile(document.getText());
    const command = await this.#commandFor(document.uri, file.ok ? file.value : undefined);
    return { command, isValid: file.ok };
  }

  /** What can be done with a file, said in the words of what is known of its intern. */
  async #commandFor(uri: vscode.Uri, file: InternFile | undefined): Promise<vscode.Command> {
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
    const source = instructions === '' ? 'none' : 'intern-file';
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
