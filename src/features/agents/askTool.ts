import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import * as v from 'valibot';
import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { checkPrompt, countCharacters } from '../../api/index.ts';
import {
  beginningOf,
  plainLine,
  withoutDeceptive,
  visibleText,
} from '../../platform/dialogs/plainText.ts';
import type { Dialogs } from '../../platform/dialogs/dialogs.ts';
import type { ReadOnlyTexts } from '../../platform/dialogs/readOnlyTexts.ts';
import type { AgentTool } from '../../platform/startup.ts';
import { formatNumber } from '../../platform/words/format.ts';
import { lengthSentence } from '../../platform/words/limits.ts';
import { UserError } from '../../platform/words/report.ts';
import { type Account, accountName, type Accounts, activeAccount } from '../accounts/account.ts';
import type { InternRecord } from '../accounts/records.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { InternModel } from '../interns/internModel.ts';
import { runOnce } from './runOnce.ts';
import { nameOf } from '../interns/internState.ts';

const inputSchema = v.object({ intern: v.string(), prompt: v.string() });

/** The part of a prompt that its confirmation shows: the buttons of that dialog must stay visible. */
const SHOWN_OF_PROMPT = { lines: 20, characters: 2_000 } as const;

/** The number of confirmations that are remembered. A declined call is never made, so its confirmation stays. */
const MOST_AGREED = 50;

export interface AskToolPorts {
  readonly accounts: Accounts;
  readonly interns: Pick<InternModel, 'list'>;
  readonly conversations: Pick<Conversations, 'create' | 'onDidDeleteElsewhere'>;
  readonly clock: Pick<Clock, 'setTimeout'>;
  readonly dialogs: Pick<Dialogs, 'pick'>;
  readonly agentPrompts: Pick<ReadOnlyTexts, 'show' | 'wasReadToEnd' | 'forget'>;
}

/** A prompt of an agent, and the intern that it is meant for. */
interface Asked {
  readonly account: Account;
  readonly intern: InternRecord;
  readonly prompt: string;
}

/** A call that a user was asked to agree to. */
interface Agreed {
  /** The input of the call, which identifies it. */
  readonly key: string;
  readonly account: string;
  readonly intern: string;
}

/**
 * Lets an agent of the editor give an intern a task, and returns the text of the reply. The run is a conversation like
 * any other, but always in manual mode: the user answers its questions, never the agent.
 */
export class AskTool implements AgentTool {
  readonly #ports: AskToolPorts;
  /** Oldest first. Another account may be the active one by the time that a user agrees. */
  #agreed: readonly Agreed[] = [];
  /** A quick pick would close the one before it. */
  readonly #inTurn = pLimit(1);

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
   * @throws UserError if the run failed; CancellationError if it is not known what the user agreed to, or the user
   *   declines after all.
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
    const text = new vscode.LanguageModelTextPart(withoutDeceptive(reply));
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
    const prompt = withoutDeceptive(read.output.prompt);
    const problem = checkPrompt(prompt);
    if (problem !== null)
      throw new UserError(vscode.l10n.t('The prompt cannot be sent. {0}', lengthSentence(problem)));
    await accounts.whenLoaded;
    const account = accountFor(accounts, agreed);
    const wanted = agreed?.intern ?? read.output.intern;
    const intern = findIntern(await interns.list(account), wanted, accounts.all.length);
    return { account, intern, prompt };
  }

  /** Shows all of a prompt and asks once more. @throws CancellationError unless the user agrees */
  async #haveRead({ intern, prompt }: Asked, token: vscode.CancellationToken): Promise<void> {
    const { dialogs, agentPrompts } = this.#ports;
    const id = randomUUID();
    const name = nameForAgents(intern);
    const title = vscode.l10n.t('Prompt for {0}', name);
    const show = () => agentPrompts.show(id, title, visibleText(prompt));
    const closing = new AbortController();
    const cancellation = token.onCancellationRequested(() => closing.abort());
    if (token.isCancellationRequested) closing.abort();
    try {
      if (!closing.signal.aborted) await show();
      const result = await dialogs.pick<boolean>({
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
   * Returns the agreement for one call, and forgets it. VS Code does not say which preparation a call belongs to: if the
   * same input was meant for different interns, none is taken.
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

/** Describes the call. The prompt comes last, so that it cannot be mistaken for our words. */
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

/** The number of characters of an agent's input that an error repeats. */
const SHOWN = 80;

/** The name by which agents know an intern. */
export function nameForAgents(record: InternRecord): string {
  return plainLine(nameOf(record));
}

/**
 * Finds an intern by its ID, else by its name, else by its name in any case.
 *
 * @param accounts The number of accounts: an intern that is not in this list may be in that of another one.
 * @throws UserError if there is none, or more than one.
 */
function findIntern(
  records: readonly InternRecord[],
  wanted: string,
  accounts: number,
): InternRecord {
  const name = plainLine(wanted);
  const isNamed = (record: InternRecord): boolean => nameForAgents(record) === name;
  const isNamedAlike = (record: InternRecord): boolean =>
    nameForAgents(record).toLowerCase() === name.toLowerCase();
  const byId = records.filter(({ id }) => id === wanted.trim());
  const byName = records.filter(isNamed);
  const found = [byId, byName, records.filter(isNamedAlike)].find(({ length }) => length > 0) ?? [];
  const [only] = found;
  const shown = plainLine(wanted, SHOWN);
  if (only === undefined) {
    const missing = vscode.l10n.t(
      'There is no intern “{0}” in the list of the active account.',
      shown,
    );
    const others = vscode.l10n.t('If it belongs to another account, switch to that one first.');
    throw new UserError(accounts > 1 ? `${missing} ${others}` : missing);
  }
  if (found.length > 1)
    throw new UserError(
      vscode.l10n.t(
        '{0} interns are named “{1}”. Name one by its id.',
        formatNumber(found.length),
        shown,
      ),
    );
  return only;
}
