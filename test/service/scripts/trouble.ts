import {
  isInStreamReason,
  isReason,
  problemsOf,
  REASONS,
  unlistedProblem,
} from '../core/problems.ts';
import type { Script, Turn } from '../core/script.ts';
import { say, unknownReason } from './text.ts';

/** Refuses before streaming. The status selects one of two refusals with the same reason. */
export function* fails(_turn: Turn, [reason = '', status = '']: readonly string[]): Script {
  if (!isReason(reason)) return yield* say(unknownReason(reason, REASONS));
  const known = problemsOf(reason);
  const chosen = known.find((problem) => `${problem.status}` === status) ?? known[0];
  if (chosen !== undefined) yield { do: 'refuse', problem: chosen };
}

/** Refuses without a reason, as proxies and gateways do. */
export function* refuses(_turn: Turn, [status = '500']: readonly string[]): Script {
  yield { do: 'refuse', problem: unlistedProblem(Number(status), `Refused with ${status}.`) };
}

export function* failsInStream(_turn: Turn, [reason = '']: readonly string[]): Script {
  yield* say('This begins well, and then ');
  yield* failsSilently(reason);
}

export function failsEarly(_turn: Turn, [reason = '']: readonly string[]): Script {
  return failsSilently(reason, true);
}

/** Fails without words; `early` is before the intern reports a session. */
export function* failsSilently(reason: string, early = false): Script {
  if (!isInStreamReason(reason)) return yield* say(unknownReason(reason));
  const message = `The turn failed on request, with the reason ${reason}.`;
  yield { do: 'fail', reason, message, early };
}

export function* stalls(): Script {
  yield* say('From here on there are only keepalives.');
  yield { do: 'stall', dead: false };
}

export function* playsDead(): Script {
  yield* say('From here on there is nothing at all.');
  yield { do: 'stall', dead: true };
}

export function* breaksOff(): Script {
  yield* say('The connection breaks in the middle of this sen');
  yield { do: 'break off' };
}

export function* ignores(): Script {
  yield { do: 'ignore' };
}
