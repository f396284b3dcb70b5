import pLimit from 'p-limit';
import { l10n, window, workspace } from 'vscode';
import type { ApprovalMode } from '../../../base/approvalMode.ts';
import { checkPrompt, MAX_PROMPT_CHARACTERS, measureText } from '../../../api/index.ts';
import { attachedItems } from '../../../conversation/attachments.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import { mayBeRunning } from '../../../conversation/machine/failures.ts';
import type { Prompt, SelfDriveTerm } from '../../../conversation/machine/state.ts';
import type { HostMessages, PageMessages } from '../../../protocol/messages.ts';
import type { PromptContext } from '../../context/promptContext.ts';
import type { PromptFiles } from '../../context/promptFiles.ts';
import { formatNumber } from '../../../platform/text/format.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import { automaticAnswerPrompt } from '../../questions/questionText.ts';
import type { ChatDraft, Drafts } from '../../conversations/drafts.ts';
import { type CostSum, isCostLimitReached } from '../../../conversation/costs.ts';
import type { Settings } from '../../../platform/settings.ts';
import {
  confirmCost,
  confirmNewSession,
  confirmRunTwice,
  chooseSelfDrive,
} from './sendingDialogs.ts';

/** The actions that send waiting prompts, with their events. */
const RELEASE_EVENTS = {
  sendNow: 'send-now',
  sendQueue: 'send-now',
  cancelQuestionAndSend: 'cancel-and-send',
  giveUpAndSend: 'give-up-and-send',
} as const;

export interface PromptSenderOptions {
  readonly open: OpenConversation;
  readonly context: PromptContext;
  readonly drafts: Drafts;
  readonly settings: Pick<Settings, 'keepRuns'>;
  readonly promptFiles: PromptFiles;
  /** Returns today's cost of the account's conversations, and its limit. */
  readonly costToday: () => Promise<Pick<CostSum, 'spent' | 'limit'>>;
  /** Returns the prompts before the last ones of the conversation, oldest first. */
  readonly earlierPrompts: () => Promise<readonly string[]>;
  readonly internName: () => string;
  readonly post: <K extends keyof HostMessages>(type: K, body: HostMessages[K]) => void;
}

/** The host's side of the composer: completes files and prompts, and asks what must be asked before a prompt is sent. */
export class PromptSender {
  readonly #options: PromptSenderOptions;
  /** Sends one prompt after the other, since the first takes the attachments. */
  readonly #inOrder = pLimit(1);

  constructor(options: PromptSenderOptions) {
    this.#options = options;
  }

  async complete({ request, kind, query }: PageMessages['complete']): Promise<void> {
    const { context, promptFiles, post } = this.#options;
    const items = await (kind === 'file' ? context.complete(query) : promptFiles.find(query));
    post('completions', { request, items });
  }

  async chooseCompletion({ kind, id }: PageMessages['chooseCompletion']): Promise<void> {
    const { context, promptFiles } = this.#options;
    if (kind === 'file') return context.attachCompletion(id);
    const text = await promptFiles.compose(id);
    if (text !== undefined) this.#compose(text, 'completed');
  }

  async recall(): Promise<void> {
    const { earlierPrompts, post } = this.#options;
    post('recalled', { prompts: await earlierPrompts() });
  }

  /** Sends a prompt or queues it, after the user's consent where needed. Otherwise it goes back into the composer. */
  submit(text: string, stopsRun = false): Promise<void> {
    // Read at once, since the emptied composer ends an edit.
    const edited = this.#draft.editing !== 'no';
    // The host may die while a dialog is open.
    this.#setDraft({ text, editing: 'no' });
    return this.#inOrder(() => this.#send(text, edited, stopsRun));
  }

  async #send(text: string, edited: boolean, stopsRun: boolean): Promise<void> {
    const { context } = this.#options;
    await context.whenSettled();
    const prompt = context.compose(text);
    const isReady = this.#isWithinLimit(prompt) && (!stopsRun || (await this.#mayStop()));
    const consent = isReady ? await this.#maySend() : undefined;
    if (consent === undefined) {
      if (edited) this.#setDraft({ editing: 'asked' });
      // The user may have written something else since.
      const isLast = ['', text].includes(this.#draft.text);
      this.#compose(text, isLast ? 'replace' : 'append');
      return;
    }
    context.clear();
    if (this.#draft.text === text) this.#setDraft({ text: '' });
    const type = stopsRun ? 'stop-and-send' : 'submit';
    this.#conversation.send({ type, prompt, edited, ...consent });
  }

  /** Stops the run, and sends a queued prompt before the others. */
  async stopAndSendQueued(id: string): Promise<void> {
    const consent = await this.#confirmCost();
    if (consent === undefined || !(await this.#mayStop()) || this.#options.open.isDeleted) return;
    this.#conversation.send({ type: 'stop-and-send', prompt: id, ...consent });
  }

  /** Sends the prompt of a run again, or the last one. Asks first if that run may still be active in self-drive. */
  async retry(run: string | undefined): Promise<void> {
    const { transcript } = this.#conversation;
    const ofRun = run === undefined ? undefined : transcript.prompt(run);
    const prompt = ofRun ?? transcript.lastPrompt;
    const canRetry = (): boolean =>
      !this.#options.open.isDeleted && this.#conversation.state.phase.kind === 'idle';
    if (prompt === undefined || !canRetry()) return;
    const consent = await this.#maySend();
    if (consent === undefined || !(await this.#mayRunTwice(prompt.run)) || !canRetry()) return;
    const { text, sent, attachments, isByAgent } = prompt;
    const again = { text, sent, attachments, isByAgent };
    this.#conversation.send({ type: 'submit', prompt: again, ...consent });
  }

  /** Reports an automatic answer to the intern in a prompt, only once. The draft stays. */
  async reportUnanswered(id: string): Promise<void> {
    const question = () => this.#conversation.transcript.question(id);
    if (question()?.isReportedToIntern !== false) return;
    const consent = await this.#maySend();
    const now = question();
    if (consent === undefined || now?.isReportedToIntern !== false) return;
    const text = automaticAnswerPrompt(now.question, now.how);
    const prompt = { text, sent: text, attachments: [] };
    this.#conversation.record({ type: 'told', question: id });
    this.#conversation.send({ type: 'submit', prompt, ...consent });
  }

  /** Puts a request to repeat the expired question into the composer. */
  askAgain(): void {
    const text = l10n.t('Your last question expired before I could answer. Please ask again.');
    this.#compose(text, 'append');
  }

  /** Sends waiting prompts. Asks about the cost limit unless the prompt was sent before, and is retried. */
  async sendWaiting(action: keyof typeof RELEASE_EVENTS): Promise<void> {
    const { phase, queue } = this.#conversation.state;
    const isNew = queue.length > 0 && phase.kind !== 'backing-off';
    const consent = isNew ? await this.#confirmCost() : {};
    if (consent !== undefined && !this.#options.open.isDeleted)
      this.#conversation.send({ type: RELEASE_EVENTS[action], ...consent });
  }

  /** Puts the last prompt into the composer, with its attachments. The next prompt is recorded as an edit of it. */
  editLast(): void {
    const { lastPrompt } = this.#conversation.transcript;
    if (lastPrompt === undefined) return;
    // First replaces the draft, which counts towards the limit of the attachments.
    this.#setDraft({ text: lastPrompt.text, editing: 'asked' });
    for (const item of attachedItems(lastPrompt)) this.#options.context.add(item);
    this.#compose(lastPrompt.text, 'replace');
  }

  /** Saves the draft. An emptied composer ends an edit. */
  saveDraft(text: string): void {
    const { editing } = this.#draft;
    // An empty draft that arrives before the edited prompt is in the composer does not end the edit.
    const isEnded = text === '' && editing === 'seen';
    const isSeen = text !== '' && editing === 'asked';
    this.#setDraft({ text, editing: isEnded ? 'no' : isSeen ? 'seen' : editing });
  }

  /** Changes the text of a waiting prompt. If it is too long or was sent already, the text goes into the composer. */
  editQueued(id: string, text: string): void {
    const conversation = this.#conversation;
    const before = conversation.state.queue.find((each) => each.id === id);
    const prompt = before === undefined ? undefined : withText(before, text);
    if (prompt !== undefined && this.#isWithinLimit(prompt))
      conversation.send({ type: 'edit-queued', id, prompt });
    else this.#compose(text, 'append');
  }

  /** Sets the mode of the next prompt; asks how long for self-drive. @returns whether it is set */
  async setMode(mode: ApprovalMode): Promise<boolean> {
    if (mode === 'manual') {
      this.#conversation.send({ type: 'set-mode', mode });
      return true;
    }
    if (!workspace.isTrusted) return false;
    const chosen = await this.#chooseSelfDrive();
    if (chosen === undefined || chosen === 'manual') return false;
    this.#useSelfDrive(chosen);
    return true;
  }

  get #conversation(): Conversation {
    return this.#options.open.conversation;
  }

  get #draft(): ChatDraft {
    return this.#options.drafts.get(this.#conversation.id);
  }

  #setDraft(change: Partial<ChatDraft>): void {
    this.#options.drafts.set(this.#conversation.id, change);
  }

  #compose(text: string, where: HostMessages['compose']['where']): void {
    this.#options.post('compose', { text, where });
  }

  /** Asks for consent to the mode and the cost. @returns undefined if a prompt may not be sent */
  async #maySend(): Promise<{ readonly overrideCostLimit: boolean } | undefined> {
    const { open } = this.#options;
    const consent = open.isDeleted ? undefined : await this.#confirmCost();
    const isSettled = consent !== undefined && (await this.#confirmMode());
    return isSettled && !open.isDeleted ? consent : undefined;
  }

  /** Asks first if the intern would not remember the run, whose session ID comes at its end. */
  async #mayStop(): Promise<boolean> {
    const { state, transcript } = this.#conversation;
    const { kind } = state.phase;
    const isStreaming = kind === 'requesting' || kind === 'elsewhere';
    if (!isStreaming || transcript.session !== null) return true;
    return confirmNewSession(this.#options.internName());
  }

  /** Asks for consent if the cost limit of the conversation or of the day is reached. @returns undefined without it */
  async #confirmCost(): Promise<{ readonly overrideCostLimit: boolean } | undefined> {
    const { cost } = this.#conversation.transcript;
    const today = await this.#options.costToday();
    const overrideCostLimit = isCostLimitReached(cost) || isCostLimitReached(today);
    return (await confirmCost(cost, today)) ? { overrideCostLimit } : undefined;
  }

  /** Asks for consent to self-drive. @returns whether to continue */
  async #confirmMode(): Promise<boolean> {
    const conversation = this.#conversation;
    if (conversation.state.mode === 'manual') return true;
    if (!workspace.isTrusted) {
      conversation.send({ type: 'set-mode', mode: 'manual' });
      return true;
    }
    if (conversation.transcript.consented) return true;
    const chosen = await this.#chooseSelfDrive();
    if (chosen === 'manual') conversation.send({ type: 'set-mode', mode: 'manual' });
    else if (chosen !== undefined) this.#useSelfDrive(chosen);
    return chosen !== undefined;
  }

  #chooseSelfDrive(): ReturnType<typeof chooseSelfDrive> {
    const { internName, settings } = this.#options;
    return chooseSelfDrive(internName(), settings.keepRuns === 'always');
  }

  #useSelfDrive(lasts: SelfDriveTerm): void {
    const conversation = this.#conversation;
    if (lasts === 'until-switched-off') conversation.record({ type: 'consented' });
    conversation.send({ type: 'set-mode', mode: 'self-drive', lasts });
  }

  /** Returns whether a run may be started again. Asks if it may still be active and one of the two is in self-drive. */
  async #mayRunTwice(run: string): Promise<boolean> {
    const { transcript, state } = this.#conversation;
    const reply = transcript.reply(run);
    const failure = reply?.failure ?? null;
    if (reply === undefined || failure === null || !mayBeRunning(failure)) return true;
    if (reply.mode === 'manual' && state.mode === 'manual') return true;
    return confirmRunTwice(this.#options.internName());
  }

  /** Returns whether a prompt is within the API's limit. Warns if it is not, or only by one way to count. */
  #isWithinLimit({ sent }: Prompt): boolean {
    const problem = checkPrompt(sent);
    const tight = l10n.t('The prompt may be too long for the service. Shorten it if it’s refused.');
    if (problem === null && measureText(sent, MAX_PROMPT_CHARACTERS).fit === 'tight')
      void window.showWarningMessage(tight);
    if (problem?.kind === 'too-long')
      void window.showWarningMessage(
        l10n.t(
          'The prompt and its attachments have {0} characters. The service accepts at most {1}.',
          formatNumber(problem.length),
          formatNumber(problem.max),
        ),
      );
    return problem === null;
  }
}

/** Replaces the text of a prompt, and keeps its attachments. */
function withText({ text: before, sent, attachments }: Prompt, text: string): Prompt {
  const attached = sent.startsWith(before) ? sent.slice(before.length) : '';
  return { text, sent: text + attached, attachments };
}
