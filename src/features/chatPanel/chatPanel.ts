import * as vscode from 'vscode';
import { DisposableBase, type Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { expectedExpiry, noticeMs, standingOf } from '../../conversation/machine/state.ts';
import type { ChatPresence } from '../../conversation/questions/types.ts';
import {
  dispatch,
  parsePageMessage,
  type Handlers,
  type HostMessages,
  type PageMessages,
  type AnyMessage,
} from '../../protocol/messages.ts';
import type { ActionId, StatusView } from '../../protocol/view.ts';
import type { PromptContext } from '../context/promptContext.ts';
import { csvOf } from '../editor/csv.ts';
import type { PromptFiles } from '../context/promptFiles.ts';
import type { ReplyActions } from '../editor/editorActions.ts';
import { copyText } from '../../platform/dialogs/announce.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Settings } from '../../platform/settings.ts';
import type { ThemeColours } from '../../platform/theme/themeColours.ts';
import { linkTo } from './commands/chatLinks.ts';
import type { ChatTexts } from './chatTexts.ts';
import type { OpenConversation } from '../conversations/conversations.ts';
import type { Drafts } from './prompts/drafts.ts';
import { ChatFeed, type ChatFeedOptions } from './feed.ts';
import { findInTranscript } from '../conversations/searchableText.ts';
import { markdownOf } from '../conversations/markdown.ts';
import { pageHtml } from './page/pageHtml.ts';
import { keptOf } from './places/openTabs.ts';
import type { PagePlace } from './places/pagePlace.ts';
import { PageFaults } from './page/pageFaults.ts';
import { PageLeave } from './page/pageLeave.ts';
import { PageWatch } from './page/pageWatch.ts';
import { pageStrings } from './present/strings.ts';
import { statusView } from './present/statusView.ts';
import { PromptHelp } from './prompts/promptHelp.ts';
import { PromptSender } from './prompts/promptSender.ts';
import { tabTitle } from './places/tab.ts';

/** Settings by which a page looks or behaves. */
const shownSettings = [
  ...(['chat.narration', 'chat.sendWith', 'chat.fontSize'] as const),
  'editor.fontLigatures',
] as const;

/** What a panel is built from. */
export interface ChatPanelOptions {
  readonly place: PagePlace;
  readonly open: OpenConversation;
  readonly extension: vscode.Uri;
  readonly internName: () => string;
  readonly accountState: () => 'ready' | 'needs-key' | 'refused' | 'signed-out';
  readonly drafts: Drafts;
  readonly context: PromptContext;
  readonly promptFiles: PromptFiles;
  /** What was sent before the last prompts of the conversation, oldest first. */
  readonly earlierPrompts: () => Promise<readonly string[]>;
  readonly editor: ReplyActions;
  readonly texts: ChatTexts;
  readonly colours: ThemeColours;
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: Clock;
  /** What the page reports of its user, for the decision when a dialog may open. */
  readonly presence: (presence: ChatPresence | undefined) => void;
  readonly typed: () => void;
  /** Carries out an action that is not of this conversation alone; `target` is a question's or a message's id. */
  readonly act: (action: ActionId, target: string | undefined) => void;
}

/**
 * The page of one conversation, wherever it stands: hands it what it must draw and carries out what it asks for. Holds
 * nothing of its own that a reload would lose.
 */
export class ChatPanel extends DisposableBase {
  readonly place: PagePlace;
  readonly open: OpenConversation;
  readonly #options: ChatPanelOptions;
  readonly #disposed = this.own(new Emitter<void>());
  readonly #feed: ChatFeed;
  readonly #sender: PromptSender;
  readonly #help: PromptHelp;
  readonly #faults: PageFaults;
  readonly #watch: PageWatch;
  readonly #leave: PageLeave;
  /** Whether replies are shown as plain text, since the page hung on them. */
  #isPlain = false;
  #refreshAt = 0;
  #refreshTimer: Disposable | undefined;
  /** The mark of the record that the page keeps. */
  #record: string | undefined;

  readonly onDidDispose = this.#disposed.event;

  constructor(options: ChatPanelOptions) {
    super();
    const { place, open, extension, internName, context } = options;
    this.#options = options;
    this.#faults = new PageFaults(options.log);
    this.place = place;
    this.open = open;
    this.#record = keptOf(open).record;
    const { clock } = options;
    this.#leave = this.own(new PageLeave(clock));
    const pong = (): AnyMessage<HostMessages>['body'] => ({ at: 0, now: clock.now() });
    const load = () => place.load(pageHtml(place, extension, internName()));
    const probe = () => place.webview.postMessage({ type: 'pong', body: pong() });
    this.#watch = this.own(
      new PageWatch({ clock, probe, load, changed: (hangs) => this.#pageHangs(hangs) }),
    );
    this.#feed = this.own(
      new ChatFeed({
        conversation: open.conversation,
        panel: place,
        author: internName,
        status: () => this.#status(),
        surroundings: () => this.#surroundings(),
      }),
    );
    this.#help = new PromptHelp({
      ...options,
      post: (type, body) => this.postToPage(type, body),
    });
    this.#sender = new PromptSender({
      open,
      context,
      drafts: options.drafts,
      internName,
      compose: (text, where) => this.postToPage('compose', { text, where }),
    });
    this.own(
      open.conversation.onDidChange(({ state }) => {
        if (!state) return;
        this.#showTitle();
        this.#keepRecord();
      }),
    );
    this.own(context.onDidChange(() => this.refresh()));
    for (const setting of shownSettings)
      this.own(options.settings.onDidChange(setting, () => this.refresh()));
    this.own(options.colours.onDidChange((colours) => this.postToPage('codeColours', colours)));
    this.own(place.webview.onDidReceiveMessage((data: unknown) => this.#receive(data)));
    this.own(place.onDidChange(() => this.#viewStateChanged()));
    place.onDidDispose(() => {
      this.#disposed.fire();
      this.dispose();
    });
    load();
    if (place.visible) this.#watch.expect();
    this.#showTitle();
  }

  /** Shows the page again, where it stands. */
  reveal(): void {
    this.place.reveal();
    this.postToPage('focusComposer', {});
  }

  /** Done once the page has come up, or takes long to. */
  whenUp(): Promise<void> {
    return this.#watch.begun();
  }

  /** Sends a prompt as if it was typed into the composer. */
  submit(prompt: string): Promise<void> {
    return this.#sender.submit(prompt);
  }

  /** Has the page tell what it has not told yet, and nothing after that, so that another one may take its place. */
  async leave(): Promise<void> {
    if (!this.#feed.isInSight) return;
    this.#watch.setInSight(false);
    await this.#leave.wait(() => this.postToPage('leave', {}));
  }

  /** Sends what differs though the conversation did not change: a name, the account, an attachment. */
  refresh(): void {
    this.#feed.refresh();
    this.#showTitle();
  }

  /** Says something to the page; what is said before it is up is kept for it. */
  postToPage<K extends keyof HostMessages>(type: K, body: HostMessages[K]): void {
    this.#feed.postToPage(type, body);
  }

  override dispose(): void {
    this.#refreshTimer?.dispose();
    super.dispose();
  }

  #status(): StatusView {
    const { conversation, diskFailed, isDeleted } = this.open;
    const { internName, accountState, context, settings, clock } = this.#options;
    return statusView(conversation.state, {
      title: conversation.transcript.title,
      isForgotten: conversation.transcript.isForgotten,
      cost: conversation.transcript.cost,
      endedWell: conversation.transcript.lastReply?.state === 'done',
      internName: internName(),
      isTrusted: vscode.workspace.isTrusted,
      account: accountState(),
      attachments: context.attachments,
      narration: settings.narration,
      sendWith: settings.sendWith,
      fontSize: settings.fontSize,
      codeFeatures: settings.codeFeatures,
      diskFailed,
      isDeleted,
      isPlain: this.#isPlain,
      now: clock.now(),
    });
  }

  /** Refreshes the status when time changes it: a run that was left is over, or a question has probably expired. */
  #refreshWhenPassed(): void {
    const { state } = this.open.conversation;
    const { clock } = this.#options;
    const isLeft = state.phase.kind === 'idle' && state.leftAt !== null;
    const until = isLeft ? state.leftAt + noticeMs : (expectedExpiry(state) ?? 0);
    if (until === this.#refreshAt) return;
    this.#refreshAt = until;
    this.#refreshTimer?.dispose();
    if (until > clock.now())
      this.#refreshTimer = clock.setTimeout(() => this.refresh(), until - clock.now());
  }

  #surroundings(): ReturnType<ChatFeedOptions['surroundings']> {
    const { conversation } = this.open;
    const { drafts, clock } = this.#options;
    const { text, scroll } = drafts.get(conversation.id);
    return {
      now: clock.now(),
      strings: pageStrings(),
      view: { draft: text, scroll, isPlain: this.#isPlain },
      keep: keptOf(this.open),
    };
  }

  /** Kept while it hangs: where the tab or the window is closed meanwhile, the next page is not let into the same. */
  #pageHangs(pageHung: boolean): void {
    if (!this.#isPlain) this.#options.drafts.set(this.open.conversation.id, { pageHung });
  }

  #showFormatted(): void {
    this.#options.drafts.set(this.open.conversation.id, { pageHung: false });
    this.#isPlain = false;
    this.#feed.sendAll();
  }

  /** Has the page keep where the record is, once there is one. */
  #keepRecord(): void {
    const kept = keptOf(this.open);
    if (kept.record === this.#record) return;
    this.#record = kept.record;
    this.postToPage('keep', kept);
  }

  #showTitle(): void {
    this.#refreshWhenPassed();
    const { conversation } = this.open;
    const title = tabTitle(this.#options.internName(), conversation);
    this.place.setTitle(title, standingOf(conversation));
  }

  #viewStateChanged(): void {
    if (this.place.visible) {
      if (!this.#feed.isInSight) this.#watch.expect();
      return;
    }
    // A hidden page is gone: it says hello again when it is shown, and is told everything then.
    this.#feed.pageGone();
    this.#watch.setInSight(false);
    this.#options.presence(undefined);
  }

  #receive(data: unknown): void {
    const message = parsePageMessage(data);
    if (message === undefined) {
      this.#faults.unreadable();
      return;
    }
    dispatch<PageMessages>(this.#handlers, message);
    this.#watch.heard();
  }

  readonly #handlers: Handlers<PageMessages> = {
    hello: ({ have }) => this.#greet(have),
    send: ({ text }) => this.#run(this.#sender.submit(text)),
    stop: () => this.open.conversation.send({ type: 'stop' }),
    setMode: ({ mode }) => this.#run(this.#setMode(mode)),
    act: ({ action, target }) => this.#act(action, target),
    editQueued: ({ id, text }) => this.#sender.editQueued(id, text),
    removeQueued: ({ id }) => this.open.conversation.send({ type: 'remove-queued', id }),
    draft: ({ text }) => this.#sender.draft(text),
    scrolled: ({ place }) => this.#options.drafts.set(this.open.conversation.id, { scroll: place }),
    presence: ({ inSight, ...presence }) => {
      this.#watch.setInSight(inSight);
      this.#options.presence(presence);
    },
    typed: () => this.#options.typed(),
    history: ({ from, count }) => this.postToPage('history', this.#feed.history(from, count)),
    around: ({ message, count }) => this.postToPage('history', this.#feed.around(message, count)),
    find: ({ query, matchCase }) => {
      const { messages } = this.open.conversation.transcript;
      this.postToPage('found', { query, found: findInTranscript(messages, query, matchCase) });
    },
    copy: ({ text }) => this.#run(this.#options.editor.copyCode(text)),
    copyTable: ({ rows }) => this.#run(this.#options.editor.copy(csvOf(rows))),
    copyMessage: ({ id }) => this.#run(this.#copyMessage(id)),
    copyLink: ({ from }) => this.#run(copyText(linkTo(this.open.conversation, from))),
    openReply: ({ from }) => this.#run(this.#options.texts.showReply(this.open, from)),
    insertAtCursor: ({ code }) => this.#run(this.#options.editor.insertAtCursor(code)),
    newFile: ({ code, language }) => this.#run(this.#options.editor.newFile(code, language)),
    openDiff: ({ diff }) => this.#run(this.#options.editor.openDiff(diff)),
    applyDiff: ({ diff }) => this.#run(this.#options.editor.applyDiff(diff)),
    openLink: ({ href }) => this.#run(this.#options.editor.openLink(href)),
    locate: ({ paths }) => this.#run(this.#locate(paths)),
    complete: (asked) => this.#run(this.#help.complete(asked)),
    chooseCompletion: (chosen) => this.#run(this.#help.choose(chosen)),
    recall: () => this.#run(this.#help.recall()),
    pickAttachment: () => this.#run(this.#options.context.pick()),
    dropped: ({ uris }) => this.#run(this.#options.context.drop(uris)),
    removeAttachment: ({ id }) => this.#options.context.remove(id),
    ping: ({ at }) => this.postToPage('pong', { at, now: this.#options.clock.now() }),
    left: () => this.#leave.left(),
    failed: ({ message }) => this.#faults.failed(message),
  };

  #greet(have: number | null): void {
    if (have === null) this.#begin();
    this.#feed.greet(have);
    this.#run(this.#sendColours());
  }

  /** A page that has nothing yet: a new one. */
  #begin(): void {
    this.#watch.begin();
    this.#isPlain = this.#options.drafts.get(this.open.conversation.id).pageHung;
  }

  #act(action: ActionId, target: string | undefined): void {
    const { conversation } = this.open;
    switch (action) {
      case 'retry':
        this.#run(this.#sender.retry(target));
        return;
      case 'editLast':
        this.#sender.editLast();
        return;
      case 'sendNow':
      case 'sendQueue':
      case 'cancelQuestionAndSend':
      case 'giveUpAndSend':
        this.#run(this.#sender.release(action));
        return;
      case 'stop':
        conversation.send({ type: 'stop' });
        return;
      case 'switchToManual':
        conversation.send({ type: 'set-mode', mode: 'manual' });
        return;
      case 'showFormatted':
        this.#showFormatted();
        return;
      case 'askAgain':
        this.#sender.askAgain();
        return;
      case 'tellIntern':
        if (target !== undefined) this.#run(this.#sender.tellOfNobody(target));
        return;
      case 'answer':
      case 'chooseIntern':
      case 'limitCost':
      case 'newConversation':
      case 'openLog':
      case 'signIn':
        this.#options.act(action, target);
        return;
    }
  }

  async #setMode(mode: 'manual' | 'self-drive'): Promise<void> {
    // The page has shown the mode that was chosen.
    if (!(await this.#sender.setMode(mode))) this.#feed.repeatStatus();
  }

  async #copyMessage(id: string): Promise<void> {
    const message = this.open.conversation.transcript.messages.find((each) => each.id === id);
    if (message !== undefined) await this.#options.editor.copy(markdownOf(message));
  }

  async #sendColours(): Promise<void> {
    const colours = await this.#options.colours.get();
    if (Object.keys(colours).length > 0) this.postToPage('codeColours', colours);
  }

  async #locate(paths: readonly string[]): Promise<void> {
    this.postToPage('located', { paths, found: await this.#options.editor.locate(paths) });
  }

  #run(work: Promise<void>): void {
    work.catch((failure: unknown) =>
      this.#options.log.error('A request of the chat page failed', failure),
    );
  }
}
