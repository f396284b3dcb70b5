import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import * as v from 'valibot';
import {
  CancellationError,
  type CancellationToken,
  l10n,
  LanguageModelTextPart,
  LanguageModelToolResult,
  MarkdownString,
  workspace,
} from 'vscode';
import { Alarm, type Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { INTERACTION_DEADLINE_MS } from '../../base/limits.ts';
import { checkPrompt, countCharacters } from '../../api/index.ts';
import { isCostLimitReached } from '../../conversation/costs.ts';
import { failureDetails } from '../../conversation/machine/failures.ts';
import { DISCONNECT_NOTICE_MS } from '../../conversation/machine/state.ts';
import type { ReplyMessage } from '../../conversation/messages.ts';
import {
  beginningOf,
  plainLine,
  withoutDeceptive,
  visibleText,
} from '../../platform/dialogs/plainText.ts';
import type { Dialogs } from '../../platform/dialogs/dialogs.ts';
import type { ReadOnlyTexts } from '../../platform/dialogs/readOnlyTexts.ts';
import type { AgentTool, FindTool } from '../../platform/startup.ts';
import { explainFailure } from '../../platform/text/failures.ts';
import { formatNumber, formatSentences } from '../../platform/text/format.ts';
import { lengthMessage } from '../../platform/text/limitMessages.ts';
import { explanationMessage, UserError } from '../../platform/text/reportFailure.ts';
import { type Account, accountName, type Accounts, activeAccount } from '../accounts/account.ts';
import type { InternRecord } from '../accounts/records.ts';
import { retryMessage } from '../chatPanel/present/messageView.ts';
import type { Conversations, OpenConversation } from '../conversations/conversations.ts';
import type { InternModel } from '../interns/internModel.ts';
import { nameOf } from '../interns/internState.ts';

const inputSchema = v.object({ intern: v.string(), prompt: v.string() });

/** How much of a prompt its confirmation shows, so that the dialog's buttons stay visible. */
const MAX_SHOWN_PROMPT = { lines: 20, characters: 2_000 } as const;

/** How long a run may wait for its user, in ms. After that the service has canceled the question. */
const MAX_WAIT_MS = INTERACTION_DEADLINE_MS + DISCONNECT_NOTICE_MS;

/** The number of confirmations to remember. Those of declined calls are never taken. */
const MAX_CONFIRMATIONS = 50;

interface AgentToolPorts {
  readonly accounts: Accounts;
  readonly interns: Pick<InternModel, 'list'>;
  readonly conversations: Pick<Conversations, 'create' | 'onDidChangeDeletion' | 'costs'>;
  readonly clock: Clock;
  readonly dialogs: Pick<Dialogs, 'pick'>;
  readonly agentPrompts: Pick<ReadOnlyTexts, 'show' | 'wasReadToEnd' | 'forget'>;
}

/** Creates the tools with which agents of the editor list interns and ask one. */
export function createAgentTools(ports: AgentToolPorts): FindTool {
  const tools: Readonly<Record<string, AgentTool>> = {
    interns_ask: new AskTool(ports),
    interns_list: listTool(ports),
  };
  return (name) => {
    const tool = tools[name];
    if (tool === undefined) throw new Error(`There is no tool ${name}`);
    return tool;
  };
}

/** Lists only the names and statuses of the active account's interns. */
function listTool({ accounts, interns }: AgentToolPorts): AgentTool {
  return {
    prepareInvocation: () => ({ invocationMessage: l10n.t('Listing interns') }),
    invoke: async () => {
      await accounts.whenLoaded;
      const records = await interns.list(activeAccount(accounts));
      const listed = records.map((record) => {
        // Not translated, because a model reads it.
        const unlisted = record.statusFrom === 'chat' ? 'not_running' : 'not_known';
        const lastSeen = record.status === null ? unlisted : plainLine(record.status, 40);
        return { name: nameForAgents(record), lastSeen };
      });
      const text = JSON.stringify(listed);
      return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
    },
  };
}

interface AskRequest {
  readonly account: Account;
  readonly intern: InternRecord;
  readonly prompt: string;
}

/** A call that the user was asked to confirm. */
interface ConfirmedAsk {
  /** The input of the call as JSON. */
  readonly key: string;
  readonly account: string;
  readonly intern: string;
}

/**
 * Sends an agent's prompt to an intern in a new conversation and returns the reply. The conversation is always in manual
 * mode, and the user answers its questions, never the agent.
 */
class AskTool implements AgentTool {
  readonly #ports: AgentToolPorts;
  /** Oldest first. The active account may change before the user confirms. */
  #confirmed: readonly ConfirmedAsk[] = [];
  /** Shows one quick pick at a time, because each closes the one before. */
  readonly #oneByOne = pLimit(1);

  constructor(ports: AgentToolPorts) {
    this.#ports = ports;
  }

  /** Describes the call for the user's confirmation. @throws UserError if it cannot be made */
  async prepareInvocation({ input }: { readonly input: unknown }) {
    const request = await this.#read(input);
    const { account, intern } = request;
    const confirmed = { key: JSON.stringify(input), account: account.id, intern: intern.id };
    this.#confirmed = [...this.#confirmed, confirmed].slice(-MAX_CONFIRMATIONS);
    return {
      invocationMessage: new MarkdownString().appendText(
        l10n.t('Asking {0}', nameForAgents(intern)),
      ),
      confirmationMessages: {
        title: l10n.t('Ask an intern?'),
        message: confirmation(request),
      },
    };
  }

  /**
   * Runs the prompt. If the confirmation showed only its beginning, the user first reads the rest.
   *
   * @throws UserError if the run failed; CancellationError if the user declines, or it is unclear what was confirmed
   */
  async invoke({ input }: { readonly input: unknown }, token: CancellationToken) {
    const confirmed = this.#takeConfirmed(input);
    const request = await this.#read(input, confirmed);
    if (isLong(request.prompt)) await this.#oneByOne(() => this.#confirmWhole(request, token));
    // Accounts and interns may have changed while the user was reading.
    const { account, intern, prompt } = await this.#read(input, confirmed);
    if (token.isCancellationRequested) throw new CancellationError();
    const { conversations } = this.#ports;
    const open = conversations.create(account, intern.id, undefined, 'manual');
    open.conversation.record({ type: 'notice', notice: 'by-agent' });
    const reply = await this.#run(open, prompt, token);
    const text = new LanguageModelTextPart(withoutDeceptive(reply));
    return new LanguageModelToolResult([text]);
  }

  async #read(input: unknown, confirmed?: ConfirmedAsk): Promise<AskRequest> {
    const { accounts, interns, conversations } = this.#ports;
    if (!workspace.isTrusted)
      throw new UserError(
        l10n.t('Agents can’t ask interns in Restricted Mode. To allow it, trust this workspace.'),
      );
    const read = v.safeParse(inputSchema, input);
    if (!read.success) throw new UserError(l10n.t('Name an intern and write a prompt for it.'));
    // The user sees exactly the text that is sent.
    const prompt = withoutDeceptive(read.output.prompt);
    const problem = checkPrompt(prompt);
    if (problem !== null)
      throw new UserError(l10n.t('Couldn’t send the prompt. {0}', lengthMessage(problem)));
    await accounts.whenLoaded;
    const account = confirmed ? accounts.get(confirmed.account) : activeAccount(accounts);
    if (account === undefined)
      throw new UserError(l10n.t('The account you confirmed was signed out.'));
    const wanted = confirmed?.intern ?? read.output.intern;
    const intern = findIntern(await interns.list(account), wanted, accounts.all.length);
    // The run of a new conversation would not start: its prompt would wait in a chat that is not open.
    if (isCostLimitReached(await conversations.costs.readToday(account)))
      throw new UserError(l10n.t('Today’s cost limit is reached.'));
    return { account, intern, prompt };
  }

  /** Shows the whole prompt and asks again. @throws CancellationError unless the user agrees */
  async #confirmWhole({ intern, prompt }: AskRequest, token: CancellationToken): Promise<void> {
    const { dialogs, agentPrompts } = this.#ports;
    const id = randomUUID();
    const name = nameForAgents(intern);
    const title = l10n.t('Prompt for {0}', name);
    const show = () => agentPrompts.show(id, title, visibleText(prompt));
    const closing = new AbortController();
    const cancellation = token.onCancellationRequested(() => closing.abort());
    if (token.isCancellationRequested) closing.abort();
    try {
      if (!closing.signal.aborted) await show();
      const result = await dialogs.pick<boolean>({
        title: l10n.t(
          'Send all {0} characters to {1}?',
          formatNumber(countCharacters(prompt)),
          name,
        ),
        placeholder: l10n.t('Read the prompt in the editor. Nothing has been sent yet.'),
        rows: [
          { label: l10n.t('Send'), value: true },
          { label: l10n.t('Don’t Send'), value: false },
        ],
        guard: true,
        signal: closing.signal,
        submit: async (isSending) => {
          if (!isSending || agentPrompts.wasReadToEnd(id)) return undefined;
          await show();
          return { message: l10n.t('Scroll to the end of the prompt first.') };
        },
      });
      if (result.kind !== 'value' || !result.value) throw new CancellationError();
    } finally {
      cancellation.dispose();
      await agentPrompts.forget(id);
    }
  }

  /**
   * Sends a prompt in a new conversation and returns the text of the reply. Stops the run if the call is canceled.
   *
   * @throws UserError if the run failed or a question expired; CancellationError after a cancellation
   */
  async #run(open: OpenConversation, text: string, token: CancellationToken): Promise<string> {
    const { conversations, clock } = this.#ports;
    const { conversation } = open;
    const waiting = new DisposableStore();
    const reply = await new Promise<ReplyMessage | undefined>((resolve) => {
      conversation.send({ type: 'submit', prompt: { text, sent: text, attachments: [] } });
      // The prompt is queued until this window owns the conversation, and its run has the same ID.
      const run = conversation.state.queue[0]?.id ?? '';
      const replied = () => conversation.transcript.reply(run);
      const timeout = waiting.add(new Alarm(clock, () => resolve(replied())));
      const check = (): void => {
        const current = replied();
        const { kind } = conversation.state.phase;
        if (current === undefined ? kind === 'idle' : current.endedAt !== null) resolve(current);
        else if (kind !== 'paused') timeout.set(null);
        else if (!timeout.isSet) timeout.set(clock.now() + MAX_WAIT_MS);
      };
      waiting.add(conversation.onDidChange(check));
      waiting.add(
        conversations.onDidChangeDeletion((deleted) => {
          if (deleted === open) resolve(undefined);
        }),
      );
      waiting.add(token.onCancellationRequested(() => conversation.send({ type: 'stop' })));
      check();
    }).finally(() => waiting.dispose());
    if (token.isCancellationRequested) throw new CancellationError();
    if (reply?.state !== 'done') throw new UserError(endingOf(reply));
    return reply.parts.flatMap((part) => (part.kind === 'text' ? part.text : [])).join('\n\n');
  }

  /**
   * Removes and returns the confirmation of a call. VS Code does not say which one belongs to a call.
   *
   * @throws CancellationError if there is none, or the same input was confirmed for different interns
   */
  #takeConfirmed(input: unknown): ConfirmedAsk {
    const key = JSON.stringify(input);
    const [first, ...others] = this.#confirmed.filter((each) => each.key === key);
    const isClear = others.every(
      ({ account, intern }) => account === first?.account && intern === first.intern,
    );
    this.#confirmed = this.#confirmed.filter((each) =>
      isClear ? each !== first : each.key !== key,
    );
    if (first === undefined || !isClear) throw new CancellationError();
    return first;
  }
}

function endingOf(reply: ReplyMessage | undefined): string {
  if (reply?.failure) {
    const explanation = explainFailure(failureDetails(reply.failure), reply.endedAt ?? reply.at);
    return formatSentences([explanationMessage(explanation), retryMessage(reply.failure)]);
  }
  if (reply?.state === 'waiting')
    return l10n.t('The intern’s question wasn’t answered. The run may be canceled.');
  if (reply?.state === 'cut') return l10n.t('The run was interrupted before it ended.');
  return l10n.t('The run was stopped before it ended.');
}

/** Returns whether a prompt is longer than its confirmation shows. */
function isLong(prompt: string): boolean {
  return beginningOf(prompt, MAX_SHOWN_PROMPT) !== prompt;
}

/** Describes the call. The prompt comes last, so that it cannot pass for our own text. */
function confirmation({ account, intern, prompt }: AskRequest): MarkdownString {
  const name = nameForAgents(intern);
  const id = plainLine(intern.id, 80);
  const shown = beginningOf(prompt, MAX_SHOWN_PROMPT);
  const lines = [
    name === id ? l10n.t('Intern: {0}', id) : l10n.t('Intern: {0} ({1})', name, id),
    l10n.t('Account: {0}', accountName(account.record)),
    l10n.t('Approval mode: Manual. The intern asks you, not the agent, to approve operations.'),
  ];
  if (shown === prompt) lines.push(l10n.t('Prompt:'));
  else
    lines.push(
      l10n.t('The full prompt opens before it’s sent, and you’re asked again.'),
      l10n.t(
        'Prompt (first {0} of {1} characters):',
        formatNumber(countCharacters(shown)),
        formatNumber(countCharacters(prompt)),
      ),
    );
  const message = new MarkdownString();
  for (const line of lines) message.appendText(line).appendMarkdown('\n\n');
  return message.appendCodeblock(visibleText(shown), 'text');
}

function nameForAgents(record: InternRecord): string {
  return plainLine(nameOf(record));
}

/**
 * Finds an intern by its ID, else by its name, else by its name without regard to upper and lower case.
 *
 * @param accounts the number of accounts; if there are several, the error suggests switching accounts
 * @throws UserError if none matches, or several do
 */
function findIntern(
  records: readonly InternRecord[],
  wanted: string,
  accounts: number,
): InternRecord {
  const name = plainLine(wanted);
  const matches = [
    records.filter(({ id }) => id === wanted.trim()),
    records.filter((record) => nameForAgents(record) === name),
    records.filter((record) => nameForAgents(record).toLowerCase() === name.toLowerCase()),
  ];
  const found = matches.find(({ length }) => length > 0) ?? [];
  const [only] = found;
  const shown = plainLine(wanted, 80);
  if (only === undefined) {
    const missing = l10n.t('The active account has no intern “{0}” in its list.', shown);
    const others = l10n.t('If it belongs to another account, switch to that one first.');
    throw new UserError(accounts > 1 ? `${missing} ${others}` : missing);
  }
  if (found.length > 1)
    throw new UserError(
      l10n.t('{0} interns are named “{1}”. Use an ID instead.', formatNumber(found.length), shown),
    );
  return only;
}
