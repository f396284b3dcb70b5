import { l10n, type Webview } from 'vscode';
import type { Event } from '../../../base/event.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import {
  conversationStatus,
  type ConversationStatus,
} from '../../../conversation/machine/state.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';

/** What a page is drawn in, and how host and page hear each other. */
export type PageWebview = Pick<
  Webview,
  'cspSource' | 'asWebviewUri' | 'postMessage' | 'onDidReceiveMessage'
>;

/** What the page of a conversation is drawn on: a tab of the editor, or the view in the side bar. */
export interface Surface {
  readonly webview: PageWebview;
  /** The class of the page's body, by which the page knows what it lies on. */
  readonly bodyClass: '' | 'in-view';
  /** Whether the page is on screen. */
  readonly visible: boolean;
  /** Whether a command that names no conversation may mean this one. */
  readonly active: boolean;
  /** `visible` or `active` may have changed. */
  readonly onDidChange: Event<unknown>;
  readonly onDidDispose: Event<unknown>;
  /** Draws the page. */
  load(html: string): void;
  /** Shows the title of the conversation and its state. */
  setTitle(title: string, status: ConversationStatus): void;
  /** Brings the page to the front, where it has the focus. */
  reveal(): void;
  /** Takes the page away. */
  dispose(): void;
}

/** Returns the title of a surface: the intern, the first words, and what needs the user. */
export function titleOf(internName: string, conversation: Conversation): string {
  const { title } = conversation.transcript;
  const name = plainLine(internName, 40);
  const whole = title === '' ? name : `${name}: ${plainLine(title, 40)}`;
  switch (conversationStatus(conversation)) {
    case 'waiting':
      return l10n.t('{0} (asks you)', whole);
    case 'failed':
      return l10n.t('{0} (failed)', whole);
    case 'working':
      return l10n.t('{0} (working)', whole);
    case 'idle':
      return whole;
  }
}
