const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** How long ago a moment was, such as `5 minutes ago`; times are epoch ms. Anything under a minute is `now`. */
export function relativeTime(at: number, now: number, locale?: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const elapsed = at - now;
  const [unit, ms] = units.find(([, size]) => Math.abs(elapsed) >= size) ?? ['second', Infinity];
  return format.format(Math.round(elapsed / ms) || 0, unit);
}

/** A moment as people of `locale` write date and time; `at` is epoch ms. */
export function dateTime(at: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
}

/** The same for an ISO 8601 timestamp of the service; its own text where it cannot be read. */
export function timestamp(text: string, locale?: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : dateTime(at, locale);
}
