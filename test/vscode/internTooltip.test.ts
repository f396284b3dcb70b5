import assert from 'node:assert/strict';
import { internTooltip } from '../../src/features/interns/rows.ts';
import type { InternRecord } from '../../src/features/accounts/records.ts';
import { internOf } from '../unit/support/fakeAccounts.ts';

const now = Date.UTC(2026, 0, 31, 12);

const intern = internOf({
  ...{ id: 'intern_ada', name: 'ada', status: 'failed', hostname: 'ada.example.com' },
  ...{ description: 'Looks after the orchard', instructions: 'Water the trees.' },
  ...{ progress: { step: 'network' }, lastFailureMessage: 'No address was free' },
  ...{ vaultId: 'vault_1', workspaceId: 'ws_orchard', createdAt: '2026-01-30T10:00:00Z' },
});

const record: InternRecord = {
  id: intern.id,
  intern,
  origin: 'created',
  addedAt: now - 86_400_000,
  status: 'failed',
  statusAt: now - 60_000,
  statusFrom: 'created',
  creation: null,
};

const noFacts = { record, counts: { waiting: 0, running: 0 }, allowed: [], costs: undefined };

/** Returns the tooltip's lines without escapes. */
function linesOf(facts: Partial<Parameters<typeof internTooltip>[0]>): readonly string[] {
  return internTooltip({ ...noFacts, ...facts }, now)
    .value.replaceAll(/&nbsp;/g, ' ')
    .replaceAll(/\\(.)/g, '$1')
    .split('\n')
    .map((line) => line.trim());
}

describe('the tooltip of an intern', () => {
  it('the tooltip of an intern sums up the cost of its conversations', () => {
    const costOf = (all: number) =>
      linesOf({ costs: { today: 0.25, week: 0.5, all } }).find((line) => line.includes('Cost'));
    assert.equal(
      costOf(2),
      '**Cost in VS Code:** $0.25 today, $0.50 in seven days, $2.00 in total',
    );
    assert.equal(costOf(0), undefined);
  });

  it('the tooltip of an intern shows exactly the fields that the service sent', () => {
    const lines = linesOf({});
    for (const line of [
      '**Last failure:** No address was free',
      '**Description:** Looks after the orchard',
      '**Hostname:** ada.example.com',
      '**Progress:** {"step":"network"}',
      '**Instructions:** Water the trees.',
      '**ID:** intern_ada',
      '**Workspace:** ws_orchard',
      '**Vault:** vault_1',
    ])
      assert.ok(lines.includes(line), `${line} in ${lines.join('\n')}`);
    assert.ok(lines.some((line) => line.startsWith('**Created:**')));
    assert.ok(!lines.some((line) => /Borrowed vault|Updated/.test(line)));
  });

  it('the tooltip of an intern lists operations that are always allowed', () => {
    const allow = (operation: string | null, isUnclear?: true) => ({
      id: String(operation),
      intern: intern.id,
      internName: 'ada',
      operation,
      allowedAt: now,
      ...(isUnclear && { isUnclear }),
    });
    const lines = linesOf({ allowed: [allow('run_shell'), allow(null, true)] });
    assert.ok(
      lines.includes('**Always allowed:** run_shell and an unnamed tool (may have been received)'),
    );
    assert.ok(!linesOf({}).some((line) => line.includes('Allowed always')));
  });

  it('the tooltip of an intern counts the questions that wait', () => {
    assert.ok(
      linesOf({ counts: { waiting: 2, running: 0 } }).some((line) => line.includes('2 waiting')),
    );
  });

  it('the tooltip of an intern runs no command and fetches no image', () => {
    const hostile =
      '[click](command:workbench.action.quit) ![](https://example.com/x.png) <img src=x>';
    const facts = {
      ...noFacts,
      record: { ...record, intern: { ...intern, description: hostile } },
    };
    const tooltip = internTooltip(facts, now);
    assert.ok(tooltip.isTrusted !== true && tooltip.supportHtml !== true);
    assert.doesNotMatch(tooltip.value, /(?<!\\)\[click/);
    assert.doesNotMatch(tooltip.value, /(?<!\\)!\[/);
  });

  it('the tooltip of an intern shows the start and the length of long instructions', () => {
    const long = 'é'.repeat(5000);
    const facts = { record: { ...record, intern: { ...intern, instructions: long } } };
    const line = linesOf(facts).find((each) => each.startsWith('**Instructions:**')) ?? '';
    assert.match(line, /5,000 characters in total/);
    assert.ok(line.length < 500);
  });
});
