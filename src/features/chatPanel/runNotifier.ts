import { commands, l10n, StatusBarAlignment, window } from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { canStop } from '../../conversation/machine/state.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import type { InternServices } from '../interns/internModel.ts';
import { formatNumber } from '../../platform/text/format.ts';
import type { SystemNotifications } from '../../platform/notifications/systemNotifications.ts';
import type { UserAttention } from '../../platform/notifications/userAttention.ts';
import type { ChatPages } from './chatPages.ts';
import type { Conversations, RunEnd } from '../conversations/conversations.ts';

export interface RunNotifierPorts extends InternServices {
  readonly conversations: Conversations;
  readonly pages: ChatPages;
  readonly attention: Pick<UserAttention, 'isAway'>;
  readonly systemNotifications: Pick<SystemNotifications, 'isPossible' | 'show'>;
}

/** Notifies about runs that end out of sight, and shows Stop in the status bar while one is under way. */
export function notifyOfRuns(ports: RunNotifierPorts): Disposable {
  const { interns, settings, conversations, pages, attention, systemNotifications } = ports;
  const store = new DisposableStore();
  showRunning(ports, store);
  /** The system notifications since the user was last here. */
  let pending = new DisposableStore();
  const withdraw = () => {
    pending.dispose();
    pending = new DisposableStore();
  };
  const isVisible = (conversation: string) =>
    pages.get(conversation)?.surface.visible === true && window.state.focused;
  const handleRunEnd = async ({ account, conversation, endedWell, tookMs }: RunEnd) => {
    const after = settings.notifyAfterSeconds;
    if (isVisible(conversation.id) || after === 0 || tookMs < after * 1000) return;
    const { intern, title: fullTitle } = conversation.transcript;
    const name = plainLine(interns.name(intern, account), 40);
    const title = plainLine(fullTitle, 60);
    const chat = { intern, conversation: conversation.id };
    // The command also says if the conversation is gone by then.
    const onSelect = () => void commands.executeCommand('interns.openChat', chat);
    const notifySystem = async () => {
      const isWanted = settings.systemNotifications === 'questionsAndRuns';
      if (!isWanted || !systemNotifications.isPossible) return;
      if (!(await attention.isAway()) || store.isDisposed) return;
      const text = endedWell
        ? l10n.t('{0} finished a run', name)
        : l10n.t('A run of {0} failed', name);
      pending.add(systemNotifications.show({ text, chat, onSelect }));
    };
    void notifySystem();
    const show = l10n.t('Show Conversation');
    const chosen = endedWell
      ? await window.showInformationMessage(l10n.t('{0} finished: {1}', name, title), show)
      : await window.showWarningMessage(l10n.t('{0} failed: {1}', name, title), show);
    if (chosen === show) onSelect();
  };
  store.add(conversations.onDidEndRun((end) => void handleRunEnd(end)));
  store.add(window.onDidChangeWindowState(({ focused }) => focused && withdraw()));
  store.add({ dispose: withdraw });
  return store;
}

function showRunning(
  { contextKeys, pages, conversations }: RunNotifierPorts,
  store: DisposableStore,
): void {
  const item = store.add(window.createStatusBarItem('interns.running', StatusBarAlignment.Left, 9));
  item.name = l10n.t('Interns: runs');
  item.command = 'interns.stop';
  item.tooltip = l10n.t('Interns are working. Select to stop a run.');
  const update = () => {
    const running = conversations.live.filter(({ conversation }) => canStop(conversation.state));
    const shown = pages.activePage?.open;
    contextKeys.set('interns.running', running.length > 0);
    contextKeys.set('interns.activeChatRunning', shown !== undefined && running.includes(shown));
    contextKeys.set('interns.activeChatListed', shown?.conversation.transcript.listedAs);
    if (running.length === 0) {
      item.hide();
      return;
    }
    const text =
      running.length === 1 ? l10n.t('1 run') : l10n.t('{0} runs', formatNumber(running.length));
    item.text = `$(loading~spin) ${text}`;
    item.accessibilityInformation = { label: l10n.t('Interns: {0}. Stop a run.', text) };
    item.show();
  };
  store.add(conversations.onDidChangeState(update));
  store.add(pages.onDidChange(update));
  store.add(window.onDidChangeWindowState(update));
  update();
}
