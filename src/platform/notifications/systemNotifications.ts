import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import { type Disposable, DisposableBase, DisposableStore } from '../../base/disposable.ts';
import type { Log } from '../log/log.ts';
import { notificationCommand, SELECTED, type NotificationContent } from './notificationCommand.ts';

export interface ShownNotification extends Pick<NotificationContent, 'text'> {
  /** The query of a link to the chat. */
  readonly chat: Readonly<Record<string, string>>;
  /** Called when the user selects the notification, where the system tells. */
  readonly onSelect: () => void;
}

interface SystemNotificationsOptions {
  readonly log: Pick<Log, 'warn'>;
  readonly extension: Pick<vscode.Extension<unknown>, 'extensionKind'>;
  /** Default: those of this process. */
  readonly platform?: NodeJS.Platform;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Shows notifications of the operating system with its own command. A command that is missing or fails is logged once. */
export class SystemNotifications extends DisposableBase {
  readonly #options: SystemNotificationsOptions;
  /** The notifications whose commands run. */
  readonly #running = new Set<Disposable>();
  #hasWarned = false;
  /** False once `notify-send` worked only without its options for actions. */
  #canSelect = true;

  constructor(options: SystemNotificationsOptions) {
    super();
    this.#options = options;
    this.own({ dispose: () => this.#running.forEach((each) => each.dispose()) });
  }

  /** False if this process runs on another machine than the user's desktop. */
  get isPossible(): boolean {
    const { remoteName, uiKind } = vscode.env;
    const runsWithUi = this.#options.extension.extensionKind === vscode.ExtensionKind.UI;
    return uiKind === vscode.UIKind.Desktop && (remoteName === undefined || runsWithUi);
  }

  /** Shows a notification. Disposing the result withdraws it if its command still runs. */
  show(shown: ShownNotification): Disposable {
    const notification = new DisposableStore();
    if (this.isPossible && !this.isDisposed) this.#tryRun(shown, notification, this.#canSelect);
    return notification;
  }

  #tryRun(shown: ShownNotification, notification: DisposableStore, canSelect: boolean): void {
    try {
      this.#run(shown, notification, canSelect);
    } catch (failure) {
      this.#warn(failure);
    }
  }

  #run(shown: ShownNotification, notification: DisposableStore, canSelect: boolean): void {
    const { platform = process.platform, environment = process.env } = this.#options;
    const { text, chat, onSelect } = shown;
    const query = new URLSearchParams(chat).toString();
    const link = `${vscode.env.uriScheme}://intern-service.interns/chat?${query}`;
    const content = { text, action: vscode.l10n.t('Open Chat'), link };
    const command = notificationCommand(platform, environment, content, canSelect);
    const child = spawn(command.file, command.args, {
      env: command.env,
      // Not a folder of the user, so that a relative entry of PATH finds nothing there.
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.#running.add(notification);
    child.on('error', (failure) => this.#warn(failure));
    // `notify-send` withdraws the notification on this signal.
    notification.add({ dispose: () => void child.kill('SIGINT') });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(0, SELECTED.length + 2);
    });
    child.on('close', (code) => {
      this.#running.delete(notification);
      if (notification.isDisposed || code === null || code < 0) return;
      if (said.trim() === SELECTED) onSelect();
      else if (code === 0) this.#canSelect = canSelect;
      // It may be too old for actions.
      else if (canSelect && platform === 'linux') this.#tryRun(shown, notification, false);
      else this.#warn(new Error(`The command ended with code ${code}`));
    });
  }

  #warn(failure: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    this.#options.log.warn('System notifications do not work here', failure);
  }
}
