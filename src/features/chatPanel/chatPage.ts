import * as vscode from 'vscode';
import { DisposableBase, Emitter } from '../../base/disposable.ts';
import type { ApprovalMode } from '../../base/approvalMode.ts';
import { Alarm } from '../../base/clock.ts';
import { DISCONNECT_NOTICE_MS, conversationStatus } from '../../conversation/machine/state.ts';
import type { PagePresence } from '../../conversation/questions/types.ts';
import {
  dispatch,
  parsePageMessage,
  type Handlers,
  type HostMessages,
  type PageMessages,
  type AnyMessage,
} from '../../protocol/messages.ts';
import { pageStrings } from '../../protocol/strings.ts';
import type { ActionId, StatusView } from '../../protocol/view.ts';
import { toCsv } from '../editor/csv.ts';
import type { PromptFiles } from '../context/promptFiles.ts';
import type { ReplyActions } from '../editor/editorActions.ts';
import type { CommandId } from '../../platform/commands/ids.ts';
import { copyToClipboard } from '../../platform/dialogs/statusMessage.ts';
import { reportFailure } from '../../platform/text/reportFailure.ts';
import type { ThemeColors } from '../../platform/theme/themeColors.ts';
import { messageLink } from './commands/chatLinks.ts';
import type { ChatTexts } from './chatTexts.ts';
import type { OpenConversation } from '../conversations/conversations.ts';
import type { Drafts } from '../conversations/drafts.ts';
import { ChatFeed, type ChatFeedOptions } from './feed.ts';
import { findInTranscript } from '../conversations/searchConversations.ts';
import { messageToMarkdown } from '../conversations/exportConversation.ts';
import { pageHtml } from './page/pageHtml.ts';
import { savedChatOf } from './surfaces/savedChats.ts';
import { titleOf, type Surface } from './surfaces/surface.ts';
import { PageLife } from './page/pageLife.ts';
import { statusView, type StatusContext } from './present/statusView.ts';
import { PromptSender, type PromptSenderOptions } from './prompts/promptSender.ts';
import type { PlatformServices } from '../../platform/services.ts';

/** The services that all pages of a window share. */
export interface ChatPageServices extends Pick<PlatformServices, 'clock' | 'log' | 'settings'> {
  readonly extension: vscode.Uri;
  readonly drafts: Drafts;
  readonly promptFiles: PromptFiles;
  readonly editor: ReplyActions;
  readonly chatTexts: ChatTexts;
}

export interface ChatPageOptions
  extends ChatPageServices, Omit<PromptSenderOptions, 'post' | 'settings'> {
  readonly surface: Surface;
  readonly accountState: () => StatusContext['account'];
  readonly colors: ThemeColors;
  /** Called when the page reports its focus; undefined if it is gone. Decides when a dialog may open. */
  readonly presence: (presence: PagePresence | undefined) => void;
  readonly typed: () => void;
  /** Called when {@link ChatPage.isEndVisible} may have changed. */
  readonly visibilityChanged: () => void;
  /** Opens a new conversation with the same intern and account. */
  readonly startNewConversation: () => void;
}

/** The host's side of the page of one conversation on any surface. Holds no state that a reload would lose. */
export class ChatPage extends DisposableBase {
  readonly surface: Surface;
  readonly open: OpenConversation;
  readonly #options: ChatPageOptions;
  readonly #disposed = this.own(new Emitter<void>());
  readonly #feed: ChatFeed;
  readonly #sender: PromptSender;
  readonly #life: PageLife;
  /** True if replies are shown as plain text because the page hung on them. */
  #isPlain = false;
  readonly #refreshAlarm: Alarm;
  /** The mark of the record in the state that the page saves. */
  #record: string | undefined;

  readonly onDidDispose = this.#disposed.event;

  constructor(options: ChatPageOptions) {
    super();
    const { surface, open, extension, internName, context } = options;
    this.#options = options;
    this.surface = surface;
    this.open = open;
    this.#record = savedChatOf(open).record;
    const { clock } = options;
    this.#refreshAlarm = this.own(new Alarm(clock, () => this.refresh()));
    const load = () => surface.load(pageHtml(surface, extension, internName()));
    const post = (message: AnyMessage<HostMessages>) => surface.webview.postMessage(message);
    const probe = () => post({ type: 'pong', body: { at: 0, now: clock.now() } });
    const onDidChangeHanging = (hangs: boolean) => this.#handleHanging(hangs);
    const life = this.own(new PageLife({ ...options, load, probe, onDidChangeHanging }));
    this.#life = life;
    this.#feed = this.own(
      new ChatFeed({
        conversation: open.conversation,
        life,
        post,
        author: internName,
        status: () => this.#status(),
        snapshotRest: () => this.#snapshotRest(),
      }),
    );
    this.#sender = new PromptSender({
      ...options,
      post: (type, body) => this.postToPage(type, body),
    });
    this.own(open.conversation.onDidChange(({ state }) => state && this.#handleStateChange()));
    this.own(context.onDidChange(() => this.refresh()));
    this.own(options.settings.onDidChangePage(() => this.refresh()));
    this.own(options.colors.onDidChange((colors) => this.postToPage('codeColors', colors)));
    this.own(surface.webview.onDidReceiveMessage((data: unknown) => this.#handleMessage(data)));
    this.own(surface.onDidChange(() => this.#handleSurfaceChange()));
    surface.onDidDispose(() => {
      this.#disposed.fire();
      this.dispose();
    });
    load();
    this.#life.setShown(surface.visible);
    this.#showTitle();
  }

  /** True if the end of the conversation is visible in this window, which may not have the focus. */
  get isEndVisible(): boolean {
    const { scroll } = this.#options.drafts.get(this.open.conversation.id);
    return this.surface.visible && this.#life.isVisible && scroll === null;
  }

  /** Brings the page to the front, with the focus in the composer. */
  reveal(): void {
    this.surface.reveal();
    this.postToPage('focusComposer', {});
  }

  /** Resolves once the page is up, or takes too long. */
  whenUp(): Promise<void> {
    return this.#life.whenUp();
  }

  /** Sends a prompt as if the user had typed it. */
  submit(prompt: string): Promise<void> {
    return this.#sender.submit(prompt);
  }

  /** Resolves once the page has sent its last messages. Another page can then use its webview. */
  leave(): Promise<void> {
    return this.#life.leave(() => this.postToPage('leave', {}));
  }

  /** Sends the status and shows the title again, after a change outside the conversation. */
  refresh(): void {
    this.#feed.refresh();
    this.#showTitle();
  }

  /** Posts a message to the page, once it is up. */
  postToPage<K extends keyof HostMessages>(type: K, body: HostMessages[K]): void {
    this.#feed.postToPage(type, body);
  }

  #status(): StatusView {
    const { conversation, diskFailed, isDeleted } = this.open;
    const { internName, accountState, context, settings, clock } = this.#options;
    return statusView(conversation, {
      internName: internName(),
      attachments: context.attachments,
      settings: settings.page,
      diskFailed,
      isDeleted,
      account: accountState(),
      isTrusted: vscode.workspace.isTrusted,
      isPlain: this.#isPlain,
      now: clock.now(),
    });
  }

  /** Refreshes the status when time changes it: a run that was left is over, or a question has probably expired. */
  #refreshInTime(): void {
    const { state, deadline = 0 } = this.open.conversation;
    const isLeft = state.phase.kind === 'idle' && state.leftAt !== null;
    const until = isLeft ? state.leftAt + DISCONNECT_NOTICE_MS : deadline;
    this.#refreshAlarm.set(until > this.#options.clock.now() ? until : null);
  }

  #snapshotRest(): ReturnType<ChatFeedOptions['snapshotRest']> {
    const { conversation } = this.open;
    const { drafts, clock } = this.#options;
    const { text, scroll } = drafts.get(conversation.id);
    return {
      now: clock.now(),
      strings: pageStrings(vscode.l10n, vscode.env.language),
      view: { draft: text, scroll, isPlain: this.#isPlain },
      savedState: savedChatOf(this.open),
    };
  }

  /** Saves whether the page hangs. If it is closed while it does, the next page shows plain text. */
  #handleHanging(pageHung: boolean): void {
    if (!this.#isPlain) this.#options.drafts.set(this.open.conversation.id, { pageHung });
  }

  #showFormatted(): void {
    this.#options.drafts.set(this.open.conversation.id, { pageHung: false });
    this.#isPlain = false;
    this.#feed.sendSnapshot();
  }

  /** Updates the title, and has the page save where the record is, once there is one. */
  #handleStateChange(): void {
    this.#showTitle();
    const saved = savedChatOf(this.open);
    if (saved.record === this.#record) return;
    this.#record = saved.record;
    this.postToPage('saveState', saved);
  }

  #showTitle(): void {
    this.#refreshInTime();
    const { conversation } = this.open;
    const title = titleOf(this.#options.internName(), conversation);
    this.surface.setTitle(title, conversationStatus(conversation));
  }

  #handleSurfaceChange(): void {
    const { visible } = this.surface;
    this.#life.setShown(visible);
    if (!visible) this.#options.presence(undefined);
  }

  #handleMessage(data: unknown): void {
    const message = parsePageMessage(data);
    if (message === undefined) this.#life.logFault(undefined);
    else {
      void this.#perform(message);
      this.#life.handleMessage();
    }
  }

  async #perform(message: AnyMessage<PageMessages>): Promise<void> {
    try {
      await dispatch<PageMessages>(this.#handlers, message);
    } catch (failure) {
      const { log } = this.#options;
      reportFailure(log, 'A request of the chat page', failure, this.open.account.id);
    }
  }

  readonly #handlers: Handlers<PageMessages> = {
    ready: ({ lastSeq }) => this.#handleReady(lastSeq),
    send: ({ text, stopsRun }) => this.#sender.submit(text, stopsRun),
    stopAndSendQueued: ({ id }) => this.#sender.stopAndSendQueued(id),
    stop: () => this.#actions.stop(undefined),
    setMode: ({ mode }) => this.#setMode(mode),
    act: ({ action, target }) => this.#actions[action](target),
    editQueued: ({ id, text }) => this.#sender.editQueued(id, text),
    removeQueued: ({ id }) => this.open.conversation.send({ type: 'remove-queued', id }),
    draft: ({ text }) => this.#sender.saveDraft(text),
    scrolled: ({ position }) => {
      this.#options.drafts.set(this.open.conversation.id, { scroll: position });
      this.#options.visibilityChanged();
    },
    presence: ({ visible, ...presence }) => {
      this.#life.setVisible(visible);
      this.#options.presence(presence);
      this.#options.visibilityChanged();
    },
    typed: () => this.#options.typed(),
    history: ({ from, count }) => this.postToPage('history', this.#feed.messagesFrom(from, count)),
    around: ({ message, count }) =>
      this.postToPage('history', this.#feed.messagesAround(message, count)),
    find: ({ query, matchCase }) => {
      const { messages } = this.open.conversation.transcript;
      this.postToPage('found', { query, found: findInTranscript(messages, query, matchCase) });
    },
    copy: ({ text }) => this.#options.editor.copyCode(text),
    copyTable: ({ rows }) => this.#options.editor.copyToClipboard(toCsv(rows)),
    copyMessage: ({ id }) => this.#copyMessage(id),
    copyLink: ({ from }) => copyToClipboard(messageLink(this.open.conversation, from)),
    openReply: ({ from }) => this.#options.chatTexts.showReply(this.open, from),
    openHelp: ({ from }) => this.#options.chatTexts.showHelp(from),
    insertAtCursor: ({ code }) => this.#options.editor.insertAtCursor(code),
    newFile: ({ code, language }) => this.#options.editor.newFile(code, language),
    openDiff: ({ diff }) => this.#options.editor.openDiff(diff),
    applyDiff: ({ diff }) => this.#options.editor.applyDiff(diff),
    openLink: ({ href }) => this.#options.editor.openLink(href),
    locate: ({ paths }) => this.#locate(paths),
    complete: (asked) => this.#sender.complete(asked),
    chooseCompletion: (chosen) => this.#sender.chooseCompletion(chosen),
    recall: () => this.#sender.recall(),
    pickAttachment: () => this.#options.context.pickFiles(),
    dropped: ({ uris }) => this.#options.context.addDroppedFiles(uris),
    removeAttachment: ({ id }) => this.#options.context.remove(id),
    editAttachment: ({ id }) => this.#editAttachment(id),
    ping: ({ at }) => {
      this.#feed.updateDeadline();
      this.postToPage('pong', { at, now: this.#options.clock.now() });
    },
    left: () => this.#life.handleLeft(),
    failed: ({ message }) => this.#life.logFault(message),
  };

  #handleReady(lastSeq: number | null): Promise<void> {
    const isNew = lastSeq === null;
    this.#life.handleReady(isNew);
    if (isNew) this.#isPlain = this.#options.drafts.get(this.open.conversation.id).pageHung;
    this.#feed.synchronize(lastSeq);
    return this.#sendColors();
  }

  readonly #actions: Readonly<Record<ActionId, (target: string | undefined) => unknown>> = {
    retry: (target) => this.#sender.retry(target),
    editLast: () => this.#sender.editLast(),
    sendNow: () => this.#sender.sendWaiting('sendNow'),
    sendQueue: () => this.#sender.sendWaiting('sendQueue'),
    cancelQuestionAndSend: () => this.#sender.sendWaiting('cancelQuestionAndSend'),
    giveUpAndSend: () => this.#sender.sendWaiting('giveUpAndSend'),
    stop: () => this.open.conversation.send({ type: 'stop' }),
    switchToManual: () => this.open.conversation.send({ type: 'set-mode', mode: 'manual' }),
    showFormatted: () => this.#showFormatted(),
    askAgain: () => this.#sender.askAgain(),
    tellIntern: (target = '') => this.#sender.reportUnanswered(target),
    answer: (question) => {
      const { id, transcript } = this.open.conversation;
      this.#command('interns.answer', { intern: transcript.intern, conversation: id, question });
    },
    signIn: () => this.#command('interns.signIn', { account: this.open.account.id }),
    newConversation: () => this.#options.startNewConversation(),
    continueInNew: (message) =>
      this.#command('interns.continueInNew', { conversation: this.open.conversation.id, message }),
    limitCost: () => this.#command('interns.limitCost'),
    openLog: () => this.#command('interns.showLog'),
  };

  #command(id: CommandId, ...targets: readonly object[]): Thenable<unknown> {
    return vscode.commands.executeCommand(id, ...targets);
  }

  async #setMode(mode: ApprovalMode): Promise<void> {
    // The page already shows the chosen mode.
    if (!(await this.#sender.setMode(mode))) this.#feed.repeatStatus();
  }

  async #editAttachment(id: string): Promise<void> {
    if ((await this.#options.context.edit(id)) && !this.isDisposed) this.reveal();
  }

  async #copyMessage(id: string): Promise<void> {
    const message = this.open.conversation.transcript.messages.find((each) => each.id === id);
    if (message !== undefined)
      await this.#options.editor.copyToClipboard(messageToMarkdown(message));
  }

  async #sendColors(): Promise<void> {
    const colors = await this.#options.colors.get();
    if (Object.keys(colors).length > 0) this.postToPage('codeColors', colors);
  }

  async #locate(paths: readonly string[]): Promise<void> {
    this.postToPage('located', { paths, found: await this.#options.editor.locate(paths) });
  }
}
