import { createParser } from 'eventsource-parser';

/** Most characters that one event may hold back while it is incomplete: four times a request's own limit. */
export const MAX_EVENT_CHARACTERS = 4 * 1_048_576;

/** From how many characters on a network chunk is too large to be copied for the sake of its first line. */
const LARGE_CHUNK_CHARACTERS = 4_096;

/** What an event stream says. Types and ids of events mean nothing in this interface and are dropped. */
interface EventStreamHandlers {
  /** The data of one event, its lines joined by line feeds. */
  readonly onData: (data: string) => void;
  /** The text of a comment line, without the colon and one space. */
  readonly onComment: (comment: string) => void;
}

/**
 * Reads an event stream from bytes cut anywhere, in characters and in line ends too, as the HTML standard says
 * ("Parsing an event stream"): UTF-8 with replacement, one byte order mark, lines ended by LF, CR or CRLF.
 */
export class EventStreamDecoder {
  // The parser takes one byte order mark itself; one taken here as well would be one too many.
  readonly #text = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #parser: { feed(text: string): void };
  #overflowed = false;

  constructor({ onData, onComment }: EventStreamHandlers) {
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_CHARACTERS,
      onEvent: ({ data }) => onData(data),
      onComment,
      onError: ({ type }) => {
        this.#overflowed ||= type === 'max-buffer-size-exceeded';
      },
    });
  }

  /** Whether an event outgrew {@link MAX_EVENT_CHARACTERS}; nothing more is read then. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /** Reads the next bytes and calls the handlers for what they completed. */
  push(bytes: Uint8Array): void {
    const text = this.#text.decode(bytes, { stream: true });
    if (text.length < LARGE_CHUNK_CHARACTERS) {
      this.#feed(text);
      return;
    }
    // The parser joins what the last chunk left open with all that it is fed: with the rest of that line alone, a large
    // chunk is not copied as a whole.
    const rest = text.indexOf('\n') + 1;
    this.#feed(text.slice(0, rest));
    this.#feed(text.slice(rest));
  }

  /**
   * Ends the stream and hands on an event that lacks only the blank line after it.
   *
   * The standard drops such an event. Here it would lose what was said: in this interface each data line is a whole
   * chunk of JSON, so one that was cut off in its middle cannot be taken for a complete one.
   */
  end(): void {
    this.#feed(`${this.#text.decode()}\n\n`);
  }

  #feed(text: string): void {
    if (!this.#overflowed) this.#parser.feed(text);
  }
}
