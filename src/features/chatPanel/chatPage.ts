import * as vscode from 'vscode';
import { DisposableBase } from '../../base/disposable.ts';
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
import type { PromptContext } from '../context/promptContext.ts';
import type { CommandId } from '../../platform/commands/ids.ts';
import { plainLine } from '../../platform/dialogs/plainText.ts';
import { copyToClipboard } from '../../platform/dialogs/statusMessage.ts';
import { reportFailure } from '../../platform/text/reportFailure.ts';
import type { ThemeColors } from '../../platform/theme/themeColors.ts';
import { messageLink } from './commands/chatLinks.ts';
import type { ChatServices } from './chatServices.ts';
import { accountName, type Account } from '../accounts/account.ts';
import type { OpenConversation } from '../conversations/conversations.ts';
import type { ChatDraft } from '../conversations/drafts.ts';
import { readEarlierPrompts } from '../conversations/earlierPrompts.ts';
import { ChatFeed, type ChatFeedOptions, type ConversationView } from './feed.ts';
import { findInTranscript } from '../conversations/searchConversations.ts';
import { messageToMarkdown } from '../conversations/exportConversation.ts';
import { pageHtml } from './page/pageHtml.ts';
import { type FoundChat, savedChatOf } from './surfaces/savedChats.ts';
import { titleOf, type Surface } from './surfaces/surface.ts';
import { PageLife } from './page/pageLife.ts';
import { statusView } from './present/statusView.ts';
import { PromptSender, type PromptSenderOptions } from './prompts/promptSender.ts';
import { limitCost } from './prompts/sendingDialogs.ts';

/** How long queued prompts may be edited, in ms: a page may die in the middle of an edit. */
const MAX_EDIT_MS = 3_600_000;

/** The owner of all pages, as a page and its surface see it. */
export interface PageOwner {
  readonly activePage: ChatPage | undefined;
  get(conversation: string): ChatPage | undefined;
  /** Creates the page of a conversation on a surface. */
  adopt(surface: Surface, open: OpenConversation): ChatPage;
  start(account: Account, intern: string): ChatPage;
  /** Opens the last used conversation that is in no tab and can be read, otherwise the account's latest. */
  openLatest(): Promise<FoundChat | undefined>;
  /** Records the page that the user went to. */
  markUsed(page: ChatPage): void;
  /** Removes a page that is being replaced on its surface. The page closes once it has sent its last messages. */
  retire(page: ChatPage): void;
  /** Returns whether a conversation is in a tab, even one that VS Code has not restored yet. */
  isInTab(conversation: string): boolean;
  /** Called when surfaces come, go, or become active, and when {@link ChatPage.isEndVisible} may have changed. */
  handleSurfaceChange(): void;
  /** Called when a page reports its focus; undefined if it is gone. Decides when a dialog may open. */
  updatePresence(page: ChatPage, presence: PagePresence | undefined): void;
}

export interface ChatPageOptions extends ChatServices {
  readonly surface: Surface;
  readonly open: OpenConversation;
  readonly pages: PageOwner;
  readonly colors: ThemeColors;
}

/** The host's side of the page of one conversation on any surface. Holds no state that a reload would lose. */
export class ChatPage extends DisposableBase {
  readonly surface: Surface;
  readonly open: OpenConversation;
  /** The message with the focus; null if none has it. */
  focusedMessage: string | null = null;
  readonly #options: ChatPageOptions;
  readonly #context: PromptContext;
  readonly #feed: ChatFeed;
  readonly #sender: PromptSender;
  readonly #life: PageLife;
  /** True if replies are shown as plain text because the page hung on them. */
  #isPlain = false;
  readonly #refreshAlarm: Alarm;
  readonly #editAlarm: Alarm;
  /** The hash of the record's path that the page has saved; undefined before there is a record. */
  #record: string | undefined;

  constructor(options: ChatPageOptions) {
    super();
    const { surface, open, extension, clock } = options;
    const { conversation } = open;
    this.#options = options;
    this.surface = surface;
    this.open = open;
    const context = options.contexts.for(conversation.id);
    this.#context = context;
    this.#record = savedChatOf(open).record;
    this.#refreshAlarm = this.own(new Alarm(clock, () => this.refresh()));
    this.#editAlarm = this.own(new Alarm(clock, () => this.#leaveEdits()));
    this.own({ dispose: () => this.#leaveEdits(false) });
    const internName = () => this.#internName;
    const load = () => surface.load(pageHtml(surface, extension, internName()));
    const post = (message: AnyMessage<HostMessages>) => surface.webview.postMessage(message);
    const probe = () => post({ type: 'pong', body: { at: 0, now: clock.now() } });
    // If the page is closed while it hangs, the next page shows plain text.
    const onDidChangeHanging = (pageHung: boolean) => {
      if (!this.#isPlain) this.#setDraft({ pageHung });
    };
    const life = this.own(new PageLife({ ...options, load, probe, onDidChangeHanging }));
    this.#life = life;
    const status = () => this.#status();
    const snapshot: ChatFeedOptions['snapshot'] = (seq, view) => this.#snapshot(seq, view);
    this.#feed = this.own(new ChatFeed({ conversation, life, post, internName, status, snapshot }));
    const postToPage: PromptSenderOptions['post'] = (type, body) => this.postToPage(type, body);
    this.#sender = new PromptSender({ ...options, context, internName, post: postToPage });
    this.own(
      conversation.onDidChange(({ stateChanged }) => stateChanged && this.#handleStateChange()),
    );
    this.own(context.onDidChange(() => this.refresh()));
    this.own(options.settings.onDidChangePage(() => this.refresh()));
    this.own(options.colors.onDidChange((colors) => this.postToPage('codeColors', colors)));
    this.own(surface.webview.onDidReceiveMessage((data: unknown) => this.#handleMessage(data)));
    this.own(surface.onDidChange(() => this.#handleSurfaceChange()));
    surface.onDidDispose(() => this.dispose());
    load();
    life.setShown(surface.visible);
    this.#showTitle();
  }

  /** True if the end of the conversation is visible in this window, which may not have the focus. */
  get isEndVisible(): boolean {
    return this.#life.isUp && this.#life.isVisible && this.#draft.scroll === null;
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

  get #internName(): string {
    const { account, conversation } = this.open;
    return plainLine(this.#options.interns.name(conversation.transcript.intern, account), 80);
  }

  #status(): StatusView {
    const { account, conversation, diskFailed, isDeleted } = this.open;
    const { accounts, settings, clock } = this.#options;
    const { active = account } = accounts;
    return statusView(conversation, {
      internName: this.#internName,
      attachments: this.#context.attachments,
      settings: settings.page,
      diskFailed,
      isDeleted,
      account: accounts.get(account.id)?.state ?? 'signed-out',
      otherAccount: active.id === account.id ? undefined : accountName(account.record),
      isTrusted: vscode.workspace.isTrusted,
      isPlain: this.#isPlain,
      now: clock.now(),
    });
  }

  /** Schedules a refresh for when time changes the status: a left run is over, or a question has probably expired. */
  #scheduleRefresh(): void {
    const { state, deadline = 0 } = this.open.conversation;
    const isLeft = state.phase.kind === 'idle' && state.leftAt !== null;
    const until = isLeft ? state.leftAt + DISCONNECT_NOTICE_MS : deadline;
    this.#refreshAlarm.set(until > this.#options.clock.now() ? until : null);
  }

  #snapshot(seq: number, view: ConversationView): HostMessages['snapshot'] {
    const { text, scroll } = this.#draft;
    return {
      seq,
      now: this.#options.clock.now(),
      strings: pageStrings(vscode.l10n, vscode.env.language),
      view: { ...view, draft: text, scroll, isPlain: this.#isPlain },
      savedState: savedChatOf(this.open),
    };
  }

  get #draft(): ChatDraft {
    return this.#options.drafts.get(this.open.conversation.id);
  }

  #setDraft(change: Partial<ChatDraft>): void {
    this.#options.drafts.set(this.open.conversation.id, change);
  }

  /** Updates the title. Once there is a record, has the page save the hash of its path. */
  #handleStateChange(): void {
    this.#showTitle();
    const saved = savedChatOf(this.open);
    if (saved.record === this.#record) return;
    this.#record = saved.record;
    this.postToPage('saveState', saved);
  }

  #showTitle(): void {
    this.#scheduleRefresh();
    const { conversation } = this.open;
    const title = titleOf(this.#internName, conversation);
    this.surface.setTitle(title, conversationStatus(conversation));
  }

  #handleSurfaceChange(): void {
    const { visible } = this.surface;
    this.#life.setShown(visible);
    if (visible) return;
    this.focusedMessage = null;
    this.#leaveEdits();
    this.#options.pages.updatePresence(this, undefined);
  }

  /** Sets which queued prompts are edited, for {@link MAX_EDIT_MS} at most. */
  #setEditing(ids: readonly string[]): void {
    const { conversation } = this.open;
    if (ids.length === 0 && conversation.state.editing.length === 0) return;
    this.#editAlarm.set(ids.length === 0 ? null : this.#options.clock.now() + MAX_EDIT_MS);
    conversation.send({ type: 'editing-queued', ids });
  }

  /** Ends edits that the user has not saved. The queue is held, so that no prompt is sent with its old text. */
  #leaveEdits(holdsDuringRun = true): void {
    const { conversation } = this.open;
    const { editing, phase } = conversation.state;
    if (editing.length > 0 && (holdsDuringRun || phase.kind === 'idle'))
      conversation.send({ type: 'hold-queue' });
    this.#setEditing([]);
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
      const { id } = this.open.account;
      reportFailure(this.#options.log, `The request ${message.type} of the page`, failure, id);
    }
  }

  readonly #handlers: Handlers<PageMessages> = {
    ready: ({ lastSeq }) => this.#handleReady(lastSeq),
    send: ({ text, stopsRun }) => this.#sender.submit(text, stopsRun),
    stopAndSendQueued: ({ id }) => this.#sender.stopAndSendQueued(id),
    setMode: ({ mode }) => this.#sender.setMode(mode),
    act: ({ action, target }) => this.#actions[action](target),
    editQueued: ({ id, text }) => this.#sender.editQueued(id, text),
    editingQueued: ({ ids }) => this.#setEditing(ids),
    removeQueued: ({ id }) => this.open.conversation.send({ type: 'remove-queued', id }),
    draft: ({ text }) => this.#sender.saveDraft(text),
    scrolled: ({ position }) => {
      this.#setDraft({ scroll: position });
      this.#options.pages.handleSurfaceChange();
    },
    presence: ({ visible, message, ...presence }) => {
      this.focusedMessage = message;
      this.#life.setVisible(visible, presence.typed);
      this.#options.pages.updatePresence(this, presence);
    },
    history: ({ from, count }) =>
      this.#feed.postIfUp('history', this.#feed.messagesFrom(from, count)),
    around: ({ message, count }) =>
      this.#feed.postIfUp('history', this.#feed.messagesAround(message, count)),
    find: ({ query, matchCase }) => {
      const { messages } = this.open.conversation.transcript;
      this.postToPage('found', { query, found: findInTranscript(messages, query, matchCase) });
    },
    copy: ({ text }) => this.#options.editor.copyCode(text),
    copyTable: ({ rows }) => vscode.env.clipboard.writeText(toCsv(rows)),
    copyMessage: ({ id }) => {
      const message = this.open.conversation.transcript.messages.find((each) => each.id === id);
      return message && vscode.env.clipboard.writeText(messageToMarkdown(message));
    },
    copyLink: ({ id }) => copyToClipboard(messageLink(this.open.conversation, id)),
    insertAtCursor: ({ code }) => this.#options.editor.insertAtCursor(code),
    newFile: ({ code, language }) => this.#options.editor.newFile(code, language),
    openDiff: ({ diff }) => this.#options.editor.openDiff(diff),
    applyDiff: ({ diff }) => this.#options.editor.applyDiff(diff),
    openLink: ({ href }) => this.#options.editor.openLink(href),
    locate: async ({ paths }) =>
      this.postToPage('located', { paths, found: await this.#options.editor.locate(paths) }),
    complete: async ({ request, kind, query }) => {
      const items = await this.#options.completions[kind].find(query);
      this.#feed.postIfUp('completions', { request, items });
    },
    chooseCompletion: async ({ kind, id }) => {
      const { completions } = this.#options;
      const file = kind === 'file' ? completions.file.get(id) : undefined;
      if (file !== undefined) await this.#context.addForPage([file.uri]);
      const text = kind === 'prompt' ? await completions.prompt.compose(id) : undefined;
      if (text !== undefined) this.postToPage('compose', { text, where: 'completed' });
    },
    recall: async () =>
      this.postToPage('recalled', {
        prompts: await readEarlierPrompts(this.#options.conversations, this.open),
      }),
    pickAttachment: () => this.#context.pickFiles(),
    dropped: ({ uris }) => this.#context.addDroppedFiles(uris),
    removeAttachment: ({ id }) => this.#context.remove(id),
    editAttachment: async ({ id }) => {
      if ((await this.#context.edit(id)) && !this.isDisposed) this.reveal();
    },
    ping: ({ at }) => {
      this.#feed.updateDeadline();
      this.postToPage('pong', { at, now: this.#options.clock.now() });
    },
    left: () => this.#life.handleLeft(),
    failed: ({ message }) => this.#life.logFault(message),
  };

  async #handleReady(lastSeq: number | null): Promise<void> {
    const isNew = lastSeq === null;
    this.#life.handleReady(isNew);
    if (isNew) this.#isPlain = this.#draft.pageHung;
    if (isNew) this.#leaveEdits();
    this.#feed.synchronize(lastSeq);
    const colors = await this.#options.colors.get();
    if (Object.keys(colors).length > 0) this.postToPage('codeColors', colors);
  }

  readonly #actions: Readonly<Record<ActionId, (target: string | undefined) => unknown>> = {
    retry: (target) => this.#sender.retry(target),
    editLast: (target) => this.#sender.edit(target),
    sendNow: () => this.#sender.sendWaiting('send-now'),
    sendQueue: () => this.#sender.sendWaiting('send-now'),
    cancelQuestionAndSend: () => this.#sender.sendWaiting('cancel-and-send'),
    giveUpAndSend: () => this.#sender.sendWaiting('give-up-and-send'),
    stop: () => this.open.conversation.send({ type: 'stop' }),
    showFormatted: () => {
      this.#setDraft({ pageHung: false });
      this.#isPlain = false;
      this.#feed.sendSnapshot();
    },
    askAgain: () => this.#sender.askAgain(),
    tellIntern: (target = '') => this.#sender.reportUnanswered(target),
    answer: (question) => {
      const { id, transcript } = this.open.conversation;
      this.#command('interns.answer', { intern: transcript.intern, conversation: id, question });
    },
    signIn: () => this.#command('interns.signIn', { account: this.open.account.id }),
    newConversation: () => {
      const { account, conversation } = this.open;
      this.#options.pages.start(account, conversation.transcript.intern);
    },
    continueInNew: (message) =>
      this.#command('interns.continueInNew', { conversation: this.open.conversation.id, message }),
    limitCost: () => limitCost(this.open, this.#options.dialogs),
    openLog: () => this.#command('interns.showLog'),
  };

  #command(id: CommandId, ...targets: readonly object[]): Thenable<unknown> {
    return vscode.commands.executeCommand(id, ...targets);
  }
}
