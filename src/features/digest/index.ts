import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { hasNews, needsUser } from '../../conversation/digest.ts';
import type { DigestTarget } from '../../platform/commands/ids.ts';
import { formatDateTime } from '../../platform/words/format.ts';
import { activeAccount } from '../accounts/account.ts';
import type { ChatTexts } from '../chatPanel/chatTexts.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { HostParts } from '../parts.ts';
import { Absence } from './absence.ts';
import { digestText } from './digestText.ts';
import { digestLine } from './digestWords.ts';
import { readDigest } from './readDigest.ts';

type DigestParts = Pick<
  HostParts,
  | 'accounts'
  | 'clock'
  | 'interns'
  | 'log'
  | 'prompts'
  | 'registrar'
  | 'settings'
  | 'reportUnreadable'
  | 'watch'
> & {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri'>;
  readonly conversations: Pick<Conversations, 'list' | 'read' | 'isUnderWay'>;
  readonly texts: Pick<ChatTexts, 'showLinked'>;
};

/** Tells what happened in all conversations while their user was away, or since a time; nothing is sent for it. */
export class Digests extends DisposableBase {
  readonly #parts: DigestParts;
  readonly #absence: Absence;
  readonly #item: vscode.StatusBarItem;
  readonly #openedAt: number;

  constructor(parts: DigestParts) {
    super();
    this.#parts = parts;
    this.#openedAt = parts.clock.now();
    this.#item = this.own(
      vscode.window.createStatusBarItem('interns.digest', vscode.StatusBarAlignment.Left, 8),
    );
    this.#item.name = vscode.l10n.t('Interns: what happened');
    this.#absence = this.own(
      new Absence({
        ...parts,
        folder: join(parts.context.globalStorageUri.fsPath, 'presence'),
        onReturn: (since) => void this.#welcome(since),
      }),
    );
    this.own(parts.registrar.register('interns.showDigest', ([target]) => this.#choose(target)));
  }

  /** Takes note that the user is here, before the window goes away. */
  flush(): Promise<void> {
    return this.#absence.flush();
  }

  /** One quiet line; and a notification where something is left to do. */
  async #welcome(since: number): Promise<void> {
    const { accounts, log } = this.#parts;
    try {
      await accounts.whenLoaded;
      const { counts } = await readDigest(since, this.#parts.clock.now(), this.#parts);
      this.#item.hide();
      if (!hasNews(counts)) return;
      const line = digestLine(counts);
      const show = vscode.l10n.t('Show What Happened');
      const target: DigestTarget = { since };
      this.#item.text = `$(history) ${line}`;
      this.#item.tooltip = vscode.l10n.t('What interns did while you were away. Click to read it.');
      this.#item.accessibilityInformation = {
        label: vscode.l10n.t('Interns, while you were away: {0}. Show what happened.', line),
      };
      this.#item.command = { command: 'interns.showDigest', title: show, arguments: [target] };
      this.#item.show();
      if (!needsUser(counts)) return;
      const said = vscode.l10n.t('While you were away: {0}', line);
      const chosen = await vscode.window.showInformationMessage(said, show);
      if (chosen === show) await this.#show(since);
    } catch (failure) {
      log.warn('What happened meanwhile could not be told', failure);
    }
  }

  async #choose(target: DigestTarget | undefined): Promise<void> {
    activeAccount(this.#parts.accounts);
    const since = target?.since ?? (await this.#pickSince());
    if (since !== undefined) await this.#show(since);
  }

  async #pickSince(): Promise<number | undefined> {
    const { clock, prompts } = this.#parts;
    const now = clock.now();
    const away = (await this.#absence.lastAway()) ?? this.#openedAt;
    const row = (label: string, since: number) => ({
      label,
      description: formatDateTime(since),
      value: since,
    });
    const picked = await prompts.pick({
      title: vscode.l10n.t('Show What Happened'),
      rows: [
        row(vscode.l10n.t('Since I was away'), away),
        row(vscode.l10n.t('Since yesterday'), startOfDay(now, 1)),
        row(vscode.l10n.t('Since last week'), startOfDay(now, 7)),
      ],
    });
    return picked.kind === 'value' ? picked.value : undefined;
  }

  async #show(since: number): Promise<void> {
    const { accounts, clock, interns, texts } = this.#parts;
    const digest = await readDigest(since, clock.now(), this.#parts);
    await Promise.all(accounts.all.map((account) => interns.list(account)));
    this.#item.hide();
    await texts.showLinked(
      vscode.l10n.t('What Happened'),
      digestText(digest, ({ intern, account }) => interns.name(intern, account)),
    );
  }
}

/** The beginning of the day so many days ago, in the user's time zone; epoch ms. */
function startOfDay(now: number, daysAgo: number): number {
  const day = new Date(now);
  day.setDate(day.getDate() - daysAgo);
  return day.setHours(0, 0, 0, 0);
}
