import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import * as vscode from 'vscode';
import { checkPrompt, countCharacters } from '../../api/index.ts';
import {
  beginningOf,
  plainLine,
  undeceptive,
  visibleText,
} from '../../platform/dialogs/plainText.ts';
import type { Prompts } from '../../platform/dialogs/prompts.ts';
import type { ReadOnlyTexts } from '../../platform/dialogs/readOnlyTexts.ts';
import type { AgentTool } from '../../platform/startup/forwardedTools.ts';
import { formatNumber } from '../../platform/words/format.ts';
import { lengthSentence } from '../../platform/words/limits.ts';
import { UserError } from '../../platform/words/report.ts';
import { activeAccount, type Account, type Accounts } from '../accounts/account.ts';
import { accountName } from '../accounts/accountWords.ts';
import type { InternRecord } from '../accounts/records.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { InternModel } from '../interns/internModel.ts';
import { findIntern, nameForAgents } from './findIntern.ts';
import { runOnce } from './runOnce.ts';

const inputSchema = v.object({ intern: v.string(), prompt: v.string() });

/** Most of the prompt that its confirmation shows: that is a dialog, whose buttons are to stay in sight. */
const SHOWN_OF_PROMPT = { lines: 20, characters: 2_000 } as const;

/** Most calls whose confirmation is remembered until they are made: one that its user declines never is. */
const MOST_AGREED = 50;

export interface AskToolPorts {
  readonly accounts: Accounts;
  readonly interns: Pick<InternModel, 'list'>;
  readonly conversations: Pick<Conversations, 'create' | 'onDidDeleteElsewhere'>;
  readonly clock: Pick<Clock, 'setTimeout'>;
  readonly prompts: Pick<Prompts, 'pick'>;
  readonly agentPrompts: Pick<ReadOnlyTexts, 'show' | 'wasReadToEnd' | 'forget'>;
}

/** What an agent asks for, once it is known whom it means. */
interface Asked {
  readonly account: Account;
  readonly intern: InternRecord;
  readonly prompt: string;
}

/** What a user was asked to agree to. */
interface Agreed {
  /** What the agent asked for, by which its call is known again. */
  readonly key: string;
  readonly account: string;
  readonly intern: string;
}

/**
 * Lets an agent of the editor give an intern a task, and gives it the text of the reply. The run is a conversation like
 * any other, in manual whatever the mode of new conversations is: its user answers its questions, never the agent.
 */
export class AskTool implements AgentTool {
  readonly #ports: AskToolPorts;
  /** Oldest first. Another account may be the active one by the time that a user agrees. */
  #agreed: readonly Agreed[] = [];
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(ports: AskToolPorts) {
    this.#ports = ports;
  }

  /** Names intern, account and mode for the user's consent. @throws UserError where nobody could be asked. */
  async prepareInvocation({
    input,
  }: Pick<
    vscode.LanguageModelToolInvocationPrepareOptions<unknown>,
    'input'
  >): Promise<vscode.PreparedToolInvocation> {
    const asked = await this.#read(input);
    this.#remember(input, asked);
    return {
      invocationMessage: new vscode.MarkdownString().appendText(
        vscode.l10n.t('Asking {0}', nameForAgents(asked.intern)),
      ),
      confirmationMessages: {
        title: vscode.l10n.t('Ask an intern?'),
        message: confirmation(asked),
      },
    };
  }

  /**
   * Runs the prompt to its end. If the confirmation showed only its beginning, the user first reads the rest.
   *
   * @throws UserError where that was not a good one; CancellationError where it is not known what its user agreed to, or
   *   the user does not agree after all.
   */
  async invoke(
    { input }: Pick<vscode.LanguageModelToolInvocationOptions<unknown>, 'input'>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const agreed = this.#takeAgreed(input);
    const asked = await this.#read(input, agreed);
    if (isCut(asked.prompt)) await this.#inTurn(() => this.#haveRead(asked, token));
    // Much may have changed while the user was reading.
    const { account, intern, prompt } = await this.#read(input, agreed);
    if (token.isCancellationRequested) throw new vscode.CancellationError();
    const { conversations } = this.#ports;
    const open = conversations.create(account, intern.id, undefined, 'manual');
    open.conversation.record({ type: 'notice', notice: 'by-agent' });
    const reply = await runOnce(open, prompt, token, this.#ports);
    const text = new vscode.LanguageModelTextPart(undeceptive(reply));
    return new vscode.LanguageModelToolResult([text]);
  }

  async #read(input: unknown, agreed?: Agreed): Promise<Asked> {
    const { accounts, interns } = this.#ports;
    if (!vscode.workspace.isTrusted)
      throw new UserError(
        vscode.l10n.t(
          'In Restricted Mode only you can write to an intern: what an agent asks may come from a workspace that is not trusted.',
        ),
      );
    const read = v.safeParse(inputSchema, input);
    if (!read.success)
      throw new UserError(vscode.l10n.t('Name an intern, and write a prompt for it.'));
    // What the user is shown is what is sent.
    const prompt = undeceptive(read.output.prompt);
    const problem = checkPrompt(prompt);
    if (problem !== null)
      throw new UserError(vscode.l10n.t('The prompt cannot be sent. {0}', lengthSentence(problem)));
    await accounts.whenLoaded;
    const account = accountFor(accounts, agreed);
    const wanted = agreed?.intern ?? read.output.intern;
    const intern = findIntern(await interns.list(account), wanted, accounts.all.length);
    return { account, intern, prompt };
  }

  /** One after the other: a quick pick would close the one before it. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  /** Shows all of a prompt and asks once more. @throws CancellationError unless the user agrees */
  async #haveRead({ intern, prompt }: Asked, token: vscode.CancellationToken): Promise<void> {
    const { prompts, agentPrompts } = this.#ports;
    const id = randomUUID();
    const name = nameForAgents(intern);
    const title = vscode.l10n.t('Prompt for {0}', name);
    const show = () => agentPrompts.show(id, title, visibleText(prompt));
    const closing = new AbortController();
    const cancellation = token.onCancellationRequested(() => closing.abort());
    if (token.isCancellationRequested) closing.abort();
    try {
      if (!closing.signal.aborted) await show();
      const result = await prompts.pick<boolean>({
        title: vscode.l10n.t(
          'Send all {0} characters to {1}?',
          formatNumber(countCharacters(prompt)),
          name,
        ),
        placeholder: vscode.l10n.t('Read the prompt in the editor. Nothing has been sent.'),
        rows: [
          { label: vscode.l10n.t('Send'), value: true },
          { label: vscode.l10n.t("Don't Send"), value: false },
        ],
        guard: true,
        signal: closing.signal,
        submit: async (isSending) => {
          if (!isSending || agentPrompts.wasReadToEnd(id)) return undefined;
          await show();
          return { message: vscode.l10n.t('Scroll to the end of the prompt first.') };
        },
      });
      if (result.kind !== 'value' || !result.value) throw new vscode.CancellationError();
    } finally {
      cancellation.dispose();
      await agentPrompts.forget(id);
    }
  }

  #remember(input: unknown, { account, intern }: Asked): void {
    const agreed = { key: keyOf(input), account: account.id, intern: intern.id };
    this.#agreed = [...this.#agreed, agreed].slice(-MOST_AGREED);
  }

  /**
   * Each agreement is for one call. VS Code prepares every call, also one that it confirms by itself, but does not say
   * which preparation one belongs to: where the same words were meant for different interns, none is taken.
   */
  #takeAgreed(input: unknown): Agreed {
    const key = keyOf(input);
    const [first, ...others] = this.#agreed.filter((each) => each.key === key);
    const isClear = others.every(
      ({ account, intern }) => account === first?.account && intern === first.intern,
    );
    this.#agreed = this.#agreed.filter((each) => (isClear ? each !== first : each.key !== key));
    if (first === undefined || !isClear) throw new vscode.CancellationError();
    return first;
  }
}

function accountFor(accounts: Accounts, agreed: Agreed | undefined): Account {
  if (agreed === undefined) return activeAccount(accounts);
  const account = accounts.get(agreed.account);
  if (account !== undefined) return account;
  throw new UserError(vscode.l10n.t('The account that you agreed to was signed out.'));
}

function keyOf(input: unknown): string {
  return JSON.stringify(input);
}

/** Returns whether a prompt is longer than its confirmation shows. */
function isCut(prompt: string): boolean {
  return beginningOf(prompt, SHOWN_OF_PROMPT) !== prompt;
}

/** What is about to be done. The prompt comes last, so that nothing of ours can be taken for a part of it. */
function confirmation({ account, intern, prompt }: Asked): vscode.MarkdownString {
  const name = nameForAgents(intern);
  const id = plainLine(intern.id, 80);
  const length = countCharacters(prompt);
  const shown = beginningOf(prompt, SHOWN_OF_PROMPT);
  const lines = [
    name === id ? vscode.l10n.t('Intern: {0}', id) : vscode.l10n.t('Intern: {0} ({1})', name, id),
    vscode.l10n.t('Account: {0}', accountName(account.record)),
    vscode.l10n.t(
      'Approval mode: Manual. The intern asks where an operation needs approval. You answer, not the agent.',
    ),
    isCut(prompt)
      ? vscode.l10n.t(
          'Prompt, of which the first {0} of {1} characters are shown:',
          formatNumber(countCharacters(shown)),
          formatNumber(length),
        )
      : vscode.l10n.t('Prompt:'),
  ];
  if (isCut(prompt))
    lines.splice(
      -1,
      0,
      vscode.l10n.t('All of the prompt opens before it is sent. You are asked again then.'),
    );
  const message = new vscode.MarkdownString();
  for (const line of lines) message.appendText(line).appendMarkdown('\n\n');
  return message.appendCodeblock(visibleText(shown), 'text');
}
