import * as vscode from 'vscode';
import { activeAccount, type Accounts } from '../../accounts/account.ts';
import type { ChatTargets } from '../../context/sendCommands.ts';
import type { InternPicker } from '../../interns/internPicker.ts';
import type { ChatPages } from '../chatPages.ts';
import type { Conversations } from '../../conversations/conversations.ts';
import { latestOf } from '../../conversations/heads.ts';

interface ChatTargetPorts {
  readonly accounts: Accounts;
  readonly conversations: Conversations;
  readonly picker: InternPicker;
  readonly panels: ChatPages;
}

/** Where a selection goes: the chat in sight, else the latest conversation with an intern that the user picks. */
export class ChatTargetPicker implements ChatTargets {
  readonly #ports: ChatTargetPorts;

  constructor(ports: ChatTargetPorts) {
    this.#ports = ports;
  }

  active(): string | undefined {
    const { active } = this.#ports.panels;
    return active?.place.visible === true ? active.open.conversation.id : undefined;
  }

  async choose(): Promise<{ readonly conversation: string } | undefined> {
    const { accounts, conversations, picker, panels } = this.#ports;
    const account = activeAccount(accounts);
    const intern = await picker.pick([], vscode.l10n.t('Send to Chat'));
    if (intern === undefined) return undefined;
    const latest = latestOf(await conversations.list(account, intern));
    const shown = latest && (await panels.show(account, latest.id));
    const panel = shown ?? panels.start(account, intern);
    return { conversation: panel.open.conversation.id };
  }

  async reveal(conversation: string): Promise<void> {
    await this.#ports.panels.showOfAnyAccount(conversation);
  }
}
