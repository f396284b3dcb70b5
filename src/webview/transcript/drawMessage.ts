import type { MessageView } from '../../protocol/view.ts';
import type { Page } from '../page.ts';
import { Notice, UserMessage, type MessageDrawing } from './messages.ts';
import { Reply } from './reply.ts';

/** Draws a message; what takes long in it is drawn in steps. */
export function drawMessage(page: Page, message: MessageView): MessageDrawing {
  switch (message.kind) {
    case 'user':
      return new UserMessage(page, message);
    case 'intern':
      return new Reply(page, message);
    case 'notice':
      return new Notice(message);
  }
}
