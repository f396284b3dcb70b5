import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
import { canStop } from '../../conversation/machine/state.ts';
import type { ContextKeys } from '../../platform/contextKeys.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { InternModel } from '../interns/internModel.ts';
import type { Settings } from '../../platform/settings.ts';
import { formatNumber } from '../../platform/words/format.ts';
import type { ChatPages } from './chatPages.ts';
import type { ContainerBadge } from '../interns/containerBadge.ts';
import type { Conversations, RunEnd } from '../conversations/conversations.ts';

export interface RunNotifierOptions {
  readonly conversations: Conversations;
  readonly pages: ChatPages;
  readonly interns: InternModel;
  readonly contextKeys: ContextKeys;
  readonly settings: Settings;
  readonly badge: ContainerBadge;
}

/** Tells a user who looks elsewhere what became of a run, and keeps Stop at hand while one is under way. */
export class RunNotifier extends DisposableBase {
  readonly #options: RunNotifierOptions;
  readonly #running: vscode.StatusBarItem;
  readonly #followed = new Set<string>();

  constructor(options: RunNotifierOptions) {
    super();
    const { conversations, pages } = options;
    this.#options = options;
    this.#running = vscode.window.createStatusBarItem(
      'interns.running',
      vscode.StatusBarAlignment.Left,
      9,
    );
    this.#running.name = vscode.l10n.t('Interns: runs');
    this.#running.command = 'interns.stop';
    this.own(this.#running);
    this.own(
      conversations.onDidOpen(({ conversation }) => {
        if (this.#followed.has(conversation.id)) return;
        this.#followed.add(conversation.id);
        this.own(conversation.onDidChange(({ state }) => state && this.#showRunning()));
      }),
    );
    this.own(conversations.onDidEndRun((end) => void this.#ended(end)));
    this.own(pages.onDidChange(() => this.#pagesChanged()));
    this.own(conversations.onDidChange(() => this.#updateBadge()));
    this.own(vscode.window.onDidChangeWindowState(() => this.#pagesChanged()));
    this.#showRunning();
  }

  #showRunning(): void {
    const running = this.#options.conversations.live.filter(({ conversation: { state } }) =>
      canStop(state),
    );
    const { contextKeys, pages } = this.#options;
    contextKeys.set('interns.running', running.length > 0);
    const shown = pages.current?.open;
    contextKeys.set(
      'interns.activeChatRunning',
      running.some(({ conversation }) => conversation === shown?.conversation),
    );
    contextKeys.set('interns.activeChatListed', shown?.conversation.transcript.listedAs);
    if (running.length === 0) {
      this.#running.hide();
      return;
    }
    const text =
      running.length === 1
        ? vscode.l10n.t('1 run')
        : vscode.l10n.t('{0} runs', formatNumber(running.length));
    this.#running.text = `$(loading~spin) ${text}`;
    this.#running.tooltip = vscode.l10n.t('Interns at work. Click to stop a run.');
    this.#running.accessibilityInformation = { label: vscode.l10n.t('Interns: {0}, stop', text) };
    this.#running.show();
  }

  #isInSight(conversation: string): boolean {
    const surface = this.#options.pages.get(conversation)?.surface;
    return surface?.visible === true && vscode.window.state.focused;
  }

  #pagesChanged(): void {
    this.#showRunning();
    this.#updateBadge();
  }

  /** Of the runs that ended out of sight, those count that were not seen since and are still there. */
  #updateBadge(): void {
    const { conversations, badge } = this.#options;
    const there = conversations.live.filter(({ isDeleted }) => !isDeleted);
    const ids = there.map(({ conversation }) => conversation.id);
    badge.keepOnly(new Set(ids.filter((id) => !this.#isInSight(id))));
  }

  async #ended({ account, conversation, ok, tookMs }: RunEnd): Promise<void> {
    const { pages, interns, settings, badge } = this.#options;
    const after = settings.notifyAfterSeconds;
    if (!this.#isInSight(conversation.id)) badge.ended(conversation.id);
    if (this.#isInSight(conversation.id) || after === 0 || tookMs < after * 1000) return;
    const name = plainLine(interns.name(conversation.transcript.intern, account), 40);
    const title = plainLine(conversation.transcript.title, 60);
    const show = vscode.l10n.t('Show Conversation');
    const chosen = ok
      ? await vscode.window.showInformationMessage(
          vscode.l10n.t('{0} finished: {1}', name, title),
          show,
        )
      : await vscode.window.showWarningMessage(
          vscode.l10n.t('{0} did not finish: {1}', name, title),
          show,
        );
    if (chosen === show) await pages.show(account, conversation.id);
  }
}
