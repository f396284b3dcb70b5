import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { KeyInfo } from '../../../../src/api/index.ts';
import { keyFacts, keyInfoJson, type Fact } from '../../../../src/features/keyInfo/keyFacts.ts';
import { escapeHtml } from '../../../../src/platform/escapeHtml.ts';
import { keyInfoPage } from '../../../../src/features/keyInfo/keyInfoPage.ts';
import type { AccountRecord } from '../../../../src/features/accounts/records.ts';
import { keyInfoOf } from '../../support/fakeService.ts';

const record: AccountRecord = {
  id: 'a',
  root: 'https://interns.example.com/api/v1',
  label: 'Owner',
  workspaceId: 'workspace-1',
  creatorUserId: 'user-1',
  expiresAt: null,
  keyState: 'present',
  fromEnvironment: false,
  signedInAt: 0,
  keySince: 0,
};
const now = Date.parse('2026-03-10T12:00:00Z');
const factsOf = (known: Partial<KeyInfo>) => keyFacts(keyInfoOf(known), record, now);
const valueOf = (facts: readonly Fact[], name: string) =>
  facts.find((fact) => fact.name === name)?.value;
const pageOf = (known: Partial<KeyInfo>, title = 'Key') =>
  keyInfoPage(
    title,
    { kind: 'read', facts: factsOf(known), costs: undefined, readAt: 'now' },
    'nonce',
  );

describe('the key information', () => {
  it('draws a bar of the limit only where there are two numbers', () => {
    assert.equal(factsOf({ limit: 100, limitRemaining: 25 }).limitUsed, 0.75);
    assert.equal(factsOf({ limit: 100, limitRemaining: 120 }).limitUsed, 0);
    assert.equal(factsOf({ limit: 100, limitRemaining: -5 }).limitUsed, 1);
    for (const known of [
      { limit: 100 },
      { limitRemaining: 5 },
      { limit: 0, limitRemaining: 0 },
      {},
    ]) {
      assert.equal(factsOf(known).limitUsed, null);
      assert.doesNotMatch(pageOf(known), /role="img"/);
    }
  });

  it('says "Not given" for what is null, and keeps zero, no and none apart from it', () => {
    const nothing = factsOf({});
    assert.equal(valueOf(nothing.limit, 'Limit'), 'Not given');
    assert.equal(valueOf(nothing.key, 'Free tier'), 'Not given');
    assert.equal(valueOf(nothing.freeModels, 'Used today'), 'Not given');
    const zeros = factsOf({ limit: 0, isFreeTier: false, allowedDataRegions: [] });
    assert.equal(valueOf(zeros.limit, 'Limit'), '0');
    assert.equal(valueOf(zeros.key, 'Free tier'), 'No');
    assert.equal(valueOf(zeros.key, 'Data regions'), 'None');
  });

  it('shows small amounts, and no unit that the interface does not give', () => {
    const page = pageOf({ limit: 12.5, usage: 0.000123, usageDaily: 3 });
    assert.match(page, /0\.000123/);
    assert.doesNotMatch(page, /\$|USD|€|credits/);
  });

  it('shows every field', () => {
    const page = pageOf({
      label: 'LABEL',
      organizationId: 'ORGANIZATION',
      allowedDataRegions: ['REGION'],
      limitReset: 'RESET',
      usage: 1001,
      usageDaily: 1002,
      usageWeekly: 1003,
      usageMonthly: 1004,
      byokUsage: 1005,
      byokUsageDaily: 1006,
      byokUsageWeekly: 1007,
      byokUsageMonthly: 1008,
      limit: 1009,
      limitRemaining: 1010,
      freeModelDailyRequests: { limit: 1011, remaining: 1012, used: 1013 },
    });
    for (const text of ['LABEL', 'ORGANIZATION', 'REGION', 'RESET', 'workspace-1', 'user-1'])
      assert.ok(page.includes(text), text);
    for (let amount = 1001; amount <= 1013; amount++)
      assert.ok(page.includes(amount.toLocaleString('en')), String(amount));
  });

  it("is copied as JSON under the interface's names", () => {
    const json = JSON.parse(
      keyInfoJson(
        keyInfoOf({
          includeByokInLimit: true,
          freeModelDailyRequests: { limit: 1, remaining: 1, used: 0 },
        }),
      ),
    ) as Record<string, unknown>;
    assert.equal(json['include_byok_in_limit'], true);
    assert.deepEqual(json['free_model_daily_requests'], { limit: 1, remaining: 1, used: 0 });
    assert.equal(json['creator_user_id'], 'user-1');
    assert.deepEqual(
      Object.keys(json).filter((name) => /[A-Z]/.test(name)),
      [],
    );
  });
});

describe('the page of the key information', () => {
  it('runs nothing that the service says, whatever that is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(escapeHtml(text), /[<>"']/);
      }),
    );
    const hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>';
    const page = pageOf({ label: hostile, organizationId: hostile, limitReset: hostile }, hostile);
    assert.doesNotMatch(page, /<(img|script)/);
  });

  it('allows no script, no image and no connection', () => {
    const page = pageOf({});
    assert.match(page, /content="default-src 'none'; style-src 'nonce-nonce'"/);
    assert.doesNotMatch(page, /<script|style="|onclick/);
  });

  it('links to its own commands alone', () => {
    const links = [...pageOf({}).matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    assert.deepEqual(links, ['command:interns.refreshKeyInfo', 'command:interns.copyKeyInfo']);
  });
});
