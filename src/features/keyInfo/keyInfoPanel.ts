import * as vscode from 'vscode';
import { ApiError, type KeyInfo } from '../../api/index.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
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

/** Registers the commands of the tab that shows the key of the active account. */
export function registerKeyInfo(
  { accounts, registrar, log }: Pick<AccountServices, 'accounts' | 'registrar' | 'log'>,
  costsOf: (account: Account) => Promise<CostSums | undefined>,
): Disposable {
  let panel: vscode.WebviewPanel | undefined;
  /** The account of the page, as it was last seen. */
  let shown: Account | undefined;
  /** The information that the page shows. */
  let info: KeyInfo | undefined;
  let reading = new AbortController();

  const draw = ({ record }: Account, content: PageContent) => {
    if (panel !== undefined) panel.webview.html = keyInfoPage(accountName(record), content);
  };

  /** Asks the service and shows the result. Aborts an earlier reading. */
  const read = async () => {
    const { active } = accounts;
    reading.abort();
    if (active === undefined) {
      panel?.dispose();
      return;
    }
    reading = new AbortController();
    const { signal } = reading;
    shown = active;
    info = undefined;
    draw(active, { kind: 'reading' });
    try {
      const answer = await accounts.readKeyInfo(active.id, signal);
      const costs = await costsOf(active);
      if (signal.aborted) return;
      info = answer;
      const current = accounts.get(active.id) ?? active;
      const { record } = current;
      draw(current, { kind: 'read', info, record, costs, readAt: Date.now() });
    } catch (failure) {
      if (signal.aborted || isCancellation(failure)) return;
      if (!(failure instanceof ApiError)) throw failure;
      const explanation = explainFailure(failure);
      draw(active, { kind: 'failed', account: active.id, explanation });
    }
  };

  const open = () => {
    panel = vscode.window.createWebviewPanel(
      VIEW_TYPE,
      vscode.l10n.t('API Key'),
      vscode.ViewColumn.Active,
      { enableScripts: false, enableCommandUris: PAGE_COMMANDS, localResourceRoots: [] },
    );
    panel.onDidDispose(() => {
      panel = undefined;
      shown = undefined;
      reading.abort();
    });
    return read();
  };

  /** Reads again if another account is active, or its key is another one or works again. */
  const follow = async () => {
    const before = shown;
    if (before === undefined) return;
    const { active } = accounts;
    shown = active;
    const isSameKey = active?.id === before.id && active.record.keySince === before.record.keySince;
    // A failed reading changes the state, too, but must not start another one.
    const worksAgain = before.state !== 'ready' && active?.state === 'ready';
    if (!isSameKey || worksAgain) await read();
  };

  const store = new DisposableStore();
  store.add({ dispose: () => void panel?.dispose() });
  store.add(
    registrar.registerAll({
      'interns.showKeyInfo': async () => {
        activeAccount(accounts);
        if (panel === undefined) await open();
        else panel.reveal();
      },
      'interns.refreshKeyInfo': read,
      'interns.copyKeyInfo': async () => {
        if (info === undefined)
          throw new UserError(vscode.l10n.t('Open the API key information first.'));
        await copyToClipboard(keyInfoJson(info));
      },
    }),
  );
  store.add(
    accounts.onDidChange(() => {
      follow().catch((failure: unknown) => {
        reportFailure(log, 'Reading the key information', failure);
      });
    }),
  );
  return store;
}
