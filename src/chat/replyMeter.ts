import type { ChatEvent } from '../api/index.ts';

/**
 * Most characters (UTF-16 units) of one reply, reasoning and questions included: three times of what the page promises
 * to show with ease, and far more than anybody reads. A stream that never ends must not fill memory and disk.
 */
export const mostReplyCharacters = 16 * 1_048_576;
/** What a new part of a reply counts beside its text: one of a single character costs more than that to keep. */
const partCost = 256;

/** Counts what one reply says, across the requests that its questions split it into. */
export class ReplyMeter {
  #run = '';
  #characters = 0;
  #lastKind: ChatEvent['kind'] | undefined;

  /** Counts what a run said. @returns whether it may say more */
  take(run: string, events: readonly ChatEvent[]): boolean {
    if (run !== this.#run) {
      this.#run = run;
      this.#characters = 0;
    }
    for (const event of events) {
      this.#characters += sizeOf(event);
      if (event.kind !== this.#lastKind || event.kind === 'interaction')
        this.#characters += partCost;
      this.#lastKind = event.kind;
    }
    return this.#characters <= mostReplyCharacters;
  }
}

function sizeOf(event: ChatEvent): number {
  switch (event.kind) {
    case 'text':
    case 'reasoning':
      return event.text.length;
    case 'interaction':
      return event.call.name.length + event.call.arguments.length;
    case 'role':
    case 'finish':
    case 'end':
    case 'malformed':
      return 0;
  }
}
