import { h } from '../dom.ts';
import type { Words } from '../words.ts';
import type { Messages } from './history.ts';
import type { MessageDrawing } from './messages.ts';

/**
 * Puts the day before each message, of those from a place up to another, that is the first one of another day than the
 * message before it, as the days of the user's time zone are. Of one whose message before is not known yet, not yet.
 */
export function divideDays(
  messages: Messages,
  drawn: ReadonlyMap<string, MessageDrawing>,
  from: number,
  to: number,
  words: Words,
): void {
  for (let place = from; place <= to; place++) {
    const [before, message] = [messages.at(place - 1), messages.at(place)];
    if (before === undefined || message === undefined || isSameDay(before.at, message.at)) continue;
    const element = drawn.get(message.id)?.element;
    if (element === undefined || element.previousElementSibling?.matches('.day') === true) continue;
    const day = words.day(message.at);
    element.before(h('div', { class: 'day', role: 'separator', 'aria-label': day }, day));
  }
}

function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}
