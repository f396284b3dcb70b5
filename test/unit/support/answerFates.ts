import type { ApiErrorKind } from '../../../src/api/index.ts';
import { chatResponse, LiveStream, refusal, type FakeAnswer } from '../api/support/fakeFetch.ts';
import * as chunks from '../api/support/streams.ts';

/** The outcome of an answer. */
export type Fate =
  /** The service accepted it. */
  | 'accepted'
  /** The service refused it, and the question is still open. */
  | 'refused'
  /** It may have been received, and the question may be answered again. */
  | 'maybe-received'
  /** The question is over, and the answer did not count. */
  | 'gone'
  /** The question is over, and the answer may have been received. */
  | 'maybe-answered';

/** A response to an answer, and its meaning. */
export interface AnswerFate {
  readonly name: string;
  /** The response as the service sends it. */
  readonly respond: () => FakeAnswer;
  /** The client's failure, if any. */
  readonly kind?: ApiErrorKind;
  readonly fate: Fate;
  /** True if the same answer is automatically sent again first. */
  readonly isRepeated: boolean;
  /** The message for the user. */
  readonly says: RegExp;
  /** True if a new key would help. */
  readonly needsKey: boolean;
}

type Outcome = readonly [fate: Fate, says: RegExp, more?: More];
type Meaning = readonly [kind: ApiErrorKind, ...outcome: Outcome];
type More = Partial<Pick<AnswerFate, 'isRepeated' | 'needsKey'>>;

const sentence = 'These are the words of the service.';
const plain = { isRepeated: false, needsKey: false, says: /^/ };
const repeated = { isRepeated: true };

/** A refusal before the stream. */
function before(status: number, reason: string | null, ...meaning: Meaning): AnswerFate {
  const respond = () => refusal(status, reason ?? undefined, sentence);
  return broken(`${status} ${reason ?? 'without a reason'}`, respond, ...meaning);
}

/** A failure chunk in a stream. */
function chunk(code: number, reason: string, ...meaning: Meaning): AnswerFate {
  const last = chunks.end({ session_id: null, usage: null });
  const failed = chunks.stream(
    chunks.ROLE,
    chunks.failed(code, reason, sentence),
    last,
    chunks.DONE,
  );
  return broken(`${reason} ${code} in the stream`, () => chatResponse(failed), ...meaning);
}

/** A refusal, a failed connection, or an invalid response. */
function broken(
  name: string,
  respond: () => FakeAnswer,
  ...[kind, fate, says, more]: Meaning
): AnswerFate {
  return { ...plain, name, respond, kind, fate, says, ...more };
}

/** A connection that fails before the response. */
function unsent(name: string, code: string, ...meaning: Meaning): AnswerFate {
  return broken(name, () => lost(code), ...meaning);
}

/** The first sign that the service has accepted the answer. */
function work(name: string, data: string): AnswerFate {
  const respond = () => chatResponse(chunks.stream(chunks.ROLE, data, chunks.end(), chunks.DONE));
  return { ...plain, name, respond, fate: 'accepted' };
}

function lost(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

/** A stream that breaks in the middle. */
function brokenStream(): FakeAnswer {
  const stream = new LiveStream();
  stream.send(chunks.stream(chunks.ROLE));
  stream.break(lost('ECONNRESET'));
  return stream;
}

const question = { kind: 'permission', operation: 'ls', options: [] } as const;
const elsewhere = /another window or program/;
const rejected = /The intern didn’t accept the answer/;
const unreachable = /couldn’t reach the intern/;
const isLost = /The connection was lost/;
const offline = /No connection/;
const slow = /didn’t respond in time/;
const unknown = /doesn’t know this question/;
const answered = /already answered/;
const noisy = /more than the intern keeps/;
const ended = /The run was canceled or ran out of time/;

/**
 * The possible responses to an answer (interface: Chat run; Errors), and what happens to the answer and its
 * question. The machine, the client and the panel are tested against this table.
 */
export const answerFates: readonly AnswerFate[] = [
  before(400, 'bad_request', 'invalid-request', 'refused', /words of the service\.” Your input/),
  before(401, null, 'signed-out', 'refused', /key/, { needsKey: true }),
  before(403, null, 'left-organization', 'refused', /API key refused/, { needsKey: true }),
  before(404, null, 'outsider', 'refused', /not available for this API key/, { needsKey: true }),
  before(404, 'not_found', 'intern-not-found', 'gone', /Unknown intern/),
  before(404, 'interaction_unknown', 'interaction-unknown', 'gone', unknown),
  before(408, null, 'timeout', 'maybe-received', slow, repeated),
  before(409, 'attachment_failed', 'attachment-failed', 'refused', elsewhere, repeated),
  before(409, 'busy', 'busy', 'refused', elsewhere, repeated),
  before(409, 'intern_not_ready', 'not-ready', 'refused', /isn’t running/),
  before(409, 'interaction_not_pending', 'interaction-not-pending', 'gone', answered),
  before(410, 'attachment_failed', 'run-output-lost', 'gone', noisy),
  before(410, 'run_ended', 'run-ended', 'gone', ended),
  before(410, null, 'run-ended', 'gone', ended),
  before(413, 'payload_too_large', 'payload-too-large', 'refused', /too large for the service/),
  before(429, 'rate_limited', 'rate-limited', 'refused', /Too many/, repeated),
  before(499, 'client_closed_request', 'client-closed', 'maybe-received', isLost),
  before(500, null, 'server-error', 'maybe-received', /Service error/, repeated),
  before(502, 'intern_rejected', 'rejected', 'refused', rejected),
  before(502, 'intern_unreachable', 'unreachable', 'maybe-received', unreachable, repeated),
  before(502, 'stream_severed', 'severed', 'maybe-received', isLost, repeated),
  before(502, 'turn_failed', 'turn-failed', 'refused', rejected),
  before(503, 'busy', 'no-capacity', 'refused', /too many open runs/, repeated),
  before(504, 'timeout', 'timeout', 'maybe-received', slow, repeated),
  chunk(404, 'interaction_unknown', 'interaction-unknown', 'gone', unknown),
  chunk(409, 'attachment_failed', 'attachment-failed', 'refused', elsewhere, repeated),
  chunk(409, 'busy', 'busy', 'refused', elsewhere, repeated),
  chunk(409, 'interaction_not_pending', 'interaction-not-pending', 'gone', answered),
  chunk(410, 'attachment_failed', 'run-output-lost', 'gone', noisy),
  chunk(410, 'run_ended', 'run-ended', 'maybe-answered', /^/),
  chunk(499, 'client_closed_request', 'client-closed', 'maybe-received', isLost),
  chunk(500, 'unheard_of', 'server-error', 'maybe-received', /The run failed/, repeated),
  chunk(502, 'intern_unreachable', 'unreachable', 'maybe-received', unreachable, repeated),
  chunk(502, 'stream_severed', 'severed', 'maybe-received', isLost, repeated),
  chunk(502, 'turn_failed', 'turn-failed', 'maybe-received', rejected),
  chunk(503, 'busy', 'no-capacity', 'refused', /too many open runs/, repeated),
  chunk(504, 'timeout', 'timeout', 'maybe-received', slow, repeated),
  unsent('a connection that is refused', 'ECONNREFUSED', 'network', 'refused', offline, repeated),
  unsent(
    'a connection lost before a response',
    'ECONNRESET',
    'network',
    'maybe-received',
    offline,
    repeated,
  ),
  unsent('an untrusted certificate', 'CERT_HAS_EXPIRED', 'tls', 'refused', /certificate/),
  broken(
    'a page in place of a stream',
    () => new Response('<p>', { headers: { 'content-type': 'text/html' } }),
    ...([
      'not-the-service',
      'maybe-received',
      /isn’t an intern service/,
      { needsKey: true },
    ] as const),
  ),
  broken('a stream that breaks off', brokenStream, 'severed', 'maybe-received', isLost, repeated),
  broken(
    'a stream that ends too early',
    () => chatResponse(chunks.stream(chunks.ROLE)),
    ...(['severed', 'maybe-received', isLost, repeated] as const),
  ),
  broken(
    'an unlisted finish reason',
    () =>
      chatResponse(
        chunks.stream(chunks.ROLE, chunks.delta({}, 'content_filter'), chunks.end(), chunks.DONE),
      ),
    ...(['unlisted-finish', 'maybe-answered', /^/] as const),
  ),
  work('text', chunks.text('So')),
  work('reasoning', chunks.reasoning('Hm')),
  work('another question', chunks.delta({ tool_calls: [chunks.toolCall('call_2', question)] })),
  work('the end of the run', chunks.STOP),
  work('a finish that asks', chunks.ASKED),
];
