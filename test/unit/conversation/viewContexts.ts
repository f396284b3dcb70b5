import type { MessageContext } from '../../../src/features/chatPanel/present/messageView.ts';
import type { StatusContext } from '../../../src/features/chatPanel/present/statusView.ts';
import { settings } from '../../webview/fixtures/views.ts';

/** A default context for the status of a conversation. */
export const statusContext: StatusContext = {
  settings,
  internName: 'Ada',
  isTrusted: true,
  account: 'ready',
  attachments: [],
  diskFailed: false,
  isDeleted: false,
  isPlain: false,
  now: 0,
};

/** A default context for the view of a message. */
export const messageContext: MessageContext = {
  author: 'Ada',
  askedQuestion: null,
  editablePrompt: null,
  whenUnanswered: 'expire',
};
