import * as vscode from 'vscode';
import { ApiError } from '../../api/index.ts';
import type { CommandId } from '../commands/ids.ts';
import { plainText } from '../dialogs/plainText.ts';
import type { Log } from '../log/log.ts';
import { UnreadableFileError } from '../storage/unreadable.ts';
import { ACTION_COMMANDS, actionLabel, explainFailure, type Explanation } from './failures.ts';
import { asSentence, formatSentences } from './format.ts';

/** An error whose message is shown to the user as it is. It holds no text of the service. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly buttons: readonly CommandButton[];

  /** @param message one or two localized sentences: what is wrong and what to do */
  constructor(message: string, buttons: readonly CommandButton[] = []) {
    super(message);
    this.buttons = buttons;
  }
}

interface CommandButton {
  readonly label: string;
  readonly command: CommandId;
  readonly target?: unknown;
}

/** Returns whether a failure only means that something was canceled. */
export function isCancellation(failure: unknown): boolean {
  if (failure instanceof vscode.CancellationError) return true;
  if (failure instanceof ApiError) return failure.kind === 'aborted';
  return failure instanceof Error && failure.name === 'AbortError';
}

/**
 * Logs a failure and explains it in a notification. Ignores cancellations.
 *
 * @param doing what failed, for the log: a command ID or a few English words
 * @param account account that the `Sign In` button signs in to
 * @param note localized sentence after the explanation
 */
export function reportFailure(
  log: Log,
  doing: string,
  failure: unknown,
  account?: string,
  note = '',
): void {
  if (isCancellation(failure)) return;
  log.error(`${doing} failed`, failure);
  void showProblem(failure, account, note);
}

async function showProblem(failure: unknown, account: string | undefined, note: string) {
  const { message, buttons } = problemOf(failure, account);
  const labels = buttons.map(({ label }) => label);
  const text = plainText(formatSentences([message, note]));
  const chosen = await vscode.window.showErrorMessage(text, ...labels);
  const pressed = buttons.find(({ label }) => label === chosen);
  if (pressed !== undefined) await vscode.commands.executeCommand(pressed.command, pressed.target);
}

function problemOf(
  failure: unknown,
  account: string | undefined,
): Pick<UserError, 'message' | 'buttons'> {
  if (failure instanceof UserError) return failure;
  if (failure instanceof ApiError) {
    const explanation = explainFailure(failure);
    return {
      message: explanationMessage(explanation),
      buttons: commandButtons(explanation, account),
    };
  }
  if (failure instanceof UnreadableFileError) {
    const reason = vscode.l10n.t('Couldn’t read {0}. It wasn’t changed.', failure.file);
    return { message: reason, buttons: [] };
  }
  return {
    message: vscode.l10n.t('Interns ran into a problem.'),
    buttons: [{ label: actionLabel('openLog'), command: 'interns.showLog' }],
  };
}

export function explanationMessage({ title, detail, serviceQuote }: Explanation): string {
  return formatSentences([asSentence(title), detail, serviceQuote]);
}

function commandButtons({ actions }: Explanation, account: string | undefined): CommandButton[] {
  return actions.flatMap((action) => {
    const command = ACTION_COMMANDS[action];
    if (command === undefined) return [];
    const target = action === 'signIn' && account !== undefined ? { account } : undefined;
    return [{ label: actionLabel(action), command, target }];
  });
}
