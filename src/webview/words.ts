import type { PageStrings } from '../protocol/strings.ts';

/** Puts `values` in place of `{0}`, `{1}` … in one of the host's sentences. */
export function fill(sentence: string, ...values: readonly (string | number)[]): string {
  return sentence.replace(/\{(\d)\}/g, (hole, index: string) => {
    const value = values[Number(index)];
    return value === undefined ? hole : String(value);
  });
}

/**
 * Writes numbers and lengths of time as the user's language does. A formatter is made when it is first used: each takes
 * some milliseconds, and the first paint of a chat needs one of them.
 */
export class Words {
  readonly strings: PageStrings;
  #count: Intl.NumberFormat | undefined;
  readonly #units = new Map<string, Intl.NumberFormat>();
  #time: Intl.DateTimeFormat | undefined;
  #timeOfDay: Intl.DateTimeFormat | undefined;

  constructor(strings: PageStrings) {
    this.strings = strings;
  }

  count(value: number): string {
    this.#count ??= new Intl.NumberFormat(this.strings.locale);
    return this.#count.format(value);
  }

  /** A length of time in milliseconds, as `2m 5s`, or to be said: `2 minutes 5 seconds`. */
  duration(milliseconds: number, unitDisplay: 'narrow' | 'long' = 'narrow'): string {
    const seconds = Math.max(1, Math.round(milliseconds / 1000));
    const rest = this.#unit('second', unitDisplay).format(seconds % 60);
    if (seconds < 60) return rest;
    const minutes = this.#unit('minute', unitDisplay).format(Math.floor(seconds / 60));
    return seconds % 60 === 0 ? minutes : `${minutes} ${rest}`;
  }

  /** Whether a moment is written at once: the first one takes tens of milliseconds. */
  get isMomentReady(): boolean {
    return this.#time !== undefined;
  }

  /** A moment, in epoch milliseconds. */
  moment(at: number): string {
    this.#time ??= new Intl.DateTimeFormat(this.strings.locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    return this.#time.format(at);
  }

  /** The time of day of a moment, in epoch milliseconds. */
  timeOfDay(at: number): string {
    this.#timeOfDay ??= new Intl.DateTimeFormat(this.strings.locale, { timeStyle: 'short' });
    return this.#timeOfDay.format(at);
  }

  /** The day of a moment, in epoch milliseconds. */
  day(at: number): string {
    // Few are shown, so that no formatter is kept for them.
    return new Date(at).toLocaleDateString(this.strings.locale, { dateStyle: 'full' });
  }

  #unit(unit: 'second' | 'minute', unitDisplay: 'narrow' | 'long'): Intl.NumberFormat {
    const key = `${unit} ${unitDisplay}`;
    const { locale } = this.strings;
    const known = this.#units.get(key);
    const format = known ?? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay });
    this.#units.set(key, format);
    return format;
  }
}
