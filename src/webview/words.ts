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
  #seconds: Intl.NumberFormat | undefined;
  #minutes: Intl.NumberFormat | undefined;
  #time: Intl.DateTimeFormat | undefined;

  constructor(strings: PageStrings) {
    this.strings = strings;
  }

  /** Says that `author` has finished a reply. */
  finished(author: string): string {
    return fill(this.strings.finished, author);
  }

  count(value: number): string {
    this.#count ??= new Intl.NumberFormat(this.strings.locale);
    return this.#count.format(value);
  }

  /** A length of time in milliseconds, as `4s` or `2m 5s`. */
  duration(milliseconds: number): string {
    const { locale } = this.strings;
    this.#seconds ??= unitFormat(locale, 'second');
    const seconds = Math.max(1, Math.round(milliseconds / 1000));
    if (seconds < 60) return this.#seconds.format(seconds);
    this.#minutes ??= unitFormat(locale, 'minute');
    const minutes = this.#minutes.format(Math.floor(seconds / 60));
    return seconds % 60 === 0 ? minutes : `${minutes} ${this.#seconds.format(seconds % 60)}`;
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
}

function unitFormat(locale: string, unit: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' });
}
