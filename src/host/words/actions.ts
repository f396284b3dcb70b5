import { l10n } from 'vscode';
import type { ActionId, ActionView } from '../../protocol/view.ts';
import type { CommandId } from '../commands/ids.ts';

/** The label of an action's button, localized. */
export function actionLabel(action: ActionId): string {
  switch (action) {
    case 'answer':
      return l10n.t('Answer');
    case 'askAgain':
      return l10n.t('Ask Again');
    case 'cancelQuestionAndSend':
      return l10n.t('Cancel the Question and Send');
    case 'chooseIntern':
      return l10n.t('Choose an Intern');
    case 'editLast':
      return l10n.t('Edit and Send Again');
    case 'newConversation':
      return l10n.t('New Conversation');
    case 'openLog':
      return l10n.t('Show Log');
    case 'retry':
      return l10n.t('Retry');
    case 'sendNow':
      return l10n.t('Send Now');
    case 'sendQueue':
      return l10n.t('Send What Waits');
    case 'signIn':
      return l10n.t('Sign In');
    case 'stop':
      return l10n.t('Stop');
    case 'switchToManual':
      return l10n.t('Switch to Manual');
  }
}

/** An action with its label, as the page shows it. */
export function actionView(action: ActionId): ActionView {
  return { id: action, label: actionLabel(action) };
}

/** The command that carries out an action outside of any conversation; undefined where it makes sense in one only. */
export function actionCommand(action: ActionId): CommandId | undefined {
  switch (action) {
    case 'signIn':
      return 'interns.signIn';
    case 'openLog':
      return 'interns.showLog';
    case 'newConversation':
      return 'interns.newConversation';
    case 'answer':
      return 'interns.answer';
    case 'stop':
      return 'interns.stop';
    case 'askAgain':
    case 'cancelQuestionAndSend':
    case 'chooseIntern':
    case 'editLast':
    case 'retry':
    case 'sendNow':
    case 'sendQueue':
    case 'switchToManual':
      return undefined;
  }
}
