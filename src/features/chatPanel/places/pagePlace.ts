import type { Webview } from 'vscode';
import type { Event } from '../../../base/event.ts';
import type { Standing } from '../../../conversation/machine/state.ts';

/** What a page is drawn in, and how host and page hear each other. */
export type PageWebview = Pick<
  Webview,
  'cspSource' | 'asWebviewUri' | 'postMessage' | 'onDidReceiveMessage'
>;

/** Where the page of a conversation stands: a tab of the editor, or the view in the side bar. */
export interface PagePlace {
  readonly webview: PageWebview;
  /** What the page lies on, as a class of its body; empty for an editor. */
  readonly ground: '' | 'in-view';
  /** Whether the page is on screen. */
  readonly visible: boolean;
  /** Whether a command that names no conversation may mean this one. */
  readonly active: boolean;
  /** `visible` or `active` may have changed. */
  readonly onDidChange: Event<unknown>;
  readonly onDidDispose: Event<unknown>;
  /** Draws the page. */
  load(html: string): void;
  /** Shows what the conversation is called, and how it stands. */
  setTitle(title: string, standing: Standing): void;
  /** Brings the page to the front, where it has the focus. */
  reveal(): void;
  /** Takes the page away. */
  dispose(): void;
}
