import { ApiError, MAX_REPLY_CHARACTERS, type ChatEvent } from '../api/index.ts';

/** What a new part of a reply counts beside its text: one of a single character costs more than that to keep. */
const partCost = 256;

/** Counts what one reply says, across the requests that its questions split it into. */
export class ReplyMeter {
  #run = '';
  #characters = 0;
  #lastKind: ChatEvent['kind'] | undefined;

  /** @throws ApiError where a run has said more than a reply may hold */
  count(run: string, events: readonly ChatEvent[]): void {
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
    if (this.#characters <= MAX_REPLY_CHARACTERS) return;
    const message = `The reply has more than ${MAX_REPLY_CHARACTERS} characters`;
    throw new ApiError({ kind: 'reply-too-long', route: 'chat', message, inStream: true });
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
