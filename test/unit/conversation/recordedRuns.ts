import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../src/api/index.ts';
import type { JournalEntry } from '../../../src/conversation/journal.ts';
import { Stage } from './conversationStage.ts';
import { endEvent, interaction, permissionCall } from './fakeExchange.ts';

export const text = (words: string): ChatEvent => ({ kind: 'text', text: words });
export const reasoning = (words: string): ChatEvent => ({ kind: 'reasoning', text: words });

export const spoken: readonly ChatEvent[] = [
  { kind: 'role' },
  reasoning('Let me '),
  reasoning('think. '),
  text('One '),
  text('two '),
  { kind: 'malformed', problem: 'tool-call' },
  text('three.'),
];
export const asking: readonly ChatEvent[] = [
  ...spoken,
  interaction(permissionCall('call-1')),
  interaction(permissionCall('call-2')),
  { kind: 'finish', reason: 'tool_calls' },
  endEvent('session-1'),
];
export const ending: readonly ChatEvent[] = [
  ...spoken,
  { kind: 'finish', reason: 'stop' },
  endEvent('session-1'),
];

/** Plays a response to its end, `batch` events at a time, and returns the window. */
export async function playResponse(
  stage: Stage,
  events: readonly ChatEvent[],
  batch: number,
): Promise<Stage> {
  stage.last.open();
  for (let from = 0; from < events.length; from += batch) {
    stage.last.say(...events.slice(from, from + batch));
    await stage.advance(50);
  }
  await stage.last.done().taken();
  return stage;
}

export function responseOf(entries: readonly JournalEntry[]): string {
  const requested = entries.findLast((entry) => entry.type === 'requested');
  assert.ok(requested, 'Nothing was requested');
  return requested.response;
}

/** A window that takes over and finds the response of the first one. */
export function takeOver(first: Stage): Promise<Stage> {
  return Stage.opened(first.journal, [responseOf(first.journal)]);
}

/** A window that follows the run of another one, by default because that owns the conversation. */
export async function following(
  owner: Stage,
  because: 'isOwnedElsewhere' | 'isTooLate' | 'isForeign' = 'isOwnedElsewhere',
): Promise<Stage> {
  const follower = new Stage(owner.journal);
  follower[because] = true;
  follower.kept.add(responseOf(owner.journal));
  await follower.conversation.resume();
  return follower;
}
