import pLimit from 'p-limit';
import { l10n, workspace } from 'vscode';
import type { ApprovalMode } from '../../../base/approvalMode.ts';
import { checkPrompt, MAX_PROMPT_CHARACTERS, measureText } from '../../../api/index.ts';
import { attachedItems } from '../../../conversation/attachments.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import { mayBeRunning } from '../../../conversation/machine/failures.ts';
import type { Prompt, PromptMessage } from '../../../conversation/messages.ts';
import type { HostMessages } from '../../../protocol/messages.ts';
import type { PromptContext } from '../../context/promptContext.ts';
import { showStatusMessage, warn } from '../../../platform/dialogs/statusMessage.ts';
import { formatNumber } from '../../../platform/text/format.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import { automaticAnswerPrompt } from '../../questions/questionText.ts';
import type { ChatDraft } from '../../conversations/drafts.ts';
import type { ChatServices } from '../chatServices.ts';
import {
  type Consent,
  confirmCost,
  confirmNewSession,
  confirmRunTwice,
  chooseSelfDrive,
} from './sendingDialogs.ts';

export interface PromptSenderOptions extends Pick<
  ChatServices,
  'conversations' | 'drafts' | 'settings'
> {
  readonly open: OpenConversation;
  readonly context: PromptContext;
  readonly internName: () => string;
  readonly post: <K extends keyof HostMessages>(type: K, body: HostMessages[K]) => void;
}

/** The host's side of the composer. Asks what must be asked before a prompt is sent. */
export class PromptSender {
  readonly #options: PromptSenderOptions;
  readonly #conversation: Conversation;
  /** Sends one prompt after the other, since the first takes the attachments and the mode chosen before it. */
  readonly #inOrder = pLimit(1);
  /** How often the user canceled the choice of self-drive. A prompt that waited for that choice is not sent. */
  #canceledChoices = 0;

  constructor(options: PromptSenderOptions) {
    this.#options = options;
    this.#conversation = options.open.conversation;
  }

  /** Sends a prompt or queues it, after the user's consent if needed. Without consent, it returns to the composer. */
  submit(text: string, stopsRun = false): Promise<void> {
    // Read before the composer is emptied, which ends an edit.
    const edited = this.#draft.editing !== 'no';
    // The host may die while a dialog is open.
    this.#setDraft({ text, editing: 'no' });
    const canceled = this.#canceledChoices;
    return this.#inOrder(() => this.#send(text, edited, stopsRun, canceled));
  }

  async #send(text: string, edited: boolean, stopsRun: boolean, canceled: number): Promise<void> {
    const { context } = this.#options;
    await context.whenSettled();
    const prompt = context.compose(text);
    const isChosen = canceled === this.#canceledChoices;
    const isReady =
      isChosen && this.#isWithinLimit(prompt) && (!stopsRun || (await this.#mayStop()));
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
    if (edited) this.#conversation.record({ type: 'notice', notice: 'edited' });
    this.#conversation.send({ type, prompt, ...consent });
  }

  /** Stops the run, and sends a queued prompt before the others. */
  async stopAndSendQueued(id: string): Promise<void> {
    const consent = await this.#confirmCost();
    if (consent === undefined || !(await this.#mayStop()) || this.#options.open.isDeleted) return;
    this.#conversation.send({ type: 'stop-and-send', prompt: id, ...consent });
  }

  /** Sends the prompt of a run again, or the last one. Asks first if that run may still be active in self-drive. */
  async retry(run: string | undefined): Promise<void> {
    const prompt = this.#promptOf(run);
    const isIdle = (): boolean => this.#conversation.state.phase.kind === 'idle';
    const canRetry = (): boolean => !this.#options.open.isDeleted && isIdle();
    if (!isIdle()) showStatusMessage(l10n.t('A run is active. Retry when it ends.'));
    if (prompt === undefined || !canRetry()) return;
    const canceled = this.#canceledChoices;
    await this.#inOrder(async () => {
      if (!canRetry() || canceled !== this.#canceledChoices) return;
      const consent = await this.#maySend();
      if (consent === undefined || !(await this.#mayRunTwice(prompt.run)) || !canRetry()) return;
      const { text, sent, attachments, isByAgent } = prompt;
      const again = { text, sent, attachments, isByAgent };
      this.#conversation.send({ type: 'submit', prompt: again, ...consent });
    });
  }

  /** Reports an automatic answer to the intern in a prompt, only once. The draft stays. */
  async reportUnanswered(id: string): Promise<void> {
    const question = () => this.#conversation.transcript.question(id);
    if (question()?.isReportedToIntern !== false) return;
    const consent = await this.#maySend();
    const now = question();
    if (consent === undefined || now?.isReportedToIntern !== false) return;
    const text = automaticAnswerPrompt(now.question, now.answer?.how);
    const prompt = { text, sent: text, attachments: [] };
    this.#conversation.record({ type: 'told', question: id });
    this.#conversation.send({ type: 'submit', prompt, ...consent });
  }

  /** Puts a request to repeat the expired question into the composer. */
  askAgain(): void {
    const text = l10n.t('Your last question expired before I could answer. Please ask again.');
    this.#compose(text, 'append');
  }

  /** Sends waiting prompts. Asks about the cost limit, except for a prompt that was sent before and is repeated. */
  async sendWaiting(type: 'send-now' | 'cancel-and-send' | 'give-up-and-send'): Promise<void> {
    const { phase, queue } = this.#conversation.state;
    const isNew = queue.length > 0 && phase.kind !== 'backing-off';
    const consent = isNew ? await this.#confirmCost() : {};
    if (consent !== undefined && !this.#options.open.isDeleted)
      this.#conversation.send({ type, ...consent });
  }

  /** Puts a prompt into the composer, with its attachments. The next prompt is recorded as an edit of it. */
  edit(run: string | undefined): void {
    const prompt = this.#promptOf(run);
    if (prompt === undefined) return;
    // The draft is replaced first, since it counts towards the limit of the attachments.
    this.#setDraft({ text: prompt.text, editing: 'asked' });
    for (const item of attachedItems(prompt)) this.#options.context.add(item);
    this.#compose(prompt.text, 'replace');
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

  /** Sets the mode of the next prompt, which waits while the user is asked how long self-drive lasts. */
  async setMode(mode: ApprovalMode): Promise<void> {
    if (mode === 'manual') this.#conversation.send({ type: 'set-mode', mode });
    else if (workspace.isTrusted) await this.#inOrder(() => this.#chooseMode());
  }

  /** Returns the prompt of a run, else the last one. */
  #promptOf(run: string | undefined): PromptMessage | undefined {
    const { transcript } = this.#conversation;
    return (run === undefined ? undefined : transcript.prompt(run)) ?? transcript.lastPrompt;
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
  async #maySend(): Promise<Consent | undefined> {
    const { open } = this.#options;
    const consent = open.isDeleted ? undefined : await this.#confirmCost();
    const isConfirmed = consent !== undefined && (await this.#confirmMode());
    return isConfirmed && !open.isDeleted ? consent : undefined;
  }

  /** Returns whether to stop the run. Asks if it is the first of its session: the intern would not remember it. */
  async #mayStop(): Promise<boolean> {
    const { state, transcript } = this.#conversation;
    const { kind } = state.phase;
    const isStreaming = kind === 'requesting' || kind === 'elsewhere';
    if (!isStreaming || transcript.session !== null) return true;
    return confirmNewSession(this.#options.internName());
  }

  async #confirmCost(): Promise<Consent | undefined> {
    const { conversations, open } = this.#options;
    const { cost } = open.conversation.transcript;
    return confirmCost(cost, await conversations.costs.readToday(open.account));
  }

  /** Asks for consent to self-drive. @returns whether to continue */
  async #confirmMode(): Promise<boolean> {
    const conversation = this.#conversation;
    if (!workspace.isTrusted) conversation.send({ type: 'set-mode', mode: 'manual' });
    const { state, transcript } = conversation;
    return state.mode === 'manual' || transcript.consented || this.#chooseMode();
  }

  /** Asks for consent to self-drive, and sets the chosen mode. @returns false if the user cancels */
  async #chooseMode(): Promise<boolean> {
    const { internName, settings } = this.#options;
    const lasts = await chooseSelfDrive(internName(), settings.keepRuns === 'always');
    if (lasts === 'until-switched-off') this.#conversation.record({ type: 'consented' });
    if (lasts === undefined) this.#canceledChoices++;
    else if (lasts === 'manual') this.#conversation.send({ type: 'set-mode', mode: lasts });
    else this.#conversation.send({ type: 'set-mode', mode: 'self-drive', lasts });
    return lasts !== undefined;
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

  /** Returns whether a prompt is within the API's limit. Warns if it is not, or if it is only in code points. */
  #isWithinLimit({ sent }: Prompt): boolean {
    const problem = checkPrompt(sent);
    if (problem?.kind === 'too-long')
      warn(
        l10n.t(
          'The prompt and its attachments have {0} characters. The service accepts at most {1}.',
          formatNumber(problem.length),
          formatNumber(problem.max),
        ),
      );
    else if (measureText(sent, MAX_PROMPT_CHARACTERS).fit === 'tight')
      warn(l10n.t('The prompt may be too long for the service. Shorten it if it’s refused.'));
    return problem === null;
  }
}

/** Replaces the text of a prompt, and keeps its attachments. */
function withText({ text: before, sent, attachments }: Prompt, text: string): Prompt {
  const attached = sent.startsWith(before) ? sent.slice(before.length) : '';
  return { text, sent: text + attached, attachments };
}
