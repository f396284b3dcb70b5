import assert from 'node:assert/strict';
import type { Intern } from '../../src/api/index.ts';
import { internTooltip } from '../../src/features/interns/rows.ts';
import type { InternRecord } from '../../src/features/accounts/records.ts';

const now = Date.UTC(2026, 0, 31, 12);

const intern: Intern = {
  id: 'intern_ada',
  name: 'ada',
  description: 'Looks after the orchard',
  instructions: 'Water the trees.',
  model: null,
  status: 'failed',
  hostname: 'ada.example.com',
  progress: { step: 'network' },
  lastFailureMessage: 'No address was free',
  vaultId: 'vault_1',
  attachedVaultId: null,
  workspaceId: 'ws_orchard',
  createdAt: '2026-01-30T10:00:00Z',
  updatedAt: null,
};

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

const noFacts = { record, pending: 0, allowed: [], costs: undefined };

/** The tooltip's lines as they are written, escapes aside. */
function linesOf(facts: Partial<Parameters<typeof internTooltip>[0]>): readonly string[] {
  return internTooltip({ ...noFacts, ...facts }, now)
    .value.replaceAll(/&nbsp;/g, ' ')
    .replaceAll(/\\(.)/g, '$1')
    .split('\n')
    .map((line) => line.trim());
}

describe('the tooltip of an intern', () => {
  it('sums up what its conversations have cost, where any did', () => {
    const costOf = (all: number) =>
      linesOf({ costs: { today: 0.25, week: 0.5, all } }).find((line) => line.includes('Cost'));
    assert.equal(costOf(2), '**Cost here:** $0.25 today, $0.50 in seven days, $2.00 in all');
    assert.equal(costOf(0), undefined);
  });

  it('has every field that the service gave, and none that it left out', () => {
    const lines = linesOf({});
    for (const line of [
      '**Last failure:** No address was free',
      '**Description:** Looks after the orchard',
      '**Hostname:** ada.example.com',
      '**Progress:** {"step":"network"}',
      '**Instructions:** Water the trees.',
      '**Id:** intern_ada',
      '**Workspace:** ws_orchard',
      '**Vault:** vault_1',
    ])
      assert.ok(lines.includes(line), `${line} in ${lines.join('\n')}`);
    assert.ok(lines.some((line) => line.startsWith('**Created:**')));
    assert.ok(!lines.some((line) => /Borrowed vault|Updated/.test(line)));
  });

  it('tells what it was allowed always, by operation, and nothing where it was allowed nothing', () => {
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
      lines.includes('**Allowed always:** run_shell and an unnamed tool (may have been received)'),
    );
    assert.ok(!linesOf({}).some((line) => line.includes('Allowed always')));
  });

  it('says that questions wait', () => {
    assert.ok(linesOf({ pending: 2 }).some((line) => line.includes('2 questions')));
  });

  it('runs no command and fetches no image that the service names', () => {
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

  it('shows the start of long instructions, and how long they are', () => {
    const long = 'é'.repeat(5000);
    const facts = { record: { ...record, intern: { ...intern, instructions: long } } };
    const line = linesOf(facts).find((each) => each.startsWith('**Instructions:**')) ?? '';
    assert.match(line, /5,000 characters in all/);
    assert.ok(line.length < 500);
  });
});
