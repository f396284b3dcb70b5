import * as vscode from 'vscode';
import { ApiError, type KeyInfo } from '../../api/index.ts';
import { DisposableBase } from '../../base/disposable.ts';
import { type Account, accountName, type AccountServices } from '../accounts/account.ts';
import type { CommandId } from '../../platform/commands/ids.ts';
import { copyToClipboard } from '../../platform/dialogs/statusMessage.ts';
import type { CostSums } from '../../platform/text/costs.ts';
import { explainFailure } from '../../platform/text/failures.ts';
import { isCancellation, reportFailure, UserError } from '../../platform/text/reportFailure.ts';
import { keyInfoJson, keyInfoPage, type PageContent } from './keyInfoPage.ts';

const VIEW_TYPE = 'interns.keyInfo';

const PAGE_COMMANDS: readonly CommandId[] = [
  'interns.refreshKeyInfo',
  'interns.copyKeyInfo',
  'interns.signIn',
];

/** The account of the page when it was drawn. */
interface Subject {
  readonly account: Account;
  /** If its information on the key becomes another one, the page is drawn again. */
  readonly known: KeyInfo | undefined;
  /** True if the page shows `known` and not a failure. */
  readonly isShown: boolean;
}

/** The tab of Show API Key Information. It shows the key of the active account. */
export class KeyInfoPanel extends DisposableBase {
  readonly #accounts: AccountServices['accounts'];
  readonly #costsOf: (account: Account) => Promise<CostSums | undefined>;
  #panel: vscode.WebviewPanel | undefined;
  #about: Subject | undefined;
  #reading: AbortController | undefined;

  constructor(
    { accounts, registrar, log }: Pick<AccountServices, 'accounts' | 'registrar' | 'log'>,
    costsOf: (account: Account) => Promise<CostSums | undefined>,
  ) {
    super();
    this.#accounts = accounts;
    this.#costsOf = costsOf;
    this.own({ dispose: () => void this.#panel?.dispose() });
    this.own(
      registrar.registerAll({
        'interns.showKeyInfo': () => this.#show(),
        'interns.refreshKeyInfo': () => this.#read(),
        'interns.copyKeyInfo': () => this.#copy(),
      }),
    );
    this.own(
      accounts.onDidChange(() => {
        this.#follow().catch((failure: unknown) => {
          reportFailure(log, 'Reading the key information', failure);
        });
      }),
    );
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
      this.#about = undefined;
      this.#reading?.abort();
    });
    return panel;
  }

  /** Follows changes of the active account and its key. */
  async #follow(): Promise<void> {
    if (this.#about === undefined) return;
    const { active } = this.#accounts;
    // A failed reading changes the account's state, not its key, so it does not lead to another reading.
    const { account, known } = this.#about;
    const isSame = active?.id === account.id && active.keyInfo === known;
    if (isSame && active.record.keySince === account.record.keySince) return;
    // After another window signed in with another key, this one still has the information of the earlier key.
    if (isSame || active?.keyInfo === undefined) await this.#read();
    else await this.#drawInfo(active, active.keyInfo);
  }

  /** Asks the service and shows the result. Aborts an earlier reading. */
  async #read(): Promise<void> {
    const account = this.#accounts.active;
    this.#reading?.abort();
    if (account === undefined) {
      this.#panel?.dispose();
      return;
    }
    const reading = new AbortController();
    this.#reading = reading;
    this.#about = { account, known: account.keyInfo, isShown: false };
    this.#draw(account, { kind: 'reading' });
    try {
      const info = await this.#accounts.readKeyInfo(account.id, reading.signal);
      if (reading.signal.aborted) return;
      await this.#drawInfo(this.#accounts.get(account.id) ?? account, info);
    } catch (failure) {
      if (reading.signal.aborted || isCancellation(failure)) return;
      if (!(failure instanceof ApiError)) throw failure;
      const explanation = explainFailure(failure);
      this.#draw(account, { kind: 'failed', account: account.id, explanation });
    }
  }

  /** Shows known information, and aborts a reading in progress. */
  async #drawInfo(account: Account, info: KeyInfo): Promise<void> {
    this.#reading?.abort();
    const about = { account, known: info, isShown: true };
    this.#about = about;
    const costs = await this.#costsOf(account);
    if (this.#about !== about) return;
    const { record } = account;
    this.#draw(account, { kind: 'read', info, record, costs, readAt: Date.now() });
  }

  #draw({ record }: Account, content: PageContent): void {
    if (this.#panel === undefined) return;
    this.#panel.webview.html = keyInfoPage(accountName(record), content);
  }

  async #copy(): Promise<void> {
    const info = this.#about?.isShown === true ? this.#about.known : undefined;
    if (info === undefined)
      throw new UserError(vscode.l10n.t('Open the API key information first.'));
    await copyToClipboard(keyInfoJson(info));
  }
}
