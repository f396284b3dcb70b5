/** Where a chat run is (interface: States and transitions, Chat run). */
export type RunState = 'streaming' | 'paused' | 'completed' | 'cancelled' | 'ended';

/** What can happen to a run. */
export type RunEvent =
  /** The intern finishes the turn. */
  | 'finish'
  /** The intern needs a permission or an answer. */
  | 'ask'
  /** An answer arrives that the intern accepts. */
  | 'answer'
  /** The interaction deadline passes. */
  | 'deadline'
  /** A client's disconnect in mid-stream is noticed. */
  | 'disconnect'
  /** The intern ends the run and confirms it. */
  | 'end'
  /** The run fails, or the connection to the intern breaks without a confirmation. */
  | 'fail';

/**
 * The interface's table. What is not listed cannot happen: a client that closes its connection after the `[DONE]` of
 * `tool_calls` is no event, since the run stays paused.
 */
const TRANSITIONS: Readonly<Record<RunState, Partial<Record<RunEvent, RunState>>>> = {
  streaming: {
    finish: 'completed',
    ask: 'paused',
    disconnect: 'cancelled',
    end: 'ended',
    fail: 'ended',
  },
  paused: { answer: 'streaming', deadline: 'cancelled', end: 'ended' },
  completed: {},
  cancelled: {},
  ended: {},
};

/** The state after `event`. @throws Error when the event cannot happen in this state: a defect of the service. */
export function nextRunState(state: RunState, event: RunEvent): RunState {
  const next = TRANSITIONS[state][event];
  if (next === undefined) throw new Error(`A ${state} run cannot take the event "${event}".`);
  return next;
}

/** Whether the run occupies its session: no other turn may start there. */
export function isOpen(state: RunState): boolean {
  return state === 'streaming' || state === 'paused';
}
