import * as vscode from 'vscode';
import { composePrompt, type ContextItem } from '../../../src/conversation/attachments.ts';
import type { ChatDraft, Drafts } from '../../../src/features/conversations/drafts.ts';
import {
  PromptSender,
  type PromptSenderOptions,
} from '../../../src/features/chatPanel/prompts/promptSender.ts';
import type { PromptContext } from '../../../src/features/context/promptContext.ts';
import { Stage } from '../conversation/conversationStage.ts';

/** Selects these buttons, one in each dialog, in a trusted workspace. Returns the dialogs. */
export function selecting(...choices: readonly (string | undefined)[]) {
  const asked: { text: string; detail: string; buttons: readonly string[] }[] = [];
  const showWarningMessage = (
    text: string,
    { detail }: vscode.MessageOptions = {},
    ...buttons: string[]
  ) => Promise.resolve(choices[asked.push({ text, detail: detail ?? '', buttons }) - 1]);
  Object.assign(vscode.workspace, { isTrusted: true });
  Object.assign(vscode.window, { showWarningMessage });
  return asked;
}

/** A conversation with its composer. */
export class SenderFixture {
  readonly stage = Object.assign(new Stage(), { isSoleWindow: true });
  readonly attached: ContextItem[] = [];
  /** The texts that the composer got, and how it took the last one. */
  readonly composed: string[] = [];
  composedWhere: string | undefined;
  readonly draft = { text: '', editing: 'no' } as ChatDraft;
  readonly open = { conversation: this.stage.conversation, isDeleted: false };
  readonly context: Partial<PromptContext> = {
    add: (added) => void this.attached.push(added),
    clear: () => this.attached.splice(0),
    compose: (text) => composePrompt(text, this.attached),
    whenSettled: () => Promise.resolve(),
  };
  today: { readonly spent: number; readonly limit: number | null } = { spent: 0, limit: null };
  readonly sender = this.openPage();

  /** Opens the next page of the conversation. */
  openPage(): PromptSender {
    const drafts: Pick<Drafts, 'get' | 'set'> = {
      get: () => this.draft,
      set: (_conversation, change) => void Object.assign(this.draft, change),
    };
    const post: PromptSenderOptions['post'] = (_type, body) => {
      if ('text' in body) this.composed.push(body.text);
      if ('where' in body) this.composedWhere = body.where;
    };
    return new PromptSender({
      open: this.open,
      context: this.context,
      drafts,
      settings: { keepRuns: 'always' },
      conversations: { costs: { readToday: () => Promise.resolve(this.today) } },
      internName: () => 'ada',
      post,
    } as unknown as PromptSenderOptions);
  }

  /** Sends a prompt. Its run ends at once. */
  readonly run = async (text: string): Promise<void> => {
    await this.sender.submit(text);
    await this.stage.finish();
  };

  /** The last prompt to the service. */
  get lastSent(): string {
    const { chat } = this.stage.last;
    return chat.kind === 'prompt' ? chat.text : '';
  }

  /** The number of requests to the service. */
  readonly requests = (): number => this.stage.exchanges.length;

  /** The number of prompts that were recorded as edits. */
  get edits(): number {
    const { messages } = this.stage.conversation.transcript;
    return messages.filter((each) => each.kind === 'notice' && each.notice === 'edited').length;
  }
}
