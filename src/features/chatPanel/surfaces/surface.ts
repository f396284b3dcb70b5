import { l10n, type Webview } from 'vscode';
import type { Event } from '../../../base/disposable.ts';
import { shortTitle } from '../../../base/shortTitle.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import {
  conversationStatus,
  type ConversationStatus,
} from '../../../conversation/machine/state.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';

/** An editor tab or the side bar's view, which shows the page of a conversation. */
export interface Surface {
  readonly webview: Pick<
    Webview,
    'cspSource' | 'asWebviewUri' | 'postMessage' | 'onDidReceiveMessage'
  >;
  /** The class of the page's body. */
  readonly bodyClass: '' | 'in-view';
  readonly visible: boolean;
  /** True if a command without a target may apply to this chat. */
  readonly active: boolean;
  /** Fires when `visible` or `active` may have changed. */
  readonly onDidChange: Event<unknown>;
  readonly onDidDispose: Event<unknown>;
  load(html: string): void;
  setTitle(title: string, status: ConversationStatus): void;
  /** Brings the page to the front and focuses it. */
  reveal(): void;
  dispose(): void;
}

/** Returns the title of a chat: the intern, the first words, and the status. */
export function titleOf(internName: string, conversation: Conversation): string {
  const { state, transcript } = conversation;
  // The first prompt is in the queue until this window owns the conversation.
  const title = transcript.title || shortTitle(state.queue[0]?.text ?? '');
  const name = plainLine(internName, 40);
  const whole = title === '' ? name : `${name}: ${plainLine(title, 40)}`;
  return {
    waiting: l10n.t('{0} (waiting for you)', whole),
    failed: l10n.t('{0} (failed)', whole),
    working: l10n.t('{0} (working)', whole),
    idle: whole,
  }[conversationStatus(conversation)];
}
