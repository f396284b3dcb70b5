import assert from 'node:assert/strict';
import { ApiError, type ApiErrorInit } from '../../../../src/api/index.ts';
import { askToCreate } from '../../../../src/features/interns/createDialog.ts';
import {
  emptyValues,
  type CreateStep,
  type CreateValues,
} from '../../../../src/features/interns/createValues.ts';
import type { Creation } from '../../../../src/features/interns/creations.ts';
import type { EditedText } from '../../../../src/platform/dialogs/editText.ts';
import { eventually } from '../../../harness/until.ts';
import { creating } from '../../support/creating.ts';
import { FakeAccounts, internOf } from '../../support/fakeAccounts.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { BACK, LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';

const NOW = 'Start provisioning now';
const LATER = 'Provision later';
const RESUME = 'Resume the creation of ada';
const NONE = 'No instructions';
const WRITE = 'Write in an editor…';

interface Setting {
  readonly answers?: readonly (Partial<ApiErrorInit> | 'ok')[];
  /** What comes of each visit to the editor. */
  readonly written?: readonly EditedText[];
  readonly header?: string;
  readonly startAt?: CreateStep;
  readonly initial?: CreateValues;
  /** Tells whether the values are those of a file. */
  readonly isFromFile?: boolean;
}

/** Runs the dialog with a user, a service and an editor that do what the test says. */
async function run(script: readonly Move[], setting: Setting = {}) {
  const { answers = ['ok'], initial = emptyValues, header = '', isFromFile = false } = setting;
  const fake = new FakeAccounts();
  const ports = { accounts: fake.accounts, clock: new FakeClock(), log: new RecordingLog() };
  const idempotencyHeader = () => header;
  const { interns, creations } = creating(ports, idempotencyHeader);
  for (const answer of answers) {
    fake.createAnswers.push(
      answer === 'ok'
        ? internOf({ id: 'i1', name: 'ada', status: 'running' })
        : new ApiError({ kind: 'refused', route: 'create', message: '', ...answer }),
    );
  }
  const written = [...(setting.written ?? [])];
  const opened: string[] = [];
  const described: string[] = [];
  const late: [outcome: Creation | ApiError, mayBeResumed: boolean][] = [];
  const dialogs = new ScriptedDialogs(script);
  const dialog = {
    ...{ dialogs, creations, idempotencyHeader },
    write: (text: string) => {
      opened.push(text);
      const next = written.shift();
      assert.ok(next, 'the editor was opened once too often');
      return Promise.resolve(next);
    },
    showDescription: isFromFile
      ? (description: string) => Promise.resolve(void described.push(description))
      : undefined,
    late: (...outcome: (typeof late)[number]) => late.push(outcome),
  };
  const outcome = await askToCreate(fake.account, initial, dialog, setting.startAt);
  creations.dispose();
  interns.dispose();
  const { creates } = fake;
  const bodies = creates.map(({ body }) => JSON.parse(body) as { readonly instructions?: string });
  const cutOff = await fake.account.store.creations.list();
  return { outcome, shown: dialogs.shown, bodies, creates, opened, described, late, cutOff };
}

describe('Create Intern…', () => {
  it('asks for name, description, instructions and provisioning, and sends them', async () => {
    const { outcome, shown, bodies } = await run(['ada', 'Reviews code', NONE, NOW]);
    assert.deepEqual(
      shown.map(({ step }) => step),
      ['1/4', '2/4', '3/4', '4/4'],
    );
    assert.deepEqual(shown[2]?.rows, [NONE, WRITE, 'From a file…']);
    assert.deepEqual(shown[3]?.rows, [NOW, LATER]);
    assert.deepEqual(bodies, [{ name: 'ada', description: 'Reviews code', provision: true }]);
    assert.equal(outcome.kind, 'created');
  });

  it('leaves out what was left empty, and says what provisioning later means', async () => {
    const { shown, bodies } = await run(['ada', '', NONE, LATER]);
    assert.deepEqual(bodies, [{ name: 'ada', provision: false }]);
    assert.match(shown[3]?.texts[1] ?? '', /must then be started elsewhere/);
  });

  it('names the intern if it opens at its last step', async () => {
    const initial = { ...emptyValues, name: 'grace' };
    const { shown } = await run([NOW], { initial, startAt: 'provision' });
    assert.deepEqual([shown[0]?.step, shown.length], ['4/4', 1]);
    for (const text of shown[0]?.texts ?? []) assert.match(text, /grace/);
  });

  it('refuses what the service would refuse while it is typed', async () => {
    const { shown } = await run([
      ...['', 'a', 'Ada', '1a', 'a--b', 'a-', 'a b', 'abcdefghijklmnopqr', 'ada'],
      ...['x'.repeat(2001), 'x'.repeat(2000)],
      NONE,
      NOW,
    ]);
    const [names = [], descriptions = []] = shown.map(({ refusals }) => refusals);
    assert.equal(new Set(names).size, 8, 'each says what is wrong with it');
    assert.equal(descriptions.length, 1);
  });

  it('keeps all values when a taken name leads back to the name step', async () => {
    const answer = { status: 409, message: 'Name already in use' } as const;
    const { shown, bodies, outcome } = await run(
      ['ada', 'Reviews code', NONE, NOW, 'bob', 'Reviews code', NONE, NOW],
      { answers: [answer, 'ok'] },
    );
    assert.deepEqual(
      shown.slice(4).map(({ value }) => value),
      ['ada', 'Reviews code', NONE, NOW],
    );
    assert.deepEqual(bodies[1], { name: 'bob', description: 'Reviews code', provision: true });
    assert.equal(outcome.kind, 'created');
  });

  /** A failure, the step at which the dialog goes on, and what it says there. */
  const failures: readonly [Partial<ApiErrorInit>, step: string, says: RegExp, next: Move[]][] = [
    [
      { status: 409, message: 'Name already in use' },
      '1/4',
      /^Name already in use\. The intern wasn’t created\. Possible causes/,
      [LEAVE],
    ],
    [
      { status: 403, message: 'This API key may not' },
      '4/4',
      /^This API key may not\. The intern wasn’t created\. Possible causes.*may not create.*creator has left.*regional hostname/,
      [NOW],
    ],
    [{ kind: 'payload-too-large', status: 413 }, '3/4', /1 MiB/, [NONE, NOW]],
    [
      { kind: 'network', code: 'ECONNREFUSED' },
      '4/4',
      /^The API root refused the connection\. The intern wasn’t created\./,
      [NOW],
    ],
    [
      { kind: 'network', code: 'ECONNRESET' },
      '4/4',
      /not known whether the intern was created/,
      [RESUME],
    ],
  ];
  for (const [answer, step, says, next] of failures)
    it(`goes on at step ${step} after ${JSON.stringify(answer)}`, async () => {
      const { shown, cutOff } = await run(['ada', '', NONE, NOW, ...next], {
        answers: [answer, 'ok'],
      });
      // A refusal at the step that is shown is shown in its box.
      const box = shown[4] ?? shown[3];
      assert.equal(box?.step, step);
      assert.match(box.refusals.join(), says);
      assert.deepEqual(cutOff, []);
    });

  it('offers to resume at its last step after a lost connection, with identical bytes', async () => {
    const { shown, creates } = await run(['ada', '', NONE, NOW, RESUME], {
      answers: [{ kind: 'network', code: 'ECONNRESET' }, 'ok'],
      header: 'x-request-key',
    });
    assert.deepEqual([shown[4]?.value, shown[4]?.rows], [RESUME, [RESUME, LATER]]);
    assert.deepEqual(creates[1], creates[0]);
  });

  it('starts another operation when the draft was edited after a lost connection, and keeps the first', async () => {
    const { creates, cutOff } = await run(
      ['ada', '', NONE, NOW, BACK, BACK, BACK, 'bob', '', NONE, NOW],
      { answers: [{ kind: 'network' }, 'ok'], header: 'x-request-key' },
    );
    assert.notEqual(creates[1]?.idempotency?.value, creates[0]?.idempotency?.value);
    assert.deepEqual(
      cutOff.map(({ name }) => name),
      ['ada'],
    );
  });

  it('sends nothing under a header that cannot carry a key, and names the setting', async () => {
    const script: Move[] = ['ada', '', NONE, NOW, LEAVE];
    const { shown, creates, outcome } = await run(script, { header: 'authorization' });
    assert.match(shown[3]?.refusals[0] ?? '', /interns\.idempotencyHeader/);
    assert.deepEqual([creates, outcome.kind], [[], 'left']);
  });

  it('gives back what was entered when the user leaves', async () => {
    const { outcome } = await run(['ada', 'Reviews', LEAVE]);
    const values = { ...emptyValues, name: 'ada', description: 'Reviews' };
    assert.deepEqual(outcome, { kind: 'left', values });
  });

  for (const [answer, ends] of [
    ['ok', ['i1', false]],
    [{}, ['refused', false]],
    [{ kind: 'network' }, ['network', true]],
  ] as const)
    it(`reports a create whose dialog was left: ${JSON.stringify(answer)}`, async () => {
      const script = ['ada', '', NONE, { leavingAfter: NOW }];
      const { outcome, late } = await run(script, { answers: [answer] });
      assert.equal(outcome.kind, 'left');
      await eventually(() => late.length > 0);
      const [[end, mayBeResumed] = assert.fail()] = late;
      assert.deepEqual([end instanceof ApiError ? end.kind : end.intern.id, mayBeResumed], ends);
    });
});

describe('instructions written in an editor', () => {
  const discarded: EditedText = { kind: 'discarded', text: '' };
  for (const [title, script, written, instructions] of [
    ['are used', [WRITE, NOW], [{ kind: 'used', text: '# Be kind' }], '# Be kind'],
    [
      'bring the dialog back to their step when they are discarded',
      [WRITE, WRITE, NOW],
      [discarded, { kind: 'used', text: 'whole' }],
      'whole',
    ],
    [
      'are not sent if the user chooses to have none after all',
      [WRITE, BACK, NONE, NOW],
      [{ kind: 'used', text: 'half' }],
      undefined,
    ],
  ] as const)
    it(title, async () => {
      const { bodies } = await run(['ada', '', ...script], { written });
      assert.equal(bodies[0]?.instructions, instructions);
    });
});

describe('Create Intern from This File', () => {
  const SHOW = 'Show all of it';
  const SHOW_DESCRIPTION = 'Show the whole description';
  const long = `Be brief. ${'Really. '.repeat(20)}And send me what you find.`;
  const seeFirst = /Shows all of it first/;
  const brief: EditedText = { kind: 'used', text: 'Be brief.' };

  const fromFile = (
    script: readonly Move[],
    { instructions = '', description = 'Counts', written = [] as readonly EditedText[] },
  ) =>
    run(script, {
      initial: {
        ...{ name: 'grace', description, instructions, provision: true },
        source: instructions === '' ? 'none' : 'intern-file',
      },
      ...{ isFromFile: true, startAt: 'provision', written },
    });

  it('sends no instructions of which only the beginning was in sight', async () => {
    const written: EditedText[] = [{ kind: 'discarded', text: long }, brief];
    const given = { instructions: long, written };
    const { shown, bodies, opened } = await fromFile([NOW, LATER, NOW], given);
    const [first, second, third] = shown;
    assert.deepEqual(first?.rows, [SHOW, NOW, LATER]);
    assert.equal(first.texts[0], 'grace | Counts');
    assert.match(first.texts[1] ?? '', /Instructions: 196 characters \| Be brief\. .*…$/);
    for (const text of first.texts.slice(2)) assert.match(text, seeFirst);
    assert.deepEqual(opened, [long, long]);
    assert.deepEqual(second?.rows, first.rows, 'what was discarded is not sent either');
    assert.deepEqual([third?.rows, third?.value], [[NOW, LATER], LATER]);
    assert.deepEqual(bodies, [
      { name: 'grace', description: 'Counts', instructions: 'Be brief.', provision: true },
    ]);
  });

  it('sends instructions at once that their row shows whole, and shows them if asked', async () => {
    const written: EditedText[] = [{ kind: 'discarded', text: '' }];
    const given = { instructions: 'Be brief', written };
    const { shown, bodies, opened } = await fromFile([SHOW, NOW], given);
    assert.equal(shown[0]?.texts[1], `${SHOW} | Instructions: 8 characters | Be brief`);
    assert.deepEqual([opened, bodies[0]?.instructions], [['Be brief'], 'Be brief']);
  });

  it('sends no description of which only the beginning was in sight', async () => {
    const { shown, bodies, described } = await fromFile([NOW, LATER], { description: long });
    const [first, second] = shown;
    assert.deepEqual(first?.rows, [SHOW_DESCRIPTION, NOW, LATER]);
    assert.match(first.texts[0] ?? '', /^grace \| Be brief\. .*…$/);
    for (const text of first.texts.slice(2)) assert.match(text, seeFirst);
    assert.deepEqual([described, second?.value], [[long], NOW]);
    assert.deepEqual(bodies, [{ name: 'grace', description: long, provision: false }]);
  });

  it('shows the description before the instructions, and sends neither before both were shown', async () => {
    const { shown, bodies, described, opened } = await fromFile([SHOW_DESCRIPTION, NOW, NOW], {
      ...{ instructions: long, description: 'Counts\nand more', written: [brief] },
    });
    const both = [SHOW_DESCRIPTION, SHOW, NOW, LATER];
    assert.deepEqual(
      shown.map(({ rows }) => rows),
      [both, both, [SHOW_DESCRIPTION, NOW, LATER]],
    );
    assert.deepEqual([described, opened, bodies.length], [['Counts\nand more'], [long], 1]);
  });

  it('shows a description again that was edited', async () => {
    const edited = `${long} Edited.`;
    const script: Move[] = [SHOW_DESCRIPTION, BACK, BACK, edited, NONE, NOW, NOW];
    const { described, bodies } = await fromFile(script, { description: long });
    assert.deepEqual([described, bodies.length], [[long, edited], 1]);
  });

  for (const [text, isInSight] of [
    ['x'.repeat(80), true],
    ['x'.repeat(81), false],
    ['Be brief\nor not', false],
    [`Be brief${'\u{e0041}'.repeat(70)}`, false],
  ] as const)
    it(`takes ${JSON.stringify(text).slice(0, 24)} (${text.length}) ${isInSight ? '' : 'not '}for in sight`, async () => {
      const written: EditedText[] = [{ kind: 'discarded', text: '' }];
      const { opened } = await fromFile([NOW, LEAVE], { instructions: text, written });
      const { described } = await fromFile([NOW, LEAVE], { description: text });
      assert.deepEqual([opened, described], isInSight ? [[], []] : [[text], [text]]);
    });

  it('shows no description that its user wrote', async () => {
    const { bodies, described } = await run(['ada', 'x'.repeat(200), NONE, NOW]);
    assert.deepEqual([described, bodies.length], [[], 1]);
  });
});
