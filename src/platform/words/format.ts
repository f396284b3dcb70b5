import { env, l10n } from 'vscode';

/** Formats by the editor's own language, whatever the machine's is. */

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** The largest unit that a span fills: seconds in one, and the span from which on it is used. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * DAY_S],
  ['month', 30 * DAY_S],
  ['week', 7 * DAY_S],
  ['day', DAY_S],
  ['hour', HOUR_S],
  ['minute', MINUTE_S],
];

/** `1,234.5`, with at most `digits` digits after the point. */
export function formatNumber(value: number, digits = 2): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value);
}

/** An amount of the service, such as what is left of a limit, with the digits that small ones need. */
export function formatAmount(value: number): string {
  return formatNumber(value, 6);
}

/** A share from 0 to 1 as `37.5%`. */
export function formatShare(share: number): string {
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(
    share,
  );
}

/** US dollars, with the digits that small amounts need: `$12.30`, `$0.0042`, `$0.000022`. */
export function formatDollars(value: number): string {
  const digits = Math.abs(value) < 1 ? 4 : 2;
  return new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
    // What was spent is never shown as nothing.
    minimumSignificantDigits: 1,
    maximumSignificantDigits: 2,
    roundingPriority: 'morePrecision',
  }).format(value);
}

/** `3 minutes ago`, `in 2 days`; `just now` within a minute of `now`. Both are epoch ms. */
export function formatRelative(time: number, now: number): string {
  const seconds = (time - now) / 1000;
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  if (unit === undefined) return l10n.t('just now');
  const [name, size] = unit;
  const amount = Math.trunc(seconds / size);
  return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(amount, name);
}

/** A span of time in ms, by its two largest units: `2h 5m`, `3m 20s`, `4s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const parts = [
    ['hour', Math.floor(seconds / HOUR_S)],
    ['minute', Math.floor((seconds % HOUR_S) / MINUTE_S)],
    ['second', seconds < HOUR_S ? seconds % MINUTE_S : 0],
  ] as const;
  return parts
    .filter(([, amount]) => amount > 0)
    .map(([unit, amount]) =>
      new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'narrow' }).format(
        amount,
      ),
    )
    .join(' ');
}

/** A date and a time of day in the user's time zone. `time` is epoch ms. */
export function formatDateTime(time: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    time,
  );
}

/** A timestamp of the service, ISO 8601, as {@link formatDateTime}; the text as it came where it is none. */
export function formatTimestamp(timestamp: string): string {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? timestamp : formatDateTime(time);
}

/** Names in a row: `a, b, and c`. */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(items);
}

/** The editor's language as a tag that Intl knows; English for a pseudo-language or one that it does not know. */
export function locale(): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(env.language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
