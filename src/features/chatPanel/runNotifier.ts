import { commands, l10n, StatusBarAlignment, type StatusBarItem, window } from 'vscode';
import { DisposableBase, DisposableStore } from '../../base/disposable.ts';
import { canStop } from '../../conversation/machine/state.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { InternServices } from '../interns/internModel.ts';
import { formatNumber } from '../../platform/text/format.ts';
import type {
  ShownNotification,
  SystemNotifications,
} from '../../platform/notifications/systemNotifications.ts';
import type { UserAttention } from '../../platform/notifications/userAttention.ts';
import type { ChatPages } from './chatPages.ts';
import type { Conversations, RunEnd } from '../conversations/conversations.ts';

export interface RunNotifierOptions extends InternServices {
  readonly conversations: Conversations;
  readonly pages: ChatPages;
  readonly attention: Pick<UserAttention, 'isAway'>;
  readonly systemNotifications: Pick<SystemNotifications, 'isPossible' | 'show'>;
}

/** Notifies about runs that end out of sight, and shows Stop in the status bar while one is under way. */
export class RunNotifier extends DisposableBase {
  readonly #options: RunNotifierOptions;
  readonly #running: StatusBarItem;
  /** Those that the user has not come back for. */
  #systemNotifications = new DisposableStore();

  constructor(options: RunNotifierOptions) {
    super();
    const { conversations, pages } = options;
    this.#options = options;
    this.#running = window.createStatusBarItem('interns.running', StatusBarAlignment.Left, 9);
    this.#running.name = l10n.t('Interns: runs');
    this.#running.command = 'interns.stop';
    this.own(this.#running);
    this.own(conversations.onDidChangeState(() => this.#showRunning()));
    this.own(conversations.onDidEndRun((end) => void this.#handleRunEnd(end)));
    this.own(pages.onDidChange(() => this.#showRunning()));
    this.own(
      window.onDidChangeWindowState(({ focused }) => {
        this.#showRunning();
        if (focused) this.#withdraw();
      }),
    );
    this.own({ dispose: () => this.#withdraw() });
    this.#showRunning();
  }

  #showRunning(): void {
    const { contextKeys, pages, conversations } = this.#options;
    const running = conversations.live.filter(({ conversation }) => canStop(conversation.state));
    const shown = pages.activePage?.open;
    contextKeys.set('interns.running', running.length > 0);
    contextKeys.set('interns.activeChatRunning', shown !== undefined && running.includes(shown));
    contextKeys.set('interns.activeChatListed', shown?.conversation.transcript.listedAs);
    if (running.length === 0) {
      this.#running.hide();
      return;
    }
    const text =
      running.length === 1 ? l10n.t('1 run') : l10n.t('{0} runs', formatNumber(running.length));
    this.#running.text = `$(loading~spin) ${text}`;
    this.#running.tooltip = l10n.t('Interns are working. Select to stop a run.');
    this.#running.accessibilityInformation = { label: l10n.t('Interns: {0}. Stop a run.', text) };
    this.#running.show();
  }

  #isVisible(conversation: string): boolean {
    const surface = this.#options.pages.get(conversation)?.surface;
    return surface?.visible === true && window.state.focused;
  }

  async #handleRunEnd({ account, conversation, ok, tookMs }: RunEnd): Promise<void> {
    const { interns, settings } = this.#options;
    const after = settings.notifyAfterSeconds;
    if (this.#isVisible(conversation.id) || after === 0 || tookMs < after * 1000) return;
    const { id, transcript } = conversation;
    const name = plainLine(interns.name(transcript.intern, account), 40);
    const title = plainLine(transcript.title, 60);
    const chat = { intern: transcript.intern, conversation: id };
    // The command also says if the conversation is gone by then.
    const onSelect = () => void commands.executeCommand('interns.openChat', chat);
    const text = ok ? l10n.t('{0} finished a run', name) : l10n.t('A run of {0} failed', name);
    void this.#notifySystem({ text, chat, onSelect });
    const show = l10n.t('Show Conversation');
    const chosen = ok
      ? await window.showInformationMessage(l10n.t('{0} finished: {1}', name, title), show)
      : await window.showWarningMessage(l10n.t('{0} failed: {1}', name, title), show);
    if (chosen === show) onSelect();
  }

  #withdraw(): void {
    this.#systemNotifications.dispose();
    this.#systemNotifications = new DisposableStore();
  }

  async #notifySystem(notification: ShownNotification): Promise<void> {
    const { settings, attention, systemNotifications } = this.#options;
    if (settings.systemNotifications !== 'questionsAndRuns' || !systemNotifications.isPossible)
      return;
    if (!(await attention.isAway()) || this.isDisposed) return;
    this.#systemNotifications.add(systemNotifications.show(notification));
  }
}
