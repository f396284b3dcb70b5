import { l10n, Uri, type WebviewPanel } from 'vscode';
import type { Conversation } from '../../../conversation/conversation.ts';
import { standingOf, type Standing } from '../../../conversation/machine/state.ts';
import { plainLine } from '../../../platform/dialogs/plainText.ts';
import type { PagePlace, PageWebview } from './pagePlace.ts';

/** The title of a conversation's page: the intern, the first words, and what needs the user. */
export function tabTitle(internName: string, conversation: Conversation): string {
  const { title } = conversation.transcript;
  const name = plainLine(internName, 40);
  const whole = title === '' ? name : `${name}: ${plainLine(title, 40)}`;
  switch (standingOf(conversation)) {
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

/** A tab of the editor. */
export class TabPlace implements PagePlace {
  readonly panel: WebviewPanel;
  readonly ground = '';
  readonly onDidChange: PagePlace['onDidChange'];
  readonly onDidDispose: PagePlace['onDidDispose'];
  readonly #extension: Uri;
  #standing: Standing | undefined;

  constructor(panel: WebviewPanel, extension: Uri) {
    this.panel = panel;
    this.#extension = extension;
    this.onDidChange = (listener) => panel.onDidChangeViewState(listener);
    this.onDidDispose = (listener) => panel.onDidDispose(listener);
  }

  get webview(): PageWebview {
    return this.panel.webview;
  }

  get visible(): boolean {
    return this.panel.visible;
  }

  get active(): boolean {
    return this.panel.active;
  }

  load(html: string): void {
    this.panel.webview.html = html;
  }

  setTitle(title: string, standing: Standing): void {
    if (this.panel.title !== title) this.panel.title = title;
    if (standing === this.#standing) return;
    this.#standing = standing;
    this.panel.iconPath = tabIcon(this.#extension, standing);
  }

  /** In the column that it is in. */
  reveal(): void {
    this.panel.reveal(undefined, false);
  }

  dispose(): void {
    this.panel.dispose();
  }
}

/** SVG, since the oldest supported VS Code ignores theme icons on a tab. */
function tabIcon(extension: Uri, standing: Standing): { light: Uri; dark: Uri } {
  return {
    light: Uri.joinPath(extension, 'media', 'tab', `${standing}-light.svg`),
    dark: Uri.joinPath(extension, 'media', 'tab', `${standing}-dark.svg`),
  };
}
