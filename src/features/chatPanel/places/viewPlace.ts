import type { Uri, WebviewView } from 'vscode';
import { DisposableBase, toDisposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';
import { pageRoot } from '../page/pageHtml.ts';
import type { PagePlace, PageWebview } from './pagePlace.ts';

interface ViewPlaceOptions {
  readonly view: WebviewView;
  readonly extension: Uri;
  /** Done once the page that stood in the view before has told everything. */
  readonly isFree: Promise<void>;
  /** Opens the view and gives it the focus. */
  readonly focus: () => void;
}

/**
 * The view in the side bar, as long as one conversation is shown in it. Its page is drawn, and heard, only when that of the
 * conversation before it has gone: both are heard through the same webview.
 */
export class ViewPlace extends DisposableBase implements PagePlace {
  readonly webview: PageWebview;
  readonly ground = 'in-view';
  readonly #changed = this.own(new Emitter<void>());
  readonly #said = this.own(new Emitter<unknown>());
  readonly #disposed = new Emitter<void>();
  readonly #options: ViewPlaceOptions;

  readonly onDidChange = this.#changed.event;
  readonly onDidDispose = this.#disposed.event;

  constructor(options: ViewPlaceOptions) {
    super();
    this.#options = options;
    const { view } = options;
    const { webview } = view;
    this.webview = {
      cspSource: webview.cspSource,
      asWebviewUri: (uri) => webview.asWebviewUri(uri),
      // The page that comes next is heard and told by the same webview.
      postMessage: async (message) => !this.isDisposed && webview.postMessage(message),
      onDidReceiveMessage: this.#said.event as PageWebview['onDidReceiveMessage'],
    };
    this.own(view.onDidChangeVisibility(() => this.#changed.fire()));
    this.own(toDisposable(() => this.#disposed.fire()));
    const hear = () => webview.onDidReceiveMessage((said: unknown) => this.#said.fire(said));
    void options.isFree.then(() => this.own(hear()));
  }

  get visible(): boolean {
    return this.#options.view.visible && !this.isDisposed;
  }

  get active(): boolean {
    return this.visible;
  }

  load(html: string): void {
    const { view, extension, isFree } = this.#options;
    void isFree.then(() => {
      if (this.isDisposed) return;
      const { webview } = view;
      webview.options = { enableScripts: true, localResourceRoots: [pageRoot(extension)] };
      webview.html = html;
    });
  }

  /** The view's title says how it stands; its icon is the container's. */
  setTitle(title: string): void {
    const { view } = this.#options;
    if (view.title !== title) view.title = title;
  }

  reveal(): void {
    this.#options.focus();
  }
}
