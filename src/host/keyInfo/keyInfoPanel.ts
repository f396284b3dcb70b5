import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { ApiError, type KeyInfo } from '../../api/index.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Account, Accounts } from '../auth/account.ts';
import type { CommandId } from '../commands/ids.ts';
import type { CommandRegistrar } from '../commands/registrar.ts';
import type { Log } from '../log/log.ts';
import { accountName } from '../words/accounts.ts';
import { explainFailure } from '../words/failures.ts';
import { formatDateTime } from '../words/format.ts';
import { isCancellation, reportFailure } from '../words/report.ts';
import { keyFacts, keyInfoJson } from './keyFacts.ts';
import { keyInfoPage, type PageContent } from './keyInfoPage.ts';

const VIEW_TYPE = 'interns.keyInfo';

/** All that a link of the page can run. */
const PAGE_COMMANDS: readonly CommandId[] = [
  'interns.refreshKeyInfo',
  'interns.copyKeyInfo',
  'interns.signIn',
];

/** Show API Key Information: one tab, which shows the key of the active account as the service tells of it. */
export class KeyInfoPanel implements Disposable {
  readonly #accounts: Accounts;
  readonly #disposables = new DisposableStore();
  #panel: vscode.WebviewPanel | undefined;
  #shown: { readonly account: string; readonly info: KeyInfo } | undefined;
  #reading: AbortController | undefined;

  constructor(accounts: Accounts, registrar: CommandRegistrar, log: Log) {
    this.#accounts = accounts;
    this.#disposables.add(
      registrar.registerAll({
        'interns.showKeyInfo': () => this.#show(),
        'interns.refreshKeyInfo': () => this.#read(),
        'interns.copyKeyInfo': () => this.#copy(),
      }),
    );
    this.#disposables.add(
      accounts.onDidChange(() => {
        this.#follow().catch((failure: unknown) => {
          reportFailure(log, 'Reading the key information', failure);
        });
      }),
    );
  }

  dispose(): void {
    this.#panel?.dispose();
    this.#disposables.dispose();
  }

  async #show(): Promise<void> {
    await this.#accounts.whenLoaded;
    if (this.#panel === undefined) {
      this.#panel = this.#open();
      await this.#read();
    } else {
      this.#panel.reveal();
    }
  }

  #open(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      vscode.l10n.t('API Key'),
      vscode.ViewColumn.Active,
      { enableScripts: false, enableCommandUris: PAGE_COMMANDS, localResourceRoots: [] },
    );
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#shown = undefined;
      this.#reading?.abort();
    });
    return panel;
  }

  /** Keeps to the active account and its key, whichever they have become. */
  async #follow(): Promise<void> {
    if (this.#shown === undefined) return;
    const { active } = this.#accounts;
    if (active?.id === this.#shown.account && active.keyInfo === this.#shown.info) return;
    if (active?.keyInfo === undefined) await this.#read();
    else this.#drawInfo(active, active.keyInfo);
  }

  /** Asks the service, and shows what it says; a newer reading takes the place of one under way. */
  async #read(): Promise<void> {
    const account = this.#accounts.active;
    this.#reading?.abort();
    this.#shown = undefined;
    if (account === undefined) {
      this.#panel?.dispose();
      return;
    }
    const reading = new AbortController();
    this.#reading = reading;
    this.#draw(account, { kind: 'reading' });
    try {
      const info = await this.#accounts.readKeyInfo(account.id, reading.signal);
      if (reading.signal.aborted) return;
      this.#drawInfo(this.#accounts.get(account.id) ?? account, info);
    } catch (failure) {
      if (isCancellation(failure)) return;
      if (!(failure instanceof ApiError)) throw failure;
      const { title, detail } = explainFailure(failure);
      this.#draw(account, { kind: 'failed', title, detail });
    }
  }

  #drawInfo(account: Account, info: KeyInfo): void {
    this.#shown = { account: account.id, info };
    const now = Date.now();
    const facts = keyFacts(info, account.record, now);
    this.#draw(account, { kind: 'read', facts, readAt: formatDateTime(now) });
  }

  #draw({ record }: Account, content: PageContent): void {
    if (this.#panel === undefined) return;
    const nonce = randomBytes(16).toString('base64');
    this.#panel.webview.html = keyInfoPage(accountName(record), content, nonce);
  }

  async #copy(): Promise<void> {
    if (this.#shown === undefined) return;
    await vscode.env.clipboard.writeText(keyInfoJson(this.#shown.info));
    vscode.window.setStatusBarMessage(vscode.l10n.t('The API key information was copied.'), 3_000);
  }
}
