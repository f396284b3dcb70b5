import assert from 'node:assert/strict';
import { INTERN_STATUSES } from '../../../../src/api/index.ts';
import { env } from '../../support/fakeVscode.ts';
import {
  formatDollars,
  formatNumber,
  formatRelative,
  formatTimestamp,
  locale,
} from '../../../../src/platform/words/format.ts';
import { statusLabel } from '../../../../src/features/interns/internState.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('numbers and times', () => {
  afterEach(() => {
    env.language = 'en';
  });

  it("follow the editor's language", () => {
    assert.equal(formatNumber(1234.5), '1,234.5');
    env.language = 'de';
    assert.equal(formatNumber(1234.5), '1.234,5');
    assert.equal(formatRelative(0, 3 * day), 'vor 3 Tagen');
  });

  it('read as English in a pseudo-language and in one that does not exist', () => {
    for (const language of ['qps-ploc', 'xx', '', 'not a tag']) {
      env.language = language;
      assert.equal(locale(), 'en');
    }
  });

  it('show the cents of a cent', () => {
    assert.equal(formatDollars(12.3), '$12.30');
    assert.equal(formatDollars(0.0042), '$0.0042');
    assert.equal(formatDollars(0), '$0.00');
    assert.equal(formatDollars(0.000022), '$0.000022');
  });

  it('count in the largest unit that is full', () => {
    const now = 1_000 * day;
    assert.equal(formatRelative(now - 59_000, now), 'just now');
    assert.equal(formatRelative(now - minute, now), '1 minute ago');
    assert.equal(formatRelative(now - 119 * minute, now), '1 hour ago');
    assert.equal(formatRelative(now - day, now), 'yesterday');
    assert.equal(formatRelative(now + 6.9 * day, now), 'in 6 days');
    assert.equal(formatRelative(now + 14 * day, now), 'in 2 weeks');
    assert.equal(formatRelative(now - 400 * day, now), 'last year');
  });

  it('leave a timestamp alone that is none', () => {
    assert.equal(formatTimestamp('whenever'), 'whenever');
    assert.match(formatTimestamp('2026-03-10T12:00:00Z'), /2026/);
  });
});

describe('the label of a status', () => {
  it('is another for each of the eight, and for one that is not known', () => {
    const labels = [...INTERN_STATUSES, null].map(statusLabel);
    assert.equal(new Set(labels).size, 9);
    assert.equal(statusLabel(null), 'Not known');
    for (const label of labels) assert.doesNotMatch(label, /_/);
  });

  it('shows an unlisted one as it came, on one inert line', () => {
    assert.equal(statusLabel('hibernating'), 'hibernating');
    assert.doesNotMatch(statusLabel('$(alert)\n[x](command:y)'), /\$\(|\]\(|\n/);
  });
});
