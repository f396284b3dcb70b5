import { l10n } from 'vscode';
import type { StoredFailure } from '../../../chat/journal.ts';
import type { Message, Part, ReplyMessage } from '../../../chat/transcript.ts';
import type {
  ActionId,
  FailureView,
  InternMessageView,
  MessageView,
  PartView,
} from '../../../protocol/view.ts';
import { actionView } from '../../words/actions.ts';
import { explainFailure } from '../../words/failures.ts';
import { formatDollars, formatNumber } from '../../words/format.ts';
import { questionView } from './questionView.ts';

/** What a message's view depends on beside the message. */
export interface MessageContext {
  /** The intern's name. */
  readonly author: string;
  /** The question whose turn it is; null where none is asked. */
  readonly askedQuestion: string | null;
  /** The prompt that may be edited and sent again; null while a run is under way. */
  readonly editablePrompt: string | null;
}

/** A message as the page draws it. */
export function messageView(message: Message, context: MessageContext): MessageView {
  switch (message.kind) {
    case 'prompt':
      return {
        kind: 'user',
        id: message.id,
        at: message.at,
        text: message.text,
        attachments: message.attachments.map(({ label, size }, index) => ({
          id: `${message.id}/${index}`,
          label,
          size,
        })),
        mode: message.mode,
        editable: message.id === context.editablePrompt,
      };
    case 'reply':
      return {
        ...shellView(message, context),
        parts: message.parts.map((part) => partView(part, context)),
      };
    case 'notice':
      return {
        kind: 'notice',
        id: message.id,
        at: message.at,
        text:
          message.notice === 'new-session'
            ? l10n.t('A new session starts here: the intern does not remember what was said above.')
            : l10n.t(
                'Edited and sent again: the intern’s session remembers the earlier prompt too.',
              ),
      };
  }
}

/** A reply without its parts. */
export function shellView(
  reply: ReplyMessage,
  { author }: MessageContext,
): Omit<InternMessageView, 'parts'> {
  const failure = failureOf(reply);
  return {
    kind: 'intern',
    id: reply.id,
    at: reply.at,
    author,
    state: reply.state,
    facts: factsOf(reply),
    ...(failure === undefined ? {} : { failure }),
  };
}

export function partView(part: Part, { askedQuestion }: MessageContext): PartView {
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: part.text };
    case 'reasoning':
      return {
        kind: 'reasoning',
        text: part.text,
        startedAt: part.startedAt,
        ...(part.endedAt === null ? {} : { endedAt: part.endedAt }),
      };
    case 'question':
      return { kind: 'question', question: questionView(part, part.id === askedQuestion) };
  }
}

/** Model, tokens and cost, each only where the service told it (interface: Usage object). */
function factsOf({ model, usage }: ReplyMessage): readonly string[] {
  const facts: string[] = [];
  if (model !== null) facts.push(model);
  if (usage === null) return facts;
  const { promptTokens, completionTokens, cachedTokens, cost } = usage;
  facts.push(
    cachedTokens === undefined
      ? l10n.t('{0} tokens in', formatNumber(promptTokens))
      : l10n.t(
          '{0} tokens in ({1} cached)',
          formatNumber(promptTokens),
          formatNumber(cachedTokens),
        ),
    l10n.t('{0} tokens out', formatNumber(completionTokens)),
  );
  if (cost !== undefined) facts.push(formatDollars(cost));
  return facts;
}

function failureOf(reply: ReplyMessage): FailureView | undefined {
  switch (reply.state) {
    case 'failed':
      return reply.failure === null ? undefined : explained(reply.failure);
    case 'cut':
      return {
        title: l10n.t('The editor went away while the intern was replying'),
        detail: l10n.t(
          'That cancels the run. What had arrived is above. Retry starts the work anew.',
        ),
        actions: [actionView('retry')],
      };
    case 'working':
    case 'waiting':
    case 'done':
    case 'stopped':
      return undefined;
  }
}

/** Failures whose own words say that the work starts anew. */
const saysSo: ReadonlySet<string> = new Set([
  'broken-stream',
  'client-closed',
  'run-ended',
  'run-output-lost',
  'severed',
  'turn-failed',
]);

function explained(failure: StoredFailure): FailureView {
  const { title, detail, serviceSays, actions } = explainFailure({
    kind: failure.kind as Parameters<typeof explainFailure>[0]['kind'],
    route: 'chat',
    status: failure.status === 0 ? null : failure.status,
    reason: failure.reason ?? null,
    message: failure.message,
    inStream: failure.inStream,
  });
  const said = serviceSays === '' ? '' : l10n.t('The service says: “{0}”', serviceSays);
  const again =
    failure.inStream && !saysSo.has(failure.kind) ? l10n.t('Retry starts the work anew.') : '';
  const offered: readonly ActionId[] = actions.includes('retry') ? actions : [...actions, 'retry'];
  return {
    title,
    detail: [detail, said, again].filter((sentence) => sentence !== '').join(' '),
    actions: offered.map(actionView),
  };
}
