import type { PageStrings } from '../protocol/strings.ts';

/** Replaces `{0}`, `{1}` … in one of the host's sentences. */
export function formatMessage(sentence: string, ...values: readonly (string | number)[]): string {
  return sentence.replace(/\{(\d)\}/g, (hole, index: string) => {
    const value = values[Number(index)];
    return value === undefined ? hole : String(value);
  });
}

/**
 * Formats numbers and times in the user's language. Each formatter is created when it is first used, which takes some
 * ms.
 */
export class Localizer {
  readonly strings: PageStrings;
  readonly #durations = new Map<string, Intl.DurationFormat>();
  #time: Intl.DateTimeFormat | undefined;
  #timeOfDay: Intl.DateTimeFormat | undefined;

  constructor(strings: PageStrings) {
    this.strings = strings;
  }

  count(value: number): string {
    return value.toLocaleString(this.strings.locale);
  }

  /** Formats a number of ms as `2m 5s`, or in the long form as `2 minutes, 5 seconds`. */
  duration(ms: number, style: 'narrow' | 'long' = 'narrow'): string {
    const seconds = Math.max(1, Math.round(ms / 1000));
    const known = this.#durations.get(style);
    const format = known ?? new Intl.DurationFormat(this.strings.locale, { style });
    this.#durations.set(style, format);
    return format.format({ minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
  }

  /** True if the formatter of `dateTime` exists. Creating it takes tens of ms. */
  get isDateTimeReady(): boolean {
    return this.#time !== undefined;
  }

  /** @param at epoch ms, as for the functions below */
  dateTime(at: number): string {
    this.#time ??= new Intl.DateTimeFormat(this.strings.locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    return this.#time.format(at);
  }

  timeOfDay(at: number): string {
    this.#timeOfDay ??= new Intl.DateTimeFormat(this.strings.locale, { timeStyle: 'short' });
    return this.#timeOfDay.format(at);
  }

  day(at: number): string {
    return new Date(at).toLocaleDateString(this.strings.locale, { dateStyle: 'full' });
  }
}
