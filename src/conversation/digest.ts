import { INTERACTION_DEADLINE_MS } from '../base/limits.ts';
import { addUsd } from './costs.ts';
import type { StoredFailure } from './journal.ts';
import { lastSentences } from './questions/grounds.ts';
import { NOBODY } from './questions/types.ts';
import type { Transcript } from './transcript.ts';
import type { QuestionPart, ReplyMessage, ReplyState } from './messages.ts';

/**
 * Where a question of a run stands: it waits for its user, it was answered in nobody's name, nobody answered it in time,
 * or it is settled otherwise.
 */
type QuestionFate = 'waiting' | 'unanswered' | 'expired' | 'settled';

export interface QuestionDigest {
  readonly part: QuestionPart;
  readonly fate: QuestionFate;
}

/** What a run came to. */
export interface RunDigest {
  /** The id of its reply, which is a message of the conversation. */
  readonly message: string;
  readonly state: ReplyState;
  readonly failure: StoredFailure | null;
  /** When it ended, else when it began; epoch ms. */
  readonly at: number;
  readonly questions: readonly QuestionDigest[];
}

/** How many runs and questions came to what. */
export interface DigestCounts {
  readonly finished: number;
  /** Those that were cut off included. */
  readonly failed: number;
  readonly stopped: number;
  /** Questions that were refused or cancelled in nobody's name. */
  readonly unanswered: number;
  /** Questions that nobody answered in time. */
  readonly expired: number;
  /** Questions that wait for their user. */
  readonly waiting: number;
  readonly running: number;
  /** USD, of all responses that said so. */
  readonly cost: number;
}

/** What happened in a conversation. */
export interface ConversationDigest {
  readonly intern: string;
  readonly title: string;
  /** Oldest first. */
  readonly runs: readonly RunDigest[];
  /** The last sentence that the intern wrote, as it is read, and the message that has it; undefined where it wrote nothing. */
  readonly lastWords: { readonly message: string; readonly sentence: string } | undefined;
  readonly counts: DigestCounts;
}

/**
 * What happened in a conversation: the runs that ended, and those that are not over and had something recorded. Undefined
 * where nothing did.
 *
 * @param since Epoch ms; what happened in this very moment counts.
 * @param now Epoch ms.
 * @param isUnderWay Whether a window goes on with it: where none does, a run without an end was cut off.
 */
export function digestOf(
  transcript: Transcript,
  since: number,
  now: number,
  isUnderWay = true,
): ConversationDigest | undefined {
  const { intern, title, messages, lastReply, updatedAt, costs } = transcript;
  const replies = messages
    .filter((message) => message.kind === 'reply')
    .filter((reply) => isSince(reply, since, reply === lastReply ? updatedAt : 0));
  if (replies.length === 0) return undefined;
  const runs = replies
    .map((reply) => runDigest(reply, since, now, isUnderWay))
    .map((run) =>
      run.state === 'working' && !isUnderWay ? { ...run, state: 'cut' as const } : run,
    );
  const cost = sumOfUsd(costs.filter(({ at }) => at >= since).map(({ usd }) => usd));
  return { intern, title, runs, lastWords: lastWords(replies), counts: countsOf(runs, cost) };
}

/** The sums of several counts. */
export function sumOfCounts(all: readonly DigestCounts[]): DigestCounts {
  const sum = (name: keyof DigestCounts) => all.reduce((total, each) => total + each[name], 0);
  return {
    finished: sum('finished'),
    failed: sum('failed'),
    stopped: sum('stopped'),
    unanswered: sum('unanswered'),
    expired: sum('expired'),
    waiting: sum('waiting'),
    running: sum('running'),
    cost: sumOfUsd(all.map(({ cost }) => cost)),
  };
}

function sumOfUsd(amounts: readonly number[]): number {
  return amounts.reduce(addUsd, 0);
}

/** Whether anything came of a run or a question, beside that runs go on. */
export function hasNews({ finished, stopped, ...left }: DigestCounts): boolean {
  return finished + stopped > 0 || needsUser(left);
}

/** Whether something is left for its user to do. */
export function needsUser({
  failed,
  unanswered,
  expired,
  waiting,
}: Pick<DigestCounts, 'failed' | 'unanswered' | 'expired' | 'waiting'>): boolean {
  return failed + unanswered + expired + waiting > 0;
}

/** @param recordedAt when the record was last added to, where the reply is the last one in it; epoch ms */
function isSince(reply: ReplyMessage, since: number, recordedAt: number): boolean {
  if (reply.endedAt !== null && reply.endedAt >= since) return true;
  switch (reply.state) {
    case 'done':
    case 'failed':
    case 'stopped':
      return false;
    case 'cut':
      // It ended when it was last heard of, and was found to be cut off later.
      return recordedAt >= since;
    case 'working':
    case 'waiting':
      return recordedAt >= since || questionsOf(reply).some((part) => wasOpen(part, since));
  }
}

function runDigest(
  reply: ReplyMessage,
  since: number,
  now: number,
  isUnderWay: boolean,
): RunDigest {
  const { id: message, state, failure, at, endedAt } = reply;
  const questions = questionsOf(reply).filter((part) => wasOpen(part, since));
  return {
    message,
    state,
    failure,
    at: endedAt ?? at,
    questions: questions.map((part) => ({
      part,
      // An answer that no window sends any more may have been received, and the question may still wait.
      fate:
        part.stage === 'sending' && isUnderWay ? 'settled' : fateOf(part, endedAt !== null, now),
    })),
  };
}

function questionsOf({ parts }: ReplyMessage): readonly QuestionPart[] {
  return parts.filter((part) => part.kind === 'question');
}

/** Whether a question may have been open at a time or later: what was over before that is known. */
function wasOpen({ askedAt }: QuestionPart, since: number): boolean {
  return askedAt + INTERACTION_DEADLINE_MS > since;
}

function fateOf(
  { stage, ending, askedAt, by }: QuestionPart,
  isRunOver: boolean,
  now: number,
): QuestionFate {
  switch (stage) {
    case 'over':
      if (by === NOBODY && (ending === 'answered' || ending === 'maybe-answered'))
        return 'unanswered';
      return ending === 'gone' || ending === 'expired' || ending === 'unanswerable'
        ? 'expired'
        : 'settled';
    case 'sending':
    case 'open':
    case 'refused':
      if (isRunOver) return 'settled';
      return now < askedAt + INTERACTION_DEADLINE_MS ? 'waiting' : 'expired';
  }
}

function countsOf(runs: readonly RunDigest[], cost: number): DigestCounts {
  const runsIn = (...states: readonly ReplyState[]) =>
    runs.filter(({ state }) => states.includes(state));
  const questions = runs.flatMap((run) => run.questions);
  const count = (fate: QuestionFate) => questions.filter((each) => each.fate === fate).length;
  return {
    finished: runsIn('done').length,
    failed: runsIn('failed', 'cut').length,
    stopped: runsIn('stopped').length,
    unanswered: count('unanswered'),
    expired: count('expired'),
    waiting: count('waiting'),
    running: runsIn('working', 'waiting').filter((run) => !isHeldUp(run)).length,
    cost,
  };
}

/** Whether a run that is not over stands still until a question of it is answered, or forgotten. */
function isHeldUp({ questions }: RunDigest): boolean {
  return questions.some(({ part, fate }) => part.stage !== 'over' && fate !== 'settled');
}

function lastWords(replies: readonly ReplyMessage[]): ConversationDigest['lastWords'] {
  for (const { id: message, parts } of replies.toReversed()) {
    const sentence = lastSentences(parts, 'text', 1);
    if (sentence !== '') return { message, sentence };
  }
  return undefined;
}
