import * as vscode from 'vscode';
import { ApiError, type KeyInfo } from '../../api/index.ts';
import { DisposableBase } from '../../base/disposable.ts';
import {
  type Account,
  accountName,
  type AccountServices,
  activeAccount,
} from '../accounts/account.ts';
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

/** The tab of Show API Key Information. It shows the key of the active account. */
export class KeyInfoPanel extends DisposableBase {
  readonly #accounts: AccountServices['accounts'];
  readonly #costsOf: (account: Account) => Promise<CostSums | undefined>;
  #panel: vscode.WebviewPanel | undefined;
  /** The account of the page, as it was last seen. */
  #account: Account | undefined;
  /** The information that the page shows. */
  #info: KeyInfo | undefined;
  #reading: AbortController | undefined;

  constructor(
    { accounts, registrar, log }: Pick<AccountServices, 'accounts' | 'registrar' | 'log'>,
    costsOf: (account: Account) => Promise<CostSums | undefined>,
  ) {
    super();
    this.#accounts = accounts;
    this.#costsOf = costsOf;
    this.own({ dispose: () => void this.#panel?.dispose() });
    registrar.register({
      'interns.showKeyInfo': () => this.#show(),
      'interns.refreshKeyInfo': () => this.#read(),
      'interns.copyKeyInfo': () => this.#copy(),
    });
    this.own(
      accounts.onDidChange(() => {
        this.#follow().catch((failure: unknown) => {
          reportFailure(log, 'Reading the key information', failure);
        });
      }),
    );
  }

  async #show(): Promise<void> {
    activeAccount(this.#accounts);
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
      this.#account = undefined;
      this.#reading?.abort();
    });
    return panel;
  }

  /** Reads again if another account is active, or its key is another one or works again. */
  async #follow(): Promise<void> {
    const before = this.#account;
    if (before === undefined) return;
    const { active } = this.#accounts;
    this.#account = active;
    const isSameKey = active?.id === before.id && active.record.keySince === before.record.keySince;
    // A failed reading changes the state, too, but must not start another one.
    const worksAgain = before.state !== 'ready' && active?.state === 'ready';
    if (!isSameKey || worksAgain) await this.#read();
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
    this.#account = account;
    this.#info = undefined;
    this.#draw(account, { kind: 'reading' });
    try {
      const info = await this.#accounts.readKeyInfo(account.id, reading.signal);
      const costs = await this.#costsOf(account);
      if (reading.signal.aborted) return;
      this.#info = info;
      const current = this.#accounts.get(account.id) ?? account;
      const { record } = current;
      this.#draw(current, { kind: 'read', info, record, costs, readAt: Date.now() });
    } catch (failure) {
      if (reading.signal.aborted || isCancellation(failure)) return;
      if (!(failure instanceof ApiError)) throw failure;
      const explanation = explainFailure(failure);
      this.#draw(account, { kind: 'failed', account: account.id, explanation });
    }
  }

  #draw({ record }: Account, content: PageContent): void {
    if (this.#panel === undefined) return;
    this.#panel.webview.html = keyInfoPage(accountName(record), content);
  }

  async #copy(): Promise<void> {
    if (this.#info === undefined)
      throw new UserError(vscode.l10n.t('Open the API key information first.'));
    await copyToClipboard(keyInfoJson(this.#info));
  }
}
