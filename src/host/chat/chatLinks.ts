import * as vscode from 'vscode';
import { checkInternId } from '../../api/index.ts';
import type { Accounts } from '../auth/account.ts';
import { plainLine } from '../dialogs/plainText.ts';
import type { InternModel } from '../interns/internModel.ts';
import { nameOf } from '../interns/internState.ts';

/**
 * Opens `SCHEME://intern-service.interns/chat?intern=ID`. A link may come from anywhere and some editors let it through
 * without a word, so it asks every time, and does no more than opening the chat.
 */
export class ChatLinks implements vscode.UriHandler {
  readonly #accounts: Accounts;
  readonly #interns: InternModel;

  constructor(accounts: Accounts, interns: InternModel) {
    this.#accounts = accounts;
    this.#interns = interns;
  }

  async handleUri(uri: Pick<vscode.Uri, 'path' | 'query'>): Promise<void> {
    const intern = new URLSearchParams(uri.query).get('intern') ?? '';
    const isChat = uri.path === '/chat' && intern.length <= 256 && checkInternId(intern) === null;
    if (!isChat) {
      void vscode.window.showWarningMessage(vscode.l10n.t('This link does not lead to a chat.'));
      return;
    }
    // The link may have started the extension: before the accounts are read nobody seems to be signed in.
    await this.#accounts.whenLoaded;
    if (this.#accounts.active === undefined) await vscode.commands.executeCommand('interns.signIn');
    if (this.#accounts.active !== undefined) await this.#ask(intern);
  }

  async #ask(intern: string): Promise<void> {
    const known = await this.#interns.get(intern);
    const open = vscode.l10n.t('Open Chat');
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t(
        'Open a chat with the intern {0}?',
        plainLine(known === undefined ? intern : nameOf(known), 80),
      ),
      {
        modal: true,
        detail: known
          ? vscode.l10n.t('A link asks for it.')
          : vscode.l10n.t(
              'A link asks for it. This intern is not in your list; opening the chat adds it.',
            ),
      },
      open,
    );
    if (chosen !== open) return;
    if (known === undefined) await this.#interns.add(intern);
    await vscode.commands.executeCommand('interns.openChat', { intern });
  }
}
