import { env, l10n } from 'vscode';
import { countCharacters } from '../../api/index.ts';
import { beginningOf } from '../dialogs/plainText.ts';

// All functions format by the editor's language, not the machine's.

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** Units of time in seconds, largest first. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * DAY_S],
  ['month', 30 * DAY_S],
  ['week', 7 * DAY_S],
  ['day', DAY_S],
  ['hour', HOUR_S],
  ['minute', MINUTE_S],
];

/** Formats as `1,234.5`. @param digits most digits after the point */
export function formatNumber(value: number, digits = 2): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: digits }).format(value);
}

/** Formats an amount of the service, which may be small. */
export function formatAmount(value: number): string {
  return formatNumber(value, 6);
}

/** Formats a share from 0 to 1 as `37.5%`. */
export function formatShare(share: number): string {
  return new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(
    share,
  );
}

/** Formats US dollars: `$12.30`, `$0.0042`, `$0.000022`. */
export function formatDollars(value: number): string {
  const digits = Math.abs(value) < 1 ? 4 : 2;
  return new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
    // A small cost must not be shown as $0.
    minimumSignificantDigits: 1,
    maximumSignificantDigits: 2,
    roundingPriority: 'morePrecision',
  }).format(value);
}

/** Formats epoch ms as `3 minutes ago` or `in 2 days`; `just now` within a minute of `now`. */
export function formatRelative(time: number, now: number): string {
  const seconds = (time - now) / 1000;
  const unit = UNITS.find(([, size]) => Math.abs(seconds) >= size);
  if (unit === undefined) return l10n.t('just now');
  const [name, size] = unit;
  const amount = Math.trunc(seconds / size);
  return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(amount, name);
}

/** Formats ms by their two largest units: `2h 5m`, `3m 20s`, `4s`. */
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

/** Formats epoch ms as date and time of day in the user's time zone. */
export function formatDateTime(time: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    time,
  );
}

/** Formats an ISO 8601 timestamp of the service; returns other text unchanged. */
export function formatTimestamp(timestamp: string): string {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? timestamp : formatDateTime(time);
}

/** Returns a text, or the beginning and the length of a text with more than `max` characters (code points). */
export function excerpt(text: string, max: number): string {
  const total = countCharacters(text);
  if (total <= max) return text;
  const start = beginningOf(text, { lines: max, characters: max });
  return l10n.t('{0}… ({1} characters in total)', start, formatNumber(total));
}

export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(items);
}

type OptionalText = string | false | null | undefined;

/** Joins facts that are not empty, with the comma of the editor's language and no “and”. */
export function formatFacts(facts: readonly OptionalText[]): string {
  return joinTexts(facts, (all, fact) => l10n.t('{0}, {1}', all, fact));
}

/** Joins sentences that are not empty, with a space unless the editor's language has none. */
export function formatSentences(sentences: readonly OptionalText[]): string {
  return joinTexts(sentences, (all, sentence) => l10n.t('{0} {1}', all, sentence));
}

function joinTexts(
  texts: readonly OptionalText[],
  join: (all: string, text: string) => string,
): string {
  let all = '';
  for (const text of texts) if (text) all = all === '' ? text : join(all, text);
  return all;
}

/** Adds a full stop if there is none, so that a sentence can follow. */
export function asSentence(text: string): string {
  return /[.!?…。！？]["”’)]?$/u.test(text) ? text : l10n.t('{0}.', text);
}

/** Returns the editor's language as a tag that Intl supports; English if it does not support it. */
export function locale(): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(env.language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
