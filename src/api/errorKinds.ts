import { REASONS, type ApiErrorKind, type Reason, type Route } from './errors.ts';

/** A failure that the service reported, before a stream or in one. */
interface Refusal {
  readonly route: Route;
  /** HTTP status, or the `code` of an error in a stream; null where that code was missing. */
  readonly status: number | null;
  readonly reason: string | null;
}

/** The kind of each reason, where its status does not matter ("Errors"). */
const KIND_OF_REASON: Readonly<Record<Reason, ApiErrorKind>> = {
  attachment_failed: 'attachment-failed',
  bad_request: 'invalid-request',
  busy: 'busy',
  client_closed_request: 'client-closed',
  interaction_not_pending: 'interaction-not-pending',
  interaction_unknown: 'interaction-unknown',
  intern_not_ready: 'not-ready',
  intern_rejected: 'rejected',
  intern_unreachable: 'unreachable',
  not_found: 'intern-not-found',
  payload_too_large: 'payload-too-large',
  rate_limited: 'rate-limited',
  run_ended: 'run-ended',
  stream_severed: 'severed',
  timeout: 'timeout',
  turn_failed: 'turn-failed',
};

/** Reasons that mean something else under another status. */
const KIND_OF_REASON_AND_STATUS: Readonly<Record<string, ApiErrorKind>> = {
  'attachment_failed 410': 'run-output-lost',
  'busy 503': 'no-capacity',
};

/** The kind of each status, where no listed reason came with it, and no route gives it a meaning of its own. */
const KIND_OF_STATUS: ReadonlyMap<number, ApiErrorKind> = new Map([
  [400, 'invalid-request'],
  [401, 'signed-out'],
  [408, 'timeout'],
  [413, 'payload-too-large'],
  [422, 'invalid-request'],
  [429, 'rate-limited'],
  [504, 'timeout'],
]);

/**
 * What a failure is, by the interface's tables of statuses and reasons; total over every input.
 *
 * A 403 means that the key's creator left on the routes of chat and key alone: create and vault also refuse regional
 * hostnames and perhaps some kinds of key, under statuses that are not shown.
 */
export function kindOfRefusal({ route, status, reason }: Refusal): ApiErrorKind {
  if (isReason(reason) && !(reason === 'not_found' && route !== 'chat')) {
    return KIND_OF_REASON_AND_STATUS[`${reason} ${status ?? ''}`] ?? KIND_OF_REASON[reason];
  }
  if (status === null) return 'server-error';
  if (status === 404) return kindOf404(route, reason);
  if (status === 403 && reason === null && (route === 'chat' || route === 'key'))
    return 'left-organization';
  if (status === 503 && route === 'secret') return 'vault-writes-off';
  return kindOfStatus(status);
}

/** The kind of a status by itself. A load balancer gives it as well as the service, so it says nothing of the API key. */
export function kindOfStatus(status: number): ApiErrorKind {
  return KIND_OF_STATUS.get(status) ?? (status >= 400 && status < 500 ? 'refused' : 'server-error');
}

/** Whether the interface lists this reason. */
export function isReason(reason: string | null): reason is Reason {
  return (REASONS as readonly (string | null)[]).includes(reason);
}

/** Interns and vault say 404 to callers outside the programme; the key's route exists for everyone. */
function kindOf404(route: Route, reason: string | null): ApiErrorKind {
  if (route === 'key') return 'not-the-service';
  return reason === null || reason === 'not_found' ? 'outsider' : 'refused';
}
