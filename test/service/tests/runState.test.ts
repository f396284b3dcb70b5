import assert from 'node:assert/strict';
import {
  isOpen,
  nextRunState,
  TRANSITIONS,
  type RunEvent,
  type RunState,
} from '../core/runState.ts';

/** The interface's table of a chat run, row by row. */
const TABLE: readonly [RunState, RunEvent, RunState][] = [
  ['streaming', 'finish', 'completed'],
  ['streaming', 'ask', 'paused'],
  ['paused', 'answer', 'streaming'],
  ['paused', 'deadline', 'cancelled'],
  ['streaming', 'disconnect', 'cancelled'],
  ['streaming', 'end', 'ended'],
  ['streaming', 'fail', 'ended'],
  ['paused', 'end', 'ended'],
];

const EVENTS: RunEvent[] = [...new Set(TABLE.map(([, event]) => event))];

describe('service run states', () => {
  for (const [from, event, to] of TABLE) {
    // Rules 11.2, 11.3, 11.4, 11.5, 11.8, 11.9, 11.10
    it(`go from ${from} to ${to} on ${event}`, () => {
      assert.equal(nextRunState(from, event), to);
    });
  }

  it('take no other event', () => {
    const known = new Set(TABLE.map(([from, event]) => `${from} ${event}`));
    for (const state of Object.keys(TRANSITIONS) as RunState[]) {
      for (const event of EVENTS) {
        if (known.has(`${state} ${event}`)) continue;
        assert.throws(() => nextRunState(state, event), /cannot take the event/);
      }
    }
  });

  it('occupy the session only while streaming or paused', () => {
    const open = (Object.keys(TRANSITIONS) as RunState[]).filter(isOpen);
    assert.deepEqual(open, ['streaming', 'paused']);
  });
});
