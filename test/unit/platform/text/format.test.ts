import assert from 'node:assert/strict';
import { INTERN_STATUSES } from '../../../../src/api/index.ts';
import { languageBundle } from '../../../harness/strings.ts';
import { env, l10n } from '../../support/fakeVscode.ts';
import { useStubs } from '../../support/stubEditor.ts';
import {
  asSentence,
  formatDollars,
  formatNumber,
  formatRelative,
  formatSentences,
  formatTimestamp,
  locale,
} from '../../../../src/platform/text/format.ts';
import { countsLabel, statusLabel } from '../../../../src/features/interns/internState.ts';
import { hostsLabel } from '../../../../src/features/vault/secretMessages.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

describe('numbers and times', () => {
  afterEach(() => {
    env.language = 'en';
  });

  it("numbers and times follow the editor's language", () => {
    assert.equal(formatNumber(1234.5), '1,234.5');
    env.language = 'de';
    assert.equal(formatNumber(1234.5), '1.234,5');
    assert.equal(formatRelative(0, 3 * day), 'vor 3 Tagen');
    env.language = 'ar-EG';
    assert.equal(countsLabel({ waiting: 3, running: 0 }), '٣ waiting');
  });

  it('numbers and times are English in a pseudo-language and an unknown one', () => {
    for (const language of ['qps-ploc', 'xx', '', 'not a tag']) {
      env.language = language;
      assert.equal(locale(), 'en');
    }
  });

  it('the format of money shows dollar amounts below a cent', () => {
    assert.equal(formatDollars(12.3), '$12.30');
    assert.equal(formatDollars(0.0042), '$0.0042');
    assert.equal(formatDollars(0), '$0.00');
    assert.equal(formatDollars(0.000022), '$0.000022');
  });

  const now = 1_000 * day;
  for (const [ago, expected] of [
    [59_000, 'just now'],
    [minute, '1 minute ago'],
    [119 * minute, '1 hour ago'],
    [day, 'yesterday'],
    [-6.9 * day, 'in 6 days'],
    [-14 * day, 'in 2 weeks'],
    [400 * day, 'last year'],
  ] as const)
    it(`a relative time uses the largest full unit: ${expected}`, () => {
      assert.equal(formatRelative(now - ago, now), expected);
    });

  it('the format of times leaves an invalid timestamp unchanged', () => {
    assert.equal(formatTimestamp('whenever'), 'whenever');
    assert.match(formatTimestamp('2026-03-10T12:00:00Z'), /2026/);
  });
});

describe('sentences', () => {
  const stub = useStubs();

  it('sentences are joined by one space, without those that are empty', () => {
    assert.equal(formatSentences(['Sent.', '', null, false, undefined, 'Done.']), 'Sent. Done.');
    assert.equal(formatSentences([]), '');
  });

  it('a title gets a full stop, unless it ends with one', () => {
    for (const text of ['Sent.', 'Sent?', '“Sent!”', '送信しました。'])
      assert.equal(asSentence(text), text);
    assert.equal(asSentence('Sent'), 'Sent.');
    assert.equal(asSentence('Ended with “stop”'), 'Ended with “stop”.');
  });

  it('Japanese sentences have no space between them, and their own full stop', async () => {
    const japanese = await languageBundle('ja');
    const { t } = l10n;
    stub(l10n, { t: (text: string, ...given: string[]) => t(japanese[text] ?? text, ...given) });
    const title = asSentence('API キーが不明です');
    assert.equal(
      formatSentences([title, 'やり直してください。']),
      'API キーが不明です。やり直してください。',
    );
  });
});

describe('counts', () => {
  it('counts have words for none and many', () => {
    assert.equal(countsLabel({ waiting: 0, running: 0 }), '');
    assert.equal(countsLabel({ waiting: 2, running: 1200 }), '2 waiting · 1,200 running');
    const hosts = Array.from({ length: 1101 }, (_, index) => `h${index}.test`);
    assert.equal(hostsLabel(hosts), 'h0.test and 1,100 more');
  });
});

describe('the label of a status', () => {
  it('each status has a different label', () => {
    const labels = [...INTERN_STATUSES, null].map(statusLabel);
    assert.equal(new Set(labels).size, 9);
    assert.equal(statusLabel(null), 'Unknown');
    for (const label of labels) assert.doesNotMatch(label, /_/);
  });

  it('the label of an unlisted status is one line of inert text', () => {
    assert.equal(statusLabel('hibernating'), 'hibernating');
    assert.doesNotMatch(statusLabel('$(alert)\n[x](command:y)'), /\$\(|\]\(|\n/);
  });
});
