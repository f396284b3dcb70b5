import { readQuestion, type ApprovalMode, type Question, type ToolCall } from '../api/index.ts';
import type { ReplyState } from '../protocol/view.ts';
import type { JournalEntry, StoredAttachment, StoredFailure, StoredUsage } from './journal.ts';
import type { AnswerWay, EndingKind, QuestionStage } from './questions/types.ts';

/** What a transcript holds, for whoever shows it. */

/** A prompt. */
export interface PromptMessage {
  readonly kind: 'prompt';
  readonly id: string;
  readonly run: string;
  readonly at: number;
  /** As typed. */
  readonly text: string;
  /** What went to the service: the text with its attachments. */
  readonly sent: string;
  readonly attachments: readonly StoredAttachment[];
  readonly mode: ApprovalMode;
  /** Tells whether an agent of the editor wrote it, and not the user. */
  readonly isByAgent: boolean;
}

export type { ReplyState };

/** Everything that one run said, across its questions. */
export interface ReplyMessage {
  readonly kind: 'reply';
  /** The run's id. */
  readonly id: string;
  readonly at: number;
  readonly mode: ApprovalMode;
  readonly state: ReplyState;
  readonly parts: readonly Part[];
  readonly model: string | null;
  /** Of the last response that reported one. */
  readonly usage: StoredUsage | null;
  /** What the service calls the last response; null where it gave no id. */
  readonly completion: string | null;
  readonly failure: StoredFailure | null;
  /** When the run ended; null before. */
  readonly endedAt: number | null;
}

export interface NoticeMessage {
  readonly kind: 'notice';
  readonly id: string;
  readonly at: number;
  readonly notice: Extract<JournalEntry, { type: 'notice' }>['notice'];
}

export type Message = PromptMessage | ReplyMessage | NoticeMessage;

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'reasoning';
      readonly text: string;
      readonly startedAt: number;
      readonly endedAt: number | null;
    }
  | QuestionPart;

export interface QuestionPart {
  readonly kind: 'question';
  readonly id: string;
  readonly run: string;
  readonly call: ToolCall;
  readonly question: Question;
  readonly askedAt: number;
  readonly stage: QuestionStage;
  /** The way in which it was answered, or is being, or the last try that was refused. */
  readonly how: string | null;
  /** Who gave that answer where no user did; null where one did, or none was given. */
  readonly by: AnswerWay['by'] | null;
  /** The intern was told that nobody had answered. */
  readonly isReportedToIntern: boolean;
  /** How it came to be over; null before. */
  readonly ending: EndingKind | null;
  /** Why the last answer failed, while the question waits again. */
  readonly failure: StoredFailure | null;
  /** The first answer that may have been received though it failed; null without one. */
  readonly maybeReceived: AnswerWay | null;
}

/** A difference that one entry made. */
export type TranscriptChange =
  | { readonly kind: 'add'; readonly message: Message }
  /** A prompt went out in another mode than it was sent in. */
  | { readonly kind: 'prompt'; readonly id: string }
  /** A new part, or another state of one. */
  | { readonly kind: 'part'; readonly id: string; readonly part: number }
  /** A reply's state, facts or failure. */
  | { readonly kind: 'header'; readonly id: string }
  | { readonly kind: 'append'; readonly id: string; readonly part: number; readonly text: string }
  /** Title, place in lists, mode, consent, session, or what becomes of questions that nobody answers. */
  | { readonly kind: 'meta' };

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A reply while it is folded: what is handed out of it is read-only. */
export type MutableReply = Mutable<Omit<ReplyMessage, 'parts'>> & {
  parts: Part[];
  /** Roughly how many characters it takes to keep it. */
  size: number;
};

/** What a new part of a reply takes beside its text: one of a single character costs more than that to keep. */
export const partSize = 256;

export function newPrompt(
  entry: Extract<JournalEntry, { type: 'prompt' }>,
  isByAgent: boolean,
): PromptMessage {
  const { id, run, at, text, mode, sent = text, attachments = [] } = entry;
  return { kind: 'prompt', id, run, at, text, sent, attachments, mode, isByAgent };
}

export function newReply({
  run,
  at,
  mode,
}: Extract<JournalEntry, { type: 'prompt' }>): MutableReply {
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
    endedAt: null,
  };
}

export function newQuestion(entry: Extract<JournalEntry, { type: 'asked' }>): QuestionPart {
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
    isReportedToIntern: false,
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

/** Adds a part to a reply. */
export function addPart(reply: MutableReply, part: Part): TranscriptChange {
  reply.parts.push(part);
  reply.size += partSize;
  return { kind: 'part', id: reply.id, part: reply.parts.length - 1 };
}

/** A thought is over when something else comes, or its run ends. */
export function endReasoning(reply: MutableReply, at: number): readonly TranscriptChange[] {
  const last = reply.parts.at(-1);
  if (last?.kind !== 'reasoning' || last.endedAt !== null) return [];
  (last as Mutable<typeof last>).endedAt = at;
  return [{ kind: 'part', id: reply.id, part: reply.parts.length - 1 }];
}
