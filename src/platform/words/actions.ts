import { l10n } from 'vscode';
import type { ActionId, ActionView } from '../../protocol/view.ts';
import type { CommandId } from '../commands/ids.ts';

export function actionLabel(action: ActionId): string {
  return {
    answer: l10n.t('Answer'),
    askAgain: l10n.t('Ask Again'),
    cancelQuestionAndSend: l10n.t('Cancel Question and Send'),
    chooseIntern: l10n.t('Select an Intern'),
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

export function actionView(action: ActionId): ActionView {
  return { id: action, label: actionLabel(action) };
}

/** The commands for actions that make sense outside of a conversation. */
export const ACTION_COMMANDS: Partial<Record<ActionId, CommandId>> = {
  signIn: 'interns.signIn',
  openLog: 'interns.showLog',
  newConversation: 'interns.newConversation',
  answer: 'interns.answer',
  stop: 'interns.stop',
};
