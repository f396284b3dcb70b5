import type { QuestionPart, ReplyMessage, Transcript } from '../transcript.ts';
import type { RestoredState } from './events.ts';
import type { OpenQuestion, Phase } from './state.ts';

/**
 * Reads from a transcript where its conversation stands.
 *
 * A run whose stream was being read when its window went away is over: the connection went with the window, and the
 * service cancels such a run (interface: Chat run). The caller records that as `cut`; a run that another window still
 * reads is followed instead.
 */
export function restoreState(transcript: Transcript, runsElsewhere: boolean): RestoredState {
  const reply = transcript.lastReply;
  const phase = restorePhase(transcript, reply, runsElsewhere);
  return {
    mode: transcript.mode,
    session: transcript.session,
    phase,
    questions: phase.kind === 'idle' ? [] : transcript.openQuestions.map(openQuestion),
    leftAt: reply !== undefined && wasLeft(reply) ? reply.endedAt : null,
    hasHistory: reply !== undefined,
  };
}

/** Whether a window was reading the run's stream, or sending an answer, when this was recorded. */
function isUnderWay(reply: ReplyMessage): boolean {
  return reply.state === 'working' || (reply.state === 'waiting' && hasAnswerUnderWay(reply));
}

function hasAnswerUnderWay(reply: ReplyMessage): boolean {
  return reply.parts.some((part) => part.kind === 'question' && part.state === 'answering');
}

function restorePhase(
  transcript: Transcript,
  reply: ReplyMessage | undefined,
  runsElsewhere: boolean,
): Phase {
  if (reply?.endedAt !== null) return { kind: 'idle' };
  if (runsElsewhere && isUnderWay(reply)) return { kind: 'elsewhere', run: reply.id };
  if (reply.state !== 'waiting' || transcript.openQuestions.length === 0) return { kind: 'idle' };
  return { kind: 'paused', run: reply.id, mode: reply.mode, stopping: false };
}

function openQuestion(part: QuestionPart): OpenQuestion {
  const { id, run, call, question, askedAt, state, how } = part;
  return { id, run, call, question, askedAt, maybeReceived: state === 'answering' ? how : null };
}

/** Runs that the service may still hold open for a moment after we left them. */
function wasLeft(reply: ReplyMessage): boolean {
  return reply.state === 'stopped' || reply.state === 'cut' || reply.failure?.kind === 'severed';
}
