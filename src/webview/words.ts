import type { PageStrings } from '../protocol/strings.ts';

/** Puts `values` in place of `{0}`, `{1}` … in one of the host's sentences. */
export function fill(sentence: string, ...values: readonly (string | number)[]): string {
  return sentence.replace(/\{(\d)\}/g, (hole, index: string) => {
    const value = values[Number(index)];
    return value === undefined ? hole : String(value);
  });
}

/** Writes numbers and lengths of time as the user's language does. */
export class Words {
  readonly strings: PageStrings;
  readonly #count: Intl.NumberFormat;
  readonly #seconds: Intl.NumberFormat;
  readonly #minutes: Intl.NumberFormat;
  readonly #time: Intl.DateTimeFormat;

  constructor(strings: PageStrings) {
    const { locale } = strings;
    this.strings = strings;
    this.#count = new Intl.NumberFormat(locale);
    this.#seconds = unitFormat(locale, 'second');
    this.#minutes = unitFormat(locale, 'minute');
    this.#time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  }

  /** Says that `author` has finished a reply. */
  finished(author: string): string {
    return fill(this.strings.finished, author);
  }

  count(value: number): string {
    return this.#count.format(value);
  }

  /** A length of time in milliseconds, as `4s` or `2m 5s`. */
  duration(milliseconds: number): string {
    const seconds = Math.max(1, Math.round(milliseconds / 1000));
    if (seconds < 60) return this.#seconds.format(seconds);
    const minutes = this.#minutes.format(Math.floor(seconds / 60));
    return seconds % 60 === 0 ? minutes : `${minutes} ${this.#seconds.format(seconds % 60)}`;
  }

  /** A moment, in epoch milliseconds. */
  moment(at: number): string {
    return this.#time.format(at);
  }
}

function unitFormat(locale: string, unit: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' });
}
