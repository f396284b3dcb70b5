import type { Uri, WebviewView } from 'vscode';
import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { pageRoot } from './pageHtml.ts';
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
export class ViewPlace implements PagePlace {
  readonly webview: PageWebview;
  readonly ground = 'in-view';
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #said = this.#store.add(new Emitter<unknown>());
  readonly #disposed = new Emitter<void>();
  readonly #options: ViewPlaceOptions;

  readonly onDidChange = this.#changed.event;
  readonly onDidDispose = this.#disposed.event;

  constructor(options: ViewPlaceOptions) {
    this.#options = options;
    const { view } = options;
    const { webview } = view;
    this.webview = {
      cspSource: webview.cspSource,
      asWebviewUri: (uri) => webview.asWebviewUri(uri),
      // The page that comes next is heard and told by the same webview.
      postMessage: async (message) => !this.#store.isDisposed && webview.postMessage(message),
      onDidReceiveMessage: this.#said.event as PageWebview['onDidReceiveMessage'],
    };
    this.#store.add(view.onDidChangeVisibility(() => this.#changed.fire()));
    this.#store.add(toDisposable(() => this.#disposed.fire()));
    const hear = () => webview.onDidReceiveMessage((said: unknown) => this.#said.fire(said));
    void options.isFree.then(() => this.#store.add(hear()));
  }

  get visible(): boolean {
    return this.#options.view.visible && !this.#store.isDisposed;
  }

  get active(): boolean {
    return this.visible;
  }

  load(html: string): void {
    const { view, extension, isFree } = this.#options;
    void isFree.then(() => {
      if (this.#store.isDisposed) return;
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

  dispose(): void {
    this.#store.dispose();
  }
}
