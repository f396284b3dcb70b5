import { readQuestion, type ToolCall } from '../api/index.ts';
import type { Entry } from './journal.ts';
import type { AnswerWay } from './questions/types.ts';
import type {
  Part,
  PromptMessage,
  QuestionPart,
  ReplyMessage,
  TranscriptChange,
} from './messages.ts';

/** What a transcript's fold makes and changes: a prompt, the reply to it, a question and a thought. */

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A reply while it is folded: what is handed out of it is read-only. */
export type MutableReply = Mutable<Omit<ReplyMessage, 'parts'>> & { parts: Part[] };

export function newPrompt(
  entry: Extract<Entry, { type: 'prompt' }>,
  isByAgent: boolean,
): PromptMessage {
  const { id, run, at, text, mode, sent = text, attachments = [] } = entry;
  return { kind: 'prompt', id, run, at, text, sent, attachments, mode, isByAgent };
}

export function newReply({ run, at, mode }: Extract<Entry, { type: 'prompt' }>): MutableReply {
  return {
    kind: 'reply',
    id: run,
    at,
    mode,
    state: 'working',
    parts: [],
    model: null,
    usage: null,
    completion: null,
    failure: null,
    endedAt: null,
  };
}

export function newQuestion(entry: Extract<Entry, { type: 'asked' }>): QuestionPart {
  const { index = 0, ...rest } = entry.call;
  const call: ToolCall = { index, ...rest };
  return {
    kind: 'question',
    id: entry.question,
    run: entry.run,
    call,
    question: readQuestion(call),
    askedAt: entry.at,
    stage: 'open',
    how: null,
    by: null,
    isTold: false,
    ending: null,
    failure: null,
    maybeReceived: null,
  };
}

/**
 * The first answer to a question that may have been received: one before the last one, or the last one if it is still on
 * its way by the record. Null if there is none.
 *
 * @param isRefuted whether the service is known not to have taken the last answer
 */
export function maybeReceived(
  part: QuestionPart | undefined,
  isRefuted: boolean,
): AnswerWay | null {
  if (part === undefined) return null;
  const { stage, how, by, maybeReceived: earlier } = part;
  if (earlier !== null || isRefuted || stage !== 'sending' || how === null) return earlier;
  return by === null ? { how } : { how, by };
}

/** A thought is over when something else comes, or its run ends. */
export function endReasoning(reply: MutableReply, at: number): readonly TranscriptChange[] {
  const last = reply.parts.at(-1);
  if (last?.kind !== 'reasoning' || last.endedAt !== null) return [];
  (last as Mutable<typeof last>).endedAt = at;
  return [{ kind: 'part', id: reply.id, part: reply.parts.length - 1 }];
}
