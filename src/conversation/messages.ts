import { readQuestion, type ApprovalMode, type Question, type ToolCall } from '../api/index.ts';
import type { AppendedText, ReplyState, WrittenPart } from '../base/reply.ts';
import type {
  EntryOf,
  JournalEntry,
  StoredAttachment,
  StoredFailure,
  StoredUsage,
} from './journal.ts';
import type { RecordedAnswer, QuestionEndKind, QuestionStage } from './questions/types.ts';

/** The messages of a transcript, and how the entries of a run change its reply. */

export interface Prompt {
  /** The text as typed. */
  readonly text: string;
  /** The text with its attachments, as the service gets it; at most 32,000 characters. */
  readonly sent: string;
  readonly attachments: readonly StoredAttachment[];
  /** True if an agent of the editor wrote it. */
  readonly isByAgent?: boolean;
}

export interface PromptMessage extends Required<Prompt> {
  readonly kind: 'prompt';
  readonly id: string;
  readonly run: string;
  readonly at: number;
  readonly mode: ApprovalMode;
}

/** All that the intern said in one run, across its questions. */
export interface ReplyMessage {
  readonly kind: 'reply';
  /** The run's ID. */
  readonly id: string;
  readonly at: number;
  readonly mode: ApprovalMode;
  readonly state: ReplyState;
  readonly parts: readonly Part[];
  readonly model: string | null;
  /** The usage that was reported last. */
  readonly usage: StoredUsage | null;
  /** The service's ID of the last response; null without one. */
  readonly completion: string | null;
  /** Why the run failed, or why the service refused its last request, which waits to be repeated. */
  readonly failure: StoredFailure | null;
  /** The process that made the last request; null in records of earlier versions. */
  readonly requestedBy: 'keeper' | 'window' | null;
  /** When the run ended; null before. */
  readonly endedAt: number | null;
}

export interface NoticeMessage {
  readonly kind: 'notice';
  readonly id: string;
  readonly at: number;
  readonly notice: EntryOf<'notice'>['notice'];
}

export type Message = PromptMessage | ReplyMessage | NoticeMessage;

export type Part = WrittenPart | QuestionPart;

export interface QuestionPart {
  readonly kind: 'question';
  readonly id: string;
  readonly run: string;
  readonly call: ToolCall;
  readonly question: Question;
  readonly askedAt: number;
  readonly stage: QuestionStage;
  /** The last answer, if there was one. */
  readonly answer: RecordedAnswer | null;
  readonly isReportedToIntern: boolean;
  /** Null while it is open. */
  readonly ending: QuestionEndKind | null;
  /** Why the last answer failed, if it did. */
  readonly failure: StoredFailure | null;
  /** The first answer that failed and may still have been received. */
  readonly maybeReceived: RecordedAnswer | null;
}

/** A change that one entry made. */
export type TranscriptChange =
  | { readonly kind: 'add'; readonly message: Message }
  /** A prompt was sent in another mode than it was submitted in. */
  | { readonly kind: 'prompt'; readonly id: string }
  /** A new or changed part. */
  | { readonly kind: 'part'; readonly id: string; readonly part: number }
  /** A reply's state, metadata or failure. */
  | { readonly kind: 'header'; readonly id: string }
  | AppendedText
  /** Something besides the messages, such as the title, the mode, the session or the cost limit. */
  | { readonly kind: 'meta' };

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A reply while it is folded. */
export type MutableReply = Mutable<Omit<ReplyMessage, 'parts'>> & {
  parts: Part[];
  /** The approximate size in characters. */
  size: number;
};

/** The memory that a part of a reply takes besides its text, in characters. */
export const PART_OVERHEAD_CHARACTERS = 256;

export function newPrompt(entry: EntryOf<'prompt'>, isByAgent: boolean): PromptMessage {
  const { id, run, at, text, mode, sent = text, attachments = [] } = entry;
  return { kind: 'prompt', id, run, at, text, sent, attachments, mode, isByAgent };
}

export function newReply({ run, at, mode }: EntryOf<'prompt'>): MutableReply {
  return {
    kind: 'reply',
    id: run,
    at,
    mode,
    state: 'working',
    parts: [],
    size: 0,
    model: null,
    usage: null,
    completion: null,
    failure: null,
    requestedBy: null,
    endedAt: null,
  };
}

/** The entries of a run that change its reply. */
export type ReplyEntry = Exclude<
  Extract<JournalEntry, { run: string }>,
  { type: 'prompt' | 'stopping' | 'lapsed' }
>;

/**
 * Applies an entry to the reply of its run, and returns what it changed.
 *
 * @param at when the entry's event occurred, epoch ms
 */
export function applyToReply(
  reply: MutableReply,
  entry: ReplyEntry,
  at: number,
): readonly TranscriptChange[] {
  const header: TranscriptChange = { kind: 'header', id: reply.id };
  const end = (state: ReplyState, failure: StoredFailure | null = null) => {
    Object.assign(reply, { state, failure, endedAt: at });
    return [...endReasoning(reply, at), header, { kind: 'meta' }] as const;
  };
  switch (entry.type) {
    case 'requested':
    case 'in-window':
      reply.requestedBy = entry.type === 'requested' ? 'keeper' : 'window';
      reply.failure = null;
      return [header];
    case 'request-refused':
      reply.failure = entry.failure;
      return [header];
    case 'text':
    case 'reasoning':
      return appendText(reply, entry);
    case 'asked':
      reply.size += entry.call.name.length + entry.call.arguments.length;
      return [...endReasoning(reply, at), addPart(reply, newQuestion(entry))];
    case 'finished':
      if (entry.reason === 'stop') return end('done');
      if (entry.reason === 'error') return end('failed', entry.failure);
      reply.state = 'waiting';
      return [...endReasoning(reply, at), header];
    case 'end':
      reply.model = entry.model ?? reply.model;
      reply.usage = entry.usage ?? reply.usage;
      reply.completion = entry.completion ?? reply.completion;
      return [header];
    default:
      return end(entry.type, 'failure' in entry ? entry.failure : null);
  }
}

function appendText(
  reply: MutableReply,
  { type: kind, text, at }: EntryOf<'text' | 'reasoning'>,
): readonly TranscriptChange[] {
  const last = reply.parts.at(-1);
  reply.size += text.length;
  if (last?.kind === kind) {
    (last as Mutable<typeof last>).text += text;
    return [{ kind: 'append', id: reply.id, part: reply.parts.length - 1, text }];
  }
  const ended = endReasoning(reply, at);
  const part: Part =
    kind === 'text' ? { kind, text } : { kind, text, startedAt: at, endedAt: null };
  return [...ended, addPart(reply, part)];
}

export function newQuestion(
  entry: Pick<EntryOf<'asked'>, 'run' | 'question' | 'call' | 'at'>,
): QuestionPart {
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
    answer: null,
    isReportedToIntern: false,
    ending: null,
    failure: null,
    maybeReceived: null,
  };
}

/**
 * Returns the first answer to a question that may have been received: an earlier one, or the last one if the record lacks
 * its outcome.
 *
 * @param isRefuted whether the service is known not to have accepted the last answer
 */
export function findMaybeReceived(
  part: QuestionPart | undefined,
  isRefuted: boolean,
): RecordedAnswer | null {
  if (part === undefined) return null;
  const { stage, answer, maybeReceived: earlier } = part;
  return earlier === null && !isRefuted && stage === 'sending' ? answer : earlier;
}

export function recordedAnswer({ how, by }: RecordedAnswer): RecordedAnswer {
  return by === undefined ? { how } : { how, by };
}

function addPart(reply: MutableReply, part: Part): TranscriptChange {
  reply.parts.push(part);
  reply.size += PART_OVERHEAD_CHARACTERS;
  return { kind: 'part', id: reply.id, part: reply.parts.length - 1 };
}

/** Ends the reasoning that a reply ends with, if any. */
function endReasoning(reply: MutableReply, at: number): readonly TranscriptChange[] {
  const last = reply.parts.at(-1);
  if (last?.kind !== 'reasoning' || last.endedAt !== null) return [];
  (last as Mutable<typeof last>).endedAt = at;
  return [{ kind: 'part', id: reply.id, part: reply.parts.length - 1 }];
}
