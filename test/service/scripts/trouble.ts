import {
  isInStreamReason,
  isReason,
  type InStreamReason,
  problemsOf,
  REASONS,
  unlistedProblem,
} from '../core/problems.ts';
import type { Script, Turn } from '../core/script.ts';
import { say, unknownReason } from './text.ts';

/** `fail REASON [STATUS]`: refuses before streaming. The status selects one of two refusals with the same reason. */
export function* fails(_turn: Turn, [reason = '', status = '']: readonly string[]): Script {
  if (!isReason(reason)) return yield* say(unknownReason(reason, REASONS));
  const known = problemsOf(reason);
  const chosen = known.find((problem) => `${problem.status}` === status) ?? known[0];
  if (chosen !== undefined) yield { do: 'refuse', problem: chosen };
  return undefined;
}

/** `refuse STATUS`: refuses without a reason, as proxies and gateways do. */
export function* refuses(_turn: Turn, [status = '500']: readonly string[]): Script {
  yield { do: 'refuse', problem: unlistedProblem(Number(status), `Refused with ${status}.`) };
  return undefined;
}

/** `fail in stream REASON`: fails after some words. */
export function* failsInStream(_turn: Turn, [reason = '']: readonly string[]): Script {
  yield* say('This begins well, and then');
  if (!isInStreamReason(reason)) return yield* say(unknownReason(reason));
  return yield* failsSilently(reason);
}

/** `fail early in stream REASON`: fails after the role chunk, before the intern reports a session. */
export function* failsEarly(_turn: Turn, [reason = '']: readonly string[]): Script {
  if (!isInStreamReason(reason)) return yield* say(unknownReason(reason));
  return yield* failsSilently(reason, true);
}

/** Fails without words; `early` is before the intern reports a session. */
export function* failsSilently(reason: InStreamReason, early = false): Script {
  const message = `The turn failed on request, with the reason ${reason}.`;
  yield { do: 'fail', reason, message, early };
  return undefined;
}

export function* stalls(): Script {
  yield* say('From here on there are only keepalives.');
  yield { do: 'stall', dead: false };
  return undefined;
}

export function* playsDead(): Script {
  yield* say('From here on there is nothing at all.');
  yield { do: 'stall', dead: true };
  return undefined;
}

export function* breaksOff(): Script {
  yield* say('The connection breaks in the middle of this sen');
  yield { do: 'break off' };
  return undefined;
}

export function* ignores(): Script {
  yield { do: 'ignore' };
  return undefined;
}
