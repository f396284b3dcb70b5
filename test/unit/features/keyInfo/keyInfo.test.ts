import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { KeyInfo } from '../../../../src/api/index.ts';
import { escapeHtml } from '../../../../src/platform/htmlDocument.ts';
import { keyInfoJson, keyInfoPage } from '../../../../src/features/keyInfo/keyInfoPage.ts';
import { accountOf, keyInfoOf } from '../../support/fakeAccounts.ts';

const { record } = accountOf('account-1');
const now = Date.parse('2026-03-10T12:00:00Z');
const pageOf = (known: Partial<KeyInfo>, title = 'Key') =>
  keyInfoPage(title, {
    kind: 'read',
    info: keyInfoOf(known),
    record,
    costs: undefined,
    readAt: now,
  });

describe('keyInfoPage', () => {
  it('the key page shows the used share of a known limit', () => {
    const label = /role="img" aria-label="(\S+) of the limit is used"/;
    for (const [limit, limitRemaining, used] of [
      [100, 25, '75%'],
      [100, 120, '0%'],
      [100, -5, '100%'],
      [100, null, undefined],
      [null, 5, undefined],
      [0, 0, undefined],
      [null, null, undefined],
    ] as const)
      assert.equal(label.exec(pageOf({ limit, limitRemaining }))?.[1], used, `limit ${limit}`);
  });

  it('the key page distinguishes a missing value from zero, false and an empty list', () => {
    for (const [name, known, value] of [
      ['Limit', {}, 'Not provided'],
      ['Free tier', {}, 'Not provided'],
      ['Used today', {}, 'Not provided'],
      ['Limit', { limit: 0 }, '0'],
      ['Free tier', { isFreeTier: false }, 'No'],
      ['Data regions', { allowedDataRegions: [] }, 'None'],
    ] as const)
      assert.ok(pageOf(known).includes(`<dt>${name}</dt><dd>${value}</dd>`), name);
  });

  it('the key page shows small amounts without a unit', () => {
    const page = pageOf({ limit: 12.5, usage: 0.000123, usageDaily: 3 });
    assert.match(page, /0\.000123/);
    assert.doesNotMatch(page, /\$|USD|€|credits/);
  });

  it('the key page shows every field', () => {
    const periods = ['Daily', 'Weekly', 'Monthly'];
    const amounts = [
      ...['limit', 'limitRemaining', 'usage', 'byokUsage'],
      ...['usage', 'byokUsage'].flatMap((usage) => periods.map((period) => usage + period)),
    ];
    const page = pageOf({
      ...{ label: 'LABEL', organizationId: 'ORGANIZATION', limitReset: 'RESET' },
      allowedDataRegions: ['REGION'],
      ...Object.fromEntries(amounts.map((name, index) => [name, 1001 + index])),
      freeModelDailyRequests: { limit: 1011, remaining: 1012, used: 1013 },
    });
    for (const text of ['LABEL', 'ORGANIZATION', 'REGION', 'RESET', 'workspace-1', 'user-1'])
      assert.ok(page.includes(text), text);
    for (let amount = 1001; amount <= 1013; amount++)
      assert.ok(page.includes(amount.toLocaleString('en')), String(amount));
  });

  it('the JSON of a key has the names of the API', () => {
    const freeModelDailyRequests = { limit: 1, remaining: 1, used: 0 };
    const info = keyInfoOf({ includeByokInLimit: true, freeModelDailyRequests });
    const json = JSON.parse(keyInfoJson(info)) as Record<string, unknown>;
    assert.equal(json['include_byok_in_limit'], true);
    assert.deepEqual(json['free_model_daily_requests'], freeModelDailyRequests);
    assert.equal(json['creator_user_id'], 'user-1');
    assert.doesNotMatch(Object.keys(json).join(), /[A-Z]/);
  });

  it('the key page escapes all text of the service', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(escapeHtml(text), /[<>"']/);
      }),
    );
    const hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>';
    const page = pageOf({ label: hostile, organizationId: hostile, limitReset: hostile }, hostile);
    assert.doesNotMatch(page, /<(img|script)/);
  });

  it('the key page allows no script, no image, no connection and only its own links', () => {
    const page = pageOf({});
    assert.match(
      page,
      /content="default-src 'none'; style-src 'nonce-([\w-]{22})'"[^]*<style nonce="\1">/,
    );
    assert.doesNotMatch(page, /<script|style="|onclick/);
    const links = [...page.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    assert.deepEqual(links, ['command:interns.refreshKeyInfo', 'command:interns.copyKeyInfo']);
  });
});
