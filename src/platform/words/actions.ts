import { l10n } from 'vscode';
import type { ActionId, ActionView } from '../../protocol/view.ts';
import type { CommandId } from '../commands/ids.ts';

/** The label of an action's button, localized. */
export function actionLabel(action: ActionId): string {
  return {
    answer: l10n.t('Answer'),
    askAgain: l10n.t('Ask Again'),
    cancelQuestionAndSend: l10n.t('Cancel the Question and Send'),
    chooseIntern: l10n.t('Choose an Intern'),
    editLast: l10n.t('Edit and Send Again'),
    giveUpAndSend: l10n.t('Give Up Question and Send'),
    limitCost: l10n.t('Change Cost Limit…'),
    newConversation: l10n.t('New Conversation'),
    openLog: l10n.t('Show Log'),
    retry: l10n.t('Retry'),
    sendNow: l10n.t('Send Now'),
    sendQueue: l10n.t('Send Queued Prompts'),
    showFormatted: l10n.t('Show Formatting'),
    signIn: l10n.t('Sign In'),
    stop: l10n.t('Stop'),
    tellIntern: l10n.t('Tell the Intern'),
    switchToManual: l10n.t('Switch to Manual'),
  }[action];
}

/** An action with its label, as the page shows it. */
export function actionView(action: ActionId): ActionView {
  return { id: action, label: actionLabel(action) };
}

/** The command that carries out an action outside of any conversation; undefined where it makes sense in one only. */
export function actionCommand(action: ActionId): CommandId | undefined {
  return commandOf[action];
}

const commandOf: Partial<Record<ActionId, CommandId>> = {
  signIn: 'interns.signIn',
  openLog: 'interns.showLog',
  newConversation: 'interns.newConversation',
  answer: 'interns.answer',
  stop: 'interns.stop',
};
