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
import { formatNumber } from '../../../platform/words/format.ts';
import type { OpenConversation } from '../../conversations/conversations.ts';
import { nobodyPrompt } from '../../questions/words.ts';
import type { Draft, Drafts } from './drafts.ts';
import { isReached } from '../../../conversation/costs.ts';
import { agreeToCost, agreeToRunTwice, agreeToSelfDrive } from './sendingDialogs.ts';

/** The actions that send waiting prompts, with the event of each. */
const releases = {
  sendNow: 'send-now',
  sendQueue: 'send-now',
  cancelQuestionAndSend: 'cancel-and-send',
  giveUpAndSend: 'give-up-and-send',
} as const;

interface PromptSenderOptions {
  readonly open: OpenConversation;
  readonly context: PromptContext;
  readonly drafts: Drafts;
  readonly promptFiles: PromptFiles;
  /** Returns what was sent before the last prompts of the conversation, oldest first. */
  readonly earlierPrompts: () => Promise<readonly string[]>;
  readonly internName: () => string;
  readonly post: <K extends keyof HostMessages>(type: K, body: HostMessages[K]) => void;
}

/** The host's side of the composer: what it completes, and what stands between it and the conversation. */
export class PromptSender {
  readonly #options: PromptSenderOptions;
  /** Sends one prompt after the other: the first takes what is attached. */
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

  /**
   * Sends a prompt, or queues it. Asks first where the mode is self-drive and the user has not agreed to that here; a
   * prompt that is not sent goes back into the composer.
   */
  submit(text: string): Promise<void> {
    // Before anything is waited for: an emptied composer ends an edit.
    const edited = this.#draft.editing !== 'no';
    // Kept until it is on its way: the host may die while its user is asked.
    this.#setDraft({ text, editing: 'no' });
    return this.#inOrder(() => this.#send(text, edited));
  }

  async #send(text: string, edited: boolean): Promise<void> {
    const { context } = this.#options;
    await context.settled();
    const prompt = context.compose(text);
    const consent = this.#fits(prompt) ? await this.#maySend() : undefined;
    if (consent === undefined) {
      if (edited) this.#setDraft({ editing: 'asked' });
      this.#compose(text, 'replace');
      return;
    }
    context.clear();
    if (this.#draft.text === text) this.#setDraft({ text: '' });
    this.#conversation.send({
      ...(edited ? { type: 'resubmit', edited } : { type: 'submit' }),
      prompt,
      ...consent,
    });
  }

  /**
   * Sends the prompt of a run, else the last one, once more as it went out. Asks first where that run may be going on in
   * self-drive. A second click does nothing.
   */
  async retry(run: string | undefined): Promise<void> {
    const { transcript } = this.#conversation;
    const ofRun = run === undefined ? undefined : transcript.prompt(run);
    const prompt = ofRun ?? transcript.lastPrompt;
    const isIdle = (): boolean => this.#conversation.state.phase.kind === 'idle';
    if (prompt === undefined || !isIdle()) return;
    const consent = await this.#maySend();
    if (consent === undefined || !(await this.#mayRunTwice(prompt.run)) || !isIdle()) return;
    const { text, sent, attachments } = prompt;
    const again = { text, sent, attachments };
    if (prompt.isByAgent) this.#conversation.record({ type: 'notice', notice: 'by-agent' });
    this.#conversation.send({ type: 'resubmit', prompt: again, edited: false, ...consent });
  }

  /** Tells the intern that nobody had answered a question, by a prompt beside what is typed. Once: a second click does nothing. */
  async tellOfNobody(id: string): Promise<void> {
    const question = () => this.#conversation.transcript.question(id);
    if (question()?.isReportedToIntern !== false) return;
    const consent = await this.#maySend();
    const now = question();
    if (consent === undefined || now?.isReportedToIntern !== false) return;
    const text = nobodyPrompt(now.question, now.how);
    const prompt = { text, sent: text, attachments: [] };
    this.#conversation.record({ type: 'told', question: id });
    this.#conversation.send({ type: 'submit', prompt, ...consent });
  }

  /** Puts into the composer that a question ran out, for its user to send. */
  askAgain(): void {
    const text = l10n.t('Your last question ran out before I could answer. Please ask it again.');
    this.#compose(text, 'append');
  }

  /** Sends a prompt that waited, in the mode in which it was sent to wait. One that is tried again was sent before. */
  async release(action: keyof typeof releases): Promise<void> {
    const { phase, queue } = this.#conversation.state;
    const isNew = queue.length > 0 && phase.kind !== 'backing-off';
    const consent = isNew ? await this.#settleCost() : {};
    if (consent !== undefined && !this.#options.open.isDeleted)
      this.#conversation.send({ type: releases[action], ...consent });
  }

  /** Puts the last prompt into the composer, with what was attached to it; the next one is recorded as its edited form. */
  editLast(): void {
    const { lastPrompt } = this.#conversation.transcript;
    if (lastPrompt === undefined) return;
    // The limit of a prompt counts the draft, which this one takes the place of.
    this.#setDraft({ text: lastPrompt.text, editing: 'asked' });
    for (const item of attachedItems(lastPrompt)) this.#options.context.add(item);
    this.#compose(lastPrompt.text, 'replace');
  }

  /** Takes note of the draft. An emptied composer ends an edit. */
  draft(text: string): void {
    const { editing } = this.#draft;
    // An empty draft that was posted before the prompt came into the composer is of the prompt before.
    const isEnded = text === '' && editing === 'seen';
    const isSeen = text !== '' && editing === 'asked';
    this.#setDraft({ text, editing: isEnded ? 'no' : isSeen ? 'seen' : editing });
  }

  /**
   * Changes the text of a prompt that waits; what is attached to it stays. A text that is too long, or whose prompt was
   * sent meanwhile, goes into the composer.
   */
  editQueued(id: string, text: string): void {
    const conversation = this.#conversation;
    const before = conversation.state.queue.find((each) => each.id === id);
    const prompt = before === undefined ? undefined : withText(before, text);
    if (prompt !== undefined && this.#fits(prompt))
      conversation.send({ type: 'edit-queued', id, prompt });
    else this.#compose(text, 'append');
  }

  /** Sets the mode of the next prompt; asks for how long where that is self-drive. @returns whether it is set */
  async setMode(mode: ApprovalMode): Promise<boolean> {
    if (mode === 'manual') {
      this.#conversation.send({ type: 'set-mode', mode });
      return true;
    }
    if (!workspace.isTrusted) return false;
    const chosen = await agreeToSelfDrive(this.#options.internName());
    if (chosen === undefined || chosen === 'manual') return false;
    this.#useSelfDrive(chosen);
    return true;
  }

  get #conversation(): Conversation {
    return this.#options.open.conversation;
  }

  get #draft(): Draft {
    return this.#options.drafts.get(this.#conversation.id);
  }

  #setDraft(change: Partial<Draft>): void {
    this.#options.drafts.set(this.#conversation.id, change);
  }

  #compose(text: string, where: HostMessages['compose']['where']): void {
    this.#options.post('compose', { text, where });
  }

  /**
   * Asks what is to be asked before a prompt goes out. @returns undefined where it may not: into a conversation that was
   * deleted, in a mode that was not agreed to, past the limit of its cost
   */
  async #maySend(): Promise<{ readonly overrideCostLimit: boolean } | undefined> {
    const { open } = this.#options;
    const consent = open.isDeleted ? undefined : await this.#settleCost();
    const isSettled = consent !== undefined && (await this.#settleMode());
    return isSettled && !open.isDeleted ? consent : undefined;
  }

  /** Asks for its user's consent where the limit of the conversation's cost is reached. @returns undefined without it */
  async #settleCost(): Promise<{ readonly overrideCostLimit: boolean } | undefined> {
    const { cost } = this.#conversation.transcript;
    return (await agreeToCost(cost)) ? { overrideCostLimit: isReached(cost) } : undefined;
  }

  /** Makes sure that a self-drive run is one that the user agreed to. @returns whether to go on */
  async #settleMode(): Promise<boolean> {
    const conversation = this.#conversation;
    const { internName } = this.#options;
    if (conversation.state.mode === 'manual') return true;
    if (!workspace.isTrusted) {
      conversation.send({ type: 'set-mode', mode: 'manual' });
      return true;
    }
    // Chosen in a dialog; or the mode of new conversations, which is agreed to with the first prompt.
    if (conversation.transcript.consented) return true;
    const chosen = await agreeToSelfDrive(internName());
    if (chosen === 'manual') conversation.send({ type: 'set-mode', mode: 'manual' });
    else if (chosen !== undefined) this.#useSelfDrive(chosen);
    return chosen !== undefined;
  }

  #useSelfDrive(lasts: SelfDriveTerm): void {
    const conversation = this.#conversation;
    if (lasts === 'until-switched-off') conversation.record({ type: 'consented' });
    conversation.send({ type: 'set-mode', mode: 'self-drive', lasts });
  }

  /** Whether a run may be started once more: it goes on for all that is known, and two in self-drive ask nobody. */
  async #mayRunTwice(run: string): Promise<boolean> {
    const { transcript, state } = this.#conversation;
    const reply = transcript.reply(run);
    const failure = reply?.failure ?? null;
    if (reply === undefined || failure === null || !mayBeRunning(failure)) return true;
    if (reply.mode === 'manual' && state.mode === 'manual') return true;
    return agreeToRunTwice(this.#options.internName());
  }

  /** Whether a prompt is within the interface's limit; says so where it is not, or only by one way to count. */
  #fits({ sent }: Prompt): boolean {
    const problem = checkPrompt(sent);
    if (problem === null) {
      if (measureText(sent, MAX_PROMPT_CHARACTERS).fit === 'tight')
        void window.showWarningMessage(
          l10n.t(
            'The service may count some characters of the prompt twice, and refuse it as too long.',
          ),
        );
      return true;
    }
    if (problem.kind === 'too-long')
      void window.showWarningMessage(
        l10n.t(
          'With its attachments the prompt has {0} characters; the service takes at most {1}.',
          formatNumber(problem.length),
          formatNumber(problem.max),
        ),
      );
    return false;
  }
}

/** A prompt with another text, and what was attached to it. */
function withText({ text: before, sent, attachments }: Prompt, text: string): Prompt {
  const attached = sent.startsWith(before) ? sent.slice(before.length) : '';
  return { text, sent: text + attached, attachments };
}
