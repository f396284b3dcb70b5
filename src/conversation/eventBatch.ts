import type { ChatEvent } from '../api/index.ts';
import type { CountedEvent } from './machine/transition.ts';
import { PART_OVERHEAD_CHARACTERS } from './messages.ts';

type TextEvent = Extract<ChatEvent, { kind: 'text' | 'reasoning' }>;

export function isText(
  counted: CountedEvent,
): counted is CountedEvent & { readonly event: TextEvent } {
  return counted.event.kind === 'text' || counted.event.kind === 'reasoning';
}

/** Appends an event, or adds its text to the last one of the same kind. */
export function appendToBatch(events: CountedEvent[], added: CountedEvent): void {
  const last = events.at(-1);
  if (last !== undefined && isText(last) && isText(added) && last.event.kind === added.event.kind)
    events[events.length - 1] = {
      ...added,
      event: { ...added.event, text: last.event.text + added.event.text },
    };
  else events.push(added);
}

/** Returns the size that events add to a reply, as {@link Transcript.sizeOf} counts it. */
export function textLength(events: readonly CountedEvent[]): number {
  const sizes = events.map(
    (each) => PART_OVERHEAD_CHARACTERS + (isText(each) ? each.event.text.length : 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
