import * as vscode from 'vscode';
import { checkPrompt, MAX_PROMPT_CHARACTERS, measureText } from '../../api/index.ts';
import { attachedItems } from '../../chat/attachments.ts';
import type { Conversation } from '../../chat/conversation.ts';
import type { Prompt } from '../../chat/conversation/state.ts';
import type { PromptContext } from '../context/promptContext.ts';
import { formatNumber } from '../words/format.ts';
import type { OpenConversation } from './conversations.ts';
import type { Drafts } from './drafts.ts';
import { agreeToSelfDrive } from './selfDrive.ts';

export interface PromptingOptions {
  readonly open: OpenConversation;
  readonly context: PromptContext;
  readonly drafts: Drafts;
  readonly internName: () => string;
  /** Puts text back into the composer. */
  readonly compose: (text: string, where: 'replace' | 'append') => void;
}

/** What stands between the composer and the conversation: limits, what is attached, and the mode. */
export class Prompting {
  readonly #options: PromptingOptions;
  /** The next prompt is the last one edited: put into the composer, or seen there. */
  #editing: 'no' | 'asked' | 'seen' = 'no';

  constructor(options: PromptingOptions) {
    this.#options = options;
  }

  /**
   * Sends a prompt, or queues it. Asks first where the mode is self-drive and the user has not agreed to that here; a
   * prompt that is not sent goes back into the composer.
   */
  async submit(text: string): Promise<void> {
    const conversation = this.#conversation;
    const { context, drafts, compose } = this.#options;
    // Before anything is waited for: an emptied composer ends an edit.
    const edited = this.#editing !== 'no';
    this.#editing = 'no';
    // Kept until it is on its way: the host may die while its user is asked.
    drafts.set(conversation.id, { text });
    await context.settled();
    const prompt = context.compose(text);
    if (!this.#fits(prompt) || !(await this.#maySend())) {
      if (edited) this.#editing = 'asked';
      compose(text, 'replace');
      return;
    }
    context.clear();
    if (drafts.get(conversation.id).text === text) drafts.set(conversation.id, { text: '' });
    conversation.send(edited ? { type: 'resubmit', prompt, edited } : { type: 'submit', prompt });
  }

  /** Sends the prompt of a run, else the last one, once more as it went out. A second click does nothing. */
  async retry(run: string | undefined): Promise<void> {
    const { transcript } = this.#conversation;
    const ofRun = run === undefined ? undefined : transcript.prompt(run);
    const prompt = ofRun ?? transcript.lastPrompt;
    const isIdle = (): boolean => this.#conversation.state.phase.kind === 'idle';
    if (prompt === undefined || !isIdle() || !(await this.#maySend()) || !isIdle()) return;
    const { text, sent, attachments } = prompt;
    const again = { text, sent, attachments };
    this.#conversation.send({ type: 'resubmit', prompt: again, edited: false });
  }

  /** Sends a prompt that waited; one of another time, when the workspace may have been trusted still. */
  async release(how: 'send-now' | 'cancel-and-send'): Promise<void> {
    if (await this.#maySend()) this.#conversation.send({ type: how });
  }

  /** Puts the last prompt into the composer, with what was attached to it; the next one is recorded as its edited form. */
  editLast(): void {
    const { lastPrompt } = this.#conversation.transcript;
    if (lastPrompt === undefined) return;
    const { context, drafts, compose } = this.#options;
    this.#editing = 'asked';
    // The limit of a prompt counts the draft, which this one takes the place of.
    drafts.set(this.#conversation.id, { text: lastPrompt.text });
    for (const item of attachedItems(lastPrompt)) context.add(item);
    compose(lastPrompt.text, 'replace');
  }

  /** Takes note of the draft. An emptied composer ends an edit. */
  draft(text: string): void {
    // An empty draft that was told before the prompt came into the composer is of the prompt before.
    if (text !== '' && this.#editing === 'asked') this.#editing = 'seen';
    if (text === '' && this.#editing === 'seen') this.#editing = 'no';
    this.#options.drafts.set(this.#conversation.id, { text });
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
    else this.#options.compose(text, 'append');
  }

  /** Sets the mode of the next prompt. @returns whether it is set */
  async setMode(mode: 'manual' | 'self-drive'): Promise<boolean> {
    if (mode === 'self-drive' && !(await this.#agreed())) return false;
    this.#conversation.send({ type: 'set-mode', mode });
    return true;
  }

  get #conversation(): Conversation {
    return this.#options.open.conversation;
  }

  /** Whether a prompt may go out: not into a conversation that was deleted, nor in a mode that was not agreed to. */
  async #maySend(): Promise<boolean> {
    return (
      !this.#options.open.isDeleted && (await this.#settleMode()) && !this.#options.open.isDeleted
    );
  }

  /** Makes sure that a self-drive run is one that the user agreed to. @returns whether to go on */
  async #settleMode(): Promise<boolean> {
    const conversation = this.#conversation;
    const { internName } = this.#options;
    if (conversation.state.mode === 'manual') return true;
    if (!vscode.workspace.isTrusted) {
      conversation.send({ type: 'set-mode', mode: 'manual' });
      return true;
    }
    if (conversation.transcript.consented) return true;
    const chosen = await agreeToSelfDrive(internName());
    if (chosen === 'self-drive') conversation.record({ type: 'consented' });
    if (chosen === 'manual') conversation.send({ type: 'set-mode', mode: 'manual' });
    return chosen !== undefined;
  }

  /** Whether the user agrees to self-drive, now or earlier in this conversation. Never in an untrusted workspace. */
  async #agreed(): Promise<boolean> {
    const conversation = this.#conversation;
    const { internName } = this.#options;
    if (!vscode.workspace.isTrusted) return false;
    if (conversation.transcript.consented) return true;
    if ((await agreeToSelfDrive(internName())) !== 'self-drive') return false;
    conversation.record({ type: 'consented' });
    return true;
  }

  /** Whether a prompt is within the interface's limit; says so where it is not, or only by one way to count. */
  #fits({ sent }: Prompt): boolean {
    const problem = checkPrompt(sent);
    if (problem === null) {
      if (measureText(sent, MAX_PROMPT_CHARACTERS).fit === 'tight')
        void vscode.window.showWarningMessage(
          vscode.l10n.t(
            'The service may count some characters of the prompt twice, and refuse it as too long.',
          ),
        );
      return true;
    }
    if (problem.kind === 'too-long')
      void vscode.window.showWarningMessage(
        vscode.l10n.t(
          'The prompt has {0} characters with what is attached to it; the service takes at most {1}.',
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
