import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { noticeMs } from '../../chat/conversation/state.ts';
import type { ChatPresence } from '../../chat/questions/types.ts';
import { standingOf, type Standing } from '../../chat/standing.ts';
import {
  dispatch,
  parsePageMessage,
  type Handlers,
  type HostEnvelope,
  type HostMessages,
  type PageMessages,
} from '../../protocol/messages.ts';
import type { ActionId, StatusView } from '../../protocol/view.ts';
import type { PromptContext } from '../context/promptContext.ts';
import type { ReplyActions } from '../editor/types.ts';
import type { Log } from '../log/log.ts';
import type { ThemeColours } from '../theme/themeColours.ts';
import type { OpenConversation } from './conversations.ts';
import type { Drafts } from './drafts.ts';
import { ChatFeed, type FeedUpdate } from './feed.ts';
import { findInTranscript } from './find.ts';
import { markdownOf } from './markdown.ts';
import { pageHtml } from './page.ts';
import { PageFaults } from './pageFaults.ts';
import { pageStrings } from './present/strings.ts';
import { statusView } from './present/statusView.ts';
import { Prompting } from './prompting.ts';
import { tabIcon, tabTitle } from './tab.ts';

/** What a panel is built from. */
export interface ChatPanelOptions {
  readonly panel: vscode.WebviewPanel;
  readonly open: OpenConversation;
  readonly extension: vscode.Uri;
  readonly internName: () => string;
  readonly accountState: () => 'ready' | 'needs-key' | 'refused' | 'signed-out';
  readonly drafts: Drafts;
  readonly context: PromptContext;
  readonly editor: ReplyActions;
  readonly colours: ThemeColours;
  readonly log: Log;
  readonly clock: Clock;
  /** What the page reports of its user, for the decision when a dialog may open. */
  readonly presence: (presence: ChatPresence | undefined) => void;
  readonly typed: () => void;
  /** Carries out an action that is not of this conversation alone; `target` is a question's or a message's id. */
  readonly act: (action: ActionId, target: string | undefined) => void;
}

/**
 * One conversation in an editor tab: hands the page what it must draw and carries out what it asks for. Holds nothing
 * of its own that a reload would lose.
 */
export class ChatPanel implements Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly open: OpenConversation;
  readonly #options: ChatPanelOptions;
  readonly #store = new DisposableStore();
  readonly #disposed = this.#store.add(new Emitter<void>());
  readonly #feed: ChatFeed;
  readonly #prompting: Prompting;
  readonly #faults: PageFaults;
  /** What is to be said to the page once it is up. */
  #greeting: HostEnvelope[] = [];
  #isUp = false;
  #standing: Standing | undefined;
  #refreshAt = 0;
  #refreshTimer: Disposable | undefined;

  readonly onDidDispose = this.#disposed.event;

  constructor(options: ChatPanelOptions) {
    const { panel, open, extension, internName, context } = options;
    this.#options = options;
    this.#faults = new PageFaults(options.log);
    this.panel = panel;
    this.open = open;
    this.#feed = new ChatFeed(open.conversation, internName, () => this.#status());
    this.#prompting = new Prompting({
      open,
      context,
      drafts: options.drafts,
      internName,
      compose: (text, where) => this.say('compose', { text, where }),
    });
    this.#store.add(
      open.conversation.onDidChange((change) => this.#show(this.#feed.advance(change))),
    );
    this.#store.add(context.onDidChange(() => this.refresh()));
    this.#store.add(options.colours.onDidChange((colours) => this.say('codeColours', colours)));
    this.#store.add(panel.webview.onDidReceiveMessage((data: unknown) => this.#hear(data)));
    this.#store.add(panel.onDidChangeViewState(() => this.#viewStateChanged()));
    panel.onDidDispose(() => {
      this.#disposed.fire();
      this.dispose();
    });
    panel.webview.html = pageHtml(panel.webview, extension, internName());
    this.#showTab();
  }

  /** Shows the tab again, in the column that it is in. */
  reveal(): void {
    this.panel.reveal(undefined, false);
    this.say('focusComposer', {});
  }

  /** Sends what differs though the conversation did not change: a name, the account, an attachment. */
  refresh(): void {
    this.#show(this.#feed.advance({ transcript: [], state: true }));
  }

  /** Says something to the page; what is said before it is up is kept for it. */
  say<K extends keyof HostMessages>(type: K, body: HostMessages[K]): void {
    const envelope = { type, body } as HostEnvelope;
    if (this.#isUp && this.panel.visible) void this.panel.webview.postMessage(envelope);
    else this.#greeting.push(envelope);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #status(): StatusView {
    const { conversation, diskFailed, isDeleted } = this.open;
    const { internName, accountState, context, clock } = this.#options;
    return statusView(conversation.state, {
      title: conversation.transcript.title,
      internName: internName(),
      isTrusted: vscode.workspace.isTrusted,
      account: accountState(),
      attachments: context.attachments,
      diskFailed,
      isDeleted,
      now: clock.now(),
    });
  }

  #show(update: FeedUpdate | undefined): void {
    this.#showTab();
    this.#refreshWhenPassed();
    if (update === undefined || !this.#isUp || !this.panel.visible) return;
    this.#post(update);
  }

  /** What is said of a run that was left holds for half a minute; then the page is told that it is past. */
  #refreshWhenPassed(): void {
    const { phase, leftAt } = this.open.conversation.state;
    const { clock } = this.#options;
    const until = phase.kind === 'idle' && leftAt !== null ? leftAt + noticeMs : 0;
    if (until === this.#refreshAt) return;
    this.#refreshAt = until;
    this.#refreshTimer?.dispose();
    if (until > clock.now())
      this.#refreshTimer = this.#store.add(
        clock.setTimeout(() => this.refresh(), until - clock.now()),
      );
  }

  #post(update: FeedUpdate): void {
    const envelope: HostEnvelope =
      update.kind === 'changes'
        ? { type: 'changes', body: { seq: update.seq, changes: update.changes } }
        : {
            type: 'snapshot',
            body: {
              seq: update.seq,
              now: this.#options.clock.now(),
              strings: pageStrings(),
              view: { ...update.view, ...this.#place() },
              keep: this.#kept(),
            },
          };
    void this.panel.webview.postMessage(envelope);
  }

  #kept(): HostMessages['snapshot']['keep'] {
    const { account, conversation } = this.open;
    const { intern } = conversation.transcript;
    return { account: account.id, intern, conversation: conversation.id };
  }

  #place(): { draft: string; scroll: { message: string; offset: number } | null } {
    const { text, scroll } = this.#options.drafts.get(this.open.conversation.id);
    return { draft: text, scroll };
  }

  #showTab(): void {
    const { conversation } = this.open;
    const title = tabTitle(this.#options.internName(), conversation);
    if (this.panel.title !== title) this.panel.title = title;
    const standing = standingOf(conversation);
    if (standing === this.#standing) return;
    this.#standing = standing;
    this.panel.iconPath = tabIcon(this.#options.extension, standing);
  }

  #viewStateChanged(): void {
    if (this.panel.visible) return;
    // A hidden page is gone: it says hello again when it is shown, and is told everything then.
    this.#isUp = false;
    this.#options.presence(undefined);
  }

  #hear(data: unknown): void {
    const envelope = parsePageMessage(data);
    if (envelope === undefined) {
      this.#faults.unreadable();
      return;
    }
    dispatch<PageMessages>(this.#handlers, envelope);
  }

  readonly #handlers: Handlers<PageMessages> = {
    hello: ({ have }) => this.#greet(have),
    send: ({ text }) => this.#run(this.#prompting.submit(text)),
    stop: () => this.open.conversation.send({ type: 'stop' }),
    setMode: ({ mode }) => this.#run(this.#setMode(mode)),
    act: ({ action, target }) => this.#act(action, target),
    editQueued: ({ id, text }) => this.#prompting.editQueued(id, text),
    removeQueued: ({ id }) => this.open.conversation.send({ type: 'remove-queued', id }),
    draft: ({ text }) => this.#prompting.draft(text),
    scrolled: ({ place }) => this.#options.drafts.set(this.open.conversation.id, { scroll: place }),
    presence: (presence) => this.#options.presence(presence),
    typed: () => this.#options.typed(),
    history: ({ from, count }) => this.say('history', this.#feed.history(from, count)),
    around: ({ message, count }) => this.say('history', this.#feed.around(message, count)),
    find: ({ query, matchCase }) => {
      const { messages } = this.open.conversation.transcript;
      this.say('found', { query, matches: findInTranscript(messages, query, matchCase) });
    },
    copy: ({ text }) => this.#run(this.#options.editor.copy(text)),
    copyMessage: ({ id }) => this.#run(this.#copyMessage(id)),
    insertAtCursor: ({ code }) => this.#run(this.#options.editor.insertAtCursor(code)),
    newFile: ({ code, language }) => this.#run(this.#options.editor.newFile(code, language)),
    openDiff: ({ diff }) => this.#run(this.#options.editor.openDiff(diff)),
    openLink: ({ href }) => this.#run(this.#options.editor.openLink(href)),
    locate: ({ paths }) => this.#run(this.#locate(paths)),
    complete: ({ request, query }) => this.#run(this.#complete(request, query)),
    attachCompletion: ({ id }) => this.#run(this.#options.context.attachCompletion(id)),
    pickAttachment: () => this.#run(this.#options.context.pick()),
    dropped: ({ uris }) => this.#run(this.#options.context.drop(uris)),
    removeAttachment: ({ id }) => this.#options.context.remove(id),
    ping: ({ at }) => this.say('pong', { at, now: this.#options.clock.now() }),
    failed: ({ message }) => this.#faults.failed(message),
  };

  #greet(have: number | null): void {
    this.#isUp = true;
    this.#post(this.#feed.since(have));
    const greeting = this.#greeting;
    this.#greeting = [];
    for (const envelope of greeting) void this.panel.webview.postMessage(envelope);
    this.#run(this.#tellColours());
  }

  #act(action: ActionId, target: string | undefined): void {
    const { conversation } = this.open;
    switch (action) {
      case 'retry':
        this.#run(this.#prompting.retry(target));
        return;
      case 'editLast':
        this.#prompting.editLast();
        return;
      case 'sendNow':
      case 'sendQueue':
        this.#run(this.#prompting.release('send-now'));
        return;
      case 'cancelQuestionAndSend':
        this.#run(this.#prompting.release('cancel-and-send'));
        return;
      case 'stop':
        conversation.send({ type: 'stop' });
        return;
      case 'switchToManual':
        conversation.send({ type: 'set-mode', mode: 'manual' });
        return;
      case 'askAgain':
        this.say('compose', { text: askAgainText(), where: 'append' });
        return;
      case 'answer':
      case 'chooseIntern':
      case 'newConversation':
      case 'openLog':
      case 'signIn':
        this.#options.act(action, target);
        return;
    }
  }

  async #setMode(mode: 'manual' | 'self-drive'): Promise<void> {
    if (!(await this.#prompting.setMode(mode))) this.#showModeAgain();
  }

  /** The page has shown the mode that was chosen; it was not agreed to. */
  #showModeAgain(): void {
    void this.panel.webview.postMessage({
      type: 'changes',
      body: this.#feed.repeatStatus(),
    } satisfies HostEnvelope);
  }

  async #copyMessage(id: string): Promise<void> {
    const message = this.open.conversation.transcript.messages.find((each) => each.id === id);
    if (message !== undefined) await this.#options.editor.copy(markdownOf(message));
  }

  async #complete(request: number, query: string): Promise<void> {
    this.say('completions', { request, items: await this.#options.context.complete(query) });
  }

  async #tellColours(): Promise<void> {
    const colours = await this.#options.colours.get();
    if (Object.keys(colours).length > 0) this.say('codeColours', colours);
  }

  async #locate(paths: readonly string[]): Promise<void> {
    this.say('located', { paths, found: await this.#options.editor.locate(paths) });
  }

  #run(work: Promise<void>): void {
    work.catch((failure: unknown) =>
      this.#options.log.error('A request of the chat page failed', failure),
    );
  }
}

function askAgainText(): string {
  return vscode.l10n.t('Your last question ran out before I could answer. Please ask it again.');
}
