import type { JournalEntry } from '../../conversation/journal.ts';
import { questionDeadline } from '../../base/limits.ts';
import { findMaybeReceived, type QuestionPart } from '../../conversation/messages.ts';
import { AUTO_ANSWER, type RecordedAnswer } from '../../conversation/questions/types.ts';
import { Transcript } from '../../conversation/transcript.ts';

/** A question and its outcome, without anything that the user or the intern wrote, except names. Fields are exported. */
interface Decision {
  /** ISO times. */
  readonly askedAt: string;
  /** When the answer was sent, or the question closed; null if neither is on record. */
  readonly decidedAt: string | null;
  readonly kind: QuestionPart['question']['kind'];
  /** The operation of a permission; null if the intern named none. */
  readonly operation?: string | null;
  /** The names of an elicitation's fields. */
  readonly fields?: readonly string[];
  /** A permission option, `accept`, `decline` or `cancel`; `none` without an answer, `pending` while it is open. */
  readonly outcome: string;
  readonly decidedBy: 'user' | 'policy' | 'expired' | 'unknown';
  /** True if the service accepted the answer. */
  readonly confirmed: boolean;
}

/** The types of entries that {@link decisionsIn} needs. */
const TYPES = ['opened', 'prompt', 'asked', 'answering', 'answered', 'refused', 'closed'] as const;

const NEEDED_LINE = new RegExp(`"type":"(${TYPES.join('|')})"`);

/** Returns whether a line of a record may matter for decisions. Quotation marks in texts are escaped, so none match. */
export function isDecisionLine(line: string): boolean {
  return NEEDED_LINE.test(line);
}

/** Facts about a question that the transcript doesn't keep. */
interface QuestionTimes {
  readonly answers: (RecordedAnswer & { readonly at: number })[];
  closed?: { readonly at: number; readonly maybeReceived: RecordedAnswer | null };
}

/**
 * Returns the questions of a conversation in order.
 *
 * @param now epoch ms
 */
export function decisionsIn(entries: Iterable<JournalEntry>, now: number): readonly Decision[] {
  const transcript = new Transcript();
  const times = new Map<string, QuestionTimes>();
  const timesOf = (question: string): QuestionTimes => {
    const known = times.get(question) ?? { answers: [] };
    times.set(question, known);
    return known;
  };
  for (const entry of entries) {
    if (entry.type === 'answering') timesOf(entry.question).answers.push(entry);
    if (entry.type === 'closed') {
      // The service said that the question ended without the last answer.
      const isRefuted = entry.why === 'gone' || entry.why === 'unanswerable';
      const part = transcript.question(entry.question);
      const maybeReceived = findMaybeReceived(part, isRefuted || part?.stage === 'refused');
      timesOf(entry.question).closed = { at: entry.at, maybeReceived };
    }
    transcript.apply(entry);
  }
  return transcript.messages
    .flatMap((message) => (message.kind === 'reply' ? message.parts : []))
    .flatMap((part) => (part.kind === 'question' ? toDecision(part, timesOf(part.id), now) : []));
}

function toDecision(part: QuestionPart, times: QuestionTimes, now: number): Decision {
  const { question, askedAt } = part;
  const answer = answerTo(part, times);
  const sent = times.answers.findLast(({ how, by }) => how === answer?.how && by === answer.by);
  const decidedAt = sent?.at ?? times.closed?.at;
  return {
    askedAt: new Date(askedAt).toISOString(),
    decidedAt: decidedAt === undefined ? null : new Date(decidedAt).toISOString(),
    kind: question.kind,
    ...(question.kind === 'permission' && { operation: question.operation }),
    ...(question.kind === 'elicitation' && { fields: question.fields.map(({ name }) => name) }),
    ...(answer === null ? withoutAnswer(part, times, now) : withAnswer(part, answer)),
  };
}

/** Returns the answer that counts, or the first one that may have been received. */
function answerTo(part: QuestionPart, { closed }: QuestionTimes): RecordedAnswer | null {
  const { ending, answer, stage } = part;
  if (ending === 'answered') return answer;
  return closed === undefined ? findMaybeReceived(part, stage === 'refused') : closed.maybeReceived;
}

function withAnswer({ question, ending }: QuestionPart, { how, by }: RecordedAnswer) {
  const person = by === AUTO_ANSWER ? 'policy' : 'user';
  return {
    outcome: how,
    // This version cancels a question that it cannot read.
    decidedBy: question.kind === 'unreadable' ? 'unknown' : person,
    confirmed: ending === 'answered',
  } as const;
}

function withoutAnswer(part: QuestionPart, { closed }: QuestionTimes, now: number) {
  const isLate = (closed?.at ?? now) >= questionDeadline(part);
  const isPending = closed === undefined && !isLate;
  return {
    outcome: isPending ? 'pending' : 'none',
    decidedBy: isLate || part.ending === 'expired' ? 'expired' : 'unknown',
    confirmed: false,
  } as const;
}
