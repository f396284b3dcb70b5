import type * as vscode from 'vscode';
import { Emitter } from '../../../src/base/disposable.ts';
import type { AnyMessage, HostMessages, PageMessages } from '../../../src/protocol/messages.ts';

/** A tab, a view or a surface of a chat. The test acts as its page. */
export class FakeSurface {
  /** Messages to the page. */
  readonly said: AnyMessage<HostMessages>[] = [];
  /** The HTML of each page. */
  readonly loaded: string[] = [];
  readonly messages = new Emitter<unknown>();
  readonly changed = new Emitter<void>();
  readonly disposed = new Emitter<void>();
  /** False if the page hangs. */
  isAlive = true;
  isOpen = true;
  title = '';
  visible = true;
  active = true;
  readonly onDidChange = this.changed.event;
  readonly onDidChangeViewState = this.changed.event;
  readonly onDidChangeVisibility = this.changed.event;
  readonly onDidDispose = this.disposed.event;
  readonly webview = ((surface: FakeSurface) => ({
    cspSource: '',
    options: {} as vscode.WebviewOptions,
    asWebviewUri: (uri: vscode.Uri) => uri,
    postMessage: (message: AnyMessage<HostMessages>) => {
      surface.said.push(message);
      if (message.type === 'leave' && surface.isAlive) surface.say('left', {});
      return Promise.resolve(true);
    },
    onDidReceiveMessage: surface.messages.event,
    get html() {
      return surface.loaded.at(-1) ?? '';
    },
    set html(html: string) {
      surface.load(html);
    },
  }))(this);

  load(html: string): void {
    this.loaded.push(html);
    if (html.includes('id="app"')) queueMicrotask(() => this.say('ready', { lastSeq: null }));
  }

  setTitle(): void {
    // No test looks at the title.
  }

  /** Returns the bodies of the messages of a type to the page. */
  bodies<K extends keyof HostMessages>(type: K): readonly HostMessages[K][] {
    return this.said.flatMap((each) => (each.type === type ? [each.body as HostMessages[K]] : []));
  }

  say<K extends keyof PageMessages>(type: K, body: PageMessages[K]): void {
    this.messages.fire({ type, body });
  }

  /** The user clicks into the page, or elsewhere. */
  focus(focused = true): void {
    this.say('presence', { visible: true, focused, composing: false, typed: false, message: null });
  }

  show(visible: boolean): void {
    this.visible = visible;
    this.active = visible;
    this.changed.fire();
  }

  reveal(): void {
    this.show(true);
  }

  dispose(): void {
    this.isOpen = false;
    this.disposed.fire();
  }
}
