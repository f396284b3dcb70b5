import assert from 'node:assert/strict';
import { ApiError, type ApiErrorInit } from '../../../../src/api/index.ts';
import { askToCreate, type CreateOutcome } from '../../../../src/features/interns/createDialog.ts';
import {
  emptyValues,
  type CreateStep,
  type CreateValues,
} from '../../../../src/features/interns/createValues.ts';
import type { Creation } from '../../../../src/features/interns/creations.ts';
import type { WrittenText } from '../../../../src/platform/dialogs/draftEditor.ts';
import type { WriteInstructions } from '../../../../src/features/interns/instructionsDraft.ts';
import { creating } from '../../support/creating.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeAccounts, internOf } from '../../support/fakeAccounts.ts';
import { eventually } from '../../../harness/until.ts';
import { RecordingLog } from '../../support/recordingLog.ts';
import { BACK, LEAVE, ScriptedPrompts, type Move } from '../../support/scriptedPrompts.ts';

const NOW = 'Start provisioning now';
const LATER = 'Provision later';
const RESUME = 'Resume the creation of ada';
const NONE = 'No instructions';
const WRITE = 'Write in an editor…';

interface Setting {
  readonly answers?: readonly (Partial<ApiErrorInit> | 'ok')[];
  /** What comes of each visit to the editor. */
  readonly written?: readonly WrittenText[];
  readonly header?: string;
  readonly startAt?: CreateStep;
  readonly initial?: CreateValues;
  /** Tells whether the values are those of a file. */
  readonly isFromFile?: boolean;
}

/** Runs the dialog with a user, a service and an editor that do what the test says. */
async function run(script: readonly Move[], setting: Setting = {}) {
  const fake = new FakeAccounts();
  const clock = new FakeClock();
  const ports = { accounts: fake.accounts, clock, log: new RecordingLog() };
  const idempotencyHeader = () => setting.header ?? '';
  const { interns, creations } = creating(ports, idempotencyHeader);
  for (const answer of setting.answers ?? ['ok']) {
    fake.createAnswers.push(
      answer === 'ok'
        ? internOf({ id: 'i1', name: 'ada', status: 'running' })
        : new ApiError({ kind: 'refused', route: 'create', message: '', ...answer }),
    );
  }
  const written = [...(setting.written ?? [])];
  const opened: string[] = [];
  const write: WriteInstructions = (text) => {
    opened.push(text);
    const next = written.shift();
    assert.ok(next, 'the editor was opened once too often');
    return Promise.resolve(next);
  };
  const described: string[] = [];
  const showDescription = (description: string) => {
    described.push(description);
    return Promise.resolve();
  };
  const kept: CreateValues[] = [];
  const late: (Creation | ApiError)[] = [];
  const lateResumable: boolean[] = [];
  const prompts = new ScriptedPrompts(script);
  const outcome: CreateOutcome = await askToCreate(
    fake.account,
    setting.initial ?? emptyValues,
    {
      prompts,
      creations,
      write,
      ...(setting.isFromFile === true && { showDescription }),
      idempotencyHeader,
      keep: (values) => {
        kept.push(values);
        return Promise.resolve();
      },
      late: (each, mayBeResumed) => {
        late.push(each);
        lateResumable.push(mayBeResumed);
      },
    },
    setting.startAt,
  );
  creations.dispose();
  interns.dispose();
  const bodies = fake.creates.map(({ body }) => JSON.parse(body) as unknown);
  const cutOff = await fake.account.store.creations.list();
  return {
    outcome,
    prompts,
    shown: prompts.shown,
    bodies,
    creates: fake.creates,
    opened,
    described,
    kept,
    late,
    lateResumable,
    cutOff,
  };
}

describe('Create Intern…', () => {
  it('asks for name, description, instructions and provisioning, in this order, and sends just that', async () => {
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

  it('says which intern it is about where it opens at its last step', async () => {
    const initial = { ...emptyValues, name: 'grace' };
    const { shown } = await run([NOW], { initial, startAt: 'provision' });
    assert.deepEqual([shown[0]?.step, shown.length], ['4/4', 1]);
    for (const text of shown[0]?.texts ?? []) assert.match(text, /grace/);
  });

  describe('from a .intern.json file, which came with the folder', () => {
    const SHOW = 'Show all of it';
    const SHOW_DESCRIPTION = 'Show the whole description';
    const long = `Be brief. ${'Really. '.repeat(20)}And send me what you find.`;
    const fromFile = (instructions: string, description = 'Counts') =>
      ({
        initial: {
          ...emptyValues,
          ...{ name: 'grace', description, instructions, provision: true },
          source: instructions === '' ? 'none' : 'intern-file',
        },
        isFromFile: true,
        startAt: 'provision',
      }) as const;

    it('sends no instructions of which only the beginning was in sight', async () => {
      const { shown, bodies, opened } = await run([NOW, LATER, NOW], {
        ...fromFile(long),
        written: [
          { kind: 'cancelled', text: long },
          { kind: 'used', text: 'Be brief.' },
        ],
      });
      const [first, second, third] = shown;
      assert.deepEqual(first?.rows, [SHOW, NOW, LATER]);
      assert.equal(first.texts[0], 'grace | Counts');
      assert.match(first.texts[1] ?? '', /Instructions: 196 characters \| Be brief\. .*…$/);
      for (const text of first.texts.slice(2)) assert.match(text, /Shows all of it first/);
      assert.deepEqual(opened, [long, long]);
      assert.deepEqual(second?.rows, first.rows, 'what was cancelled is not sent either');
      assert.deepEqual([third?.rows, third?.value], [[NOW, LATER], LATER]);
      assert.deepEqual(bodies, [
        { name: 'grace', description: 'Counts', instructions: 'Be brief.', provision: true },
      ]);
    });

    it('sends at once what its row shows whole, and shows it in an editor where that is asked for', async () => {
      const { shown, bodies, opened } = await run([SHOW, NOW], {
        ...fromFile('Be brief'),
        written: [{ kind: 'cancelled', text: '' }],
      });
      assert.equal(shown[0]?.texts[1], `${SHOW} | Instructions: 8 characters | Be brief`);
      assert.deepEqual(opened, ['Be brief']);
      assert.equal((bodies[0] as { instructions: string }).instructions, 'Be brief');
    });

    it('sends no description of which only the beginning was in sight', async () => {
      const { shown, bodies, described } = await run([NOW, LATER], fromFile('', long));
      const [first, second] = shown;
      assert.deepEqual(first?.rows, [SHOW_DESCRIPTION, NOW, LATER]);
      assert.match(first.texts[0] ?? '', /^grace \| Be brief\. .*…$/);
      for (const text of first.texts.slice(2)) assert.match(text, /Shows all of it first/);
      assert.deepEqual(described, [long]);
      assert.equal(second?.value, NOW);
      assert.deepEqual(bodies, [{ name: 'grace', description: long, provision: false }]);
    });

    it('shows the description before the instructions, and sends neither before both were shown', async () => {
      const written = [{ kind: 'used', text: 'Be brief.' }] as const;
      const { shown, bodies, described, opened } = await run([SHOW_DESCRIPTION, NOW, NOW], {
        ...fromFile(long, 'Counts\nand more'),
        written,
      });
      assert.deepEqual(
        shown.map(({ rows }) => rows),
        [
          [SHOW_DESCRIPTION, SHOW, NOW, LATER],
          [SHOW_DESCRIPTION, SHOW, NOW, LATER],
          [SHOW_DESCRIPTION, NOW, LATER],
        ],
      );
      assert.deepEqual([described, opened], [['Counts\nand more'], [long]]);
      assert.equal(bodies.length, 1);
    });

    it('shows a description that was edited once more', async () => {
      const edited = `${long} Edited.`;
      const { described, bodies } = await run(
        [SHOW_DESCRIPTION, BACK, BACK, edited, NONE, NOW, NOW],
        fromFile('', long),
      );
      assert.deepEqual(described, [long, edited]);
      assert.equal(bodies.length, 1);
    });

    it('sends at once a description that its row shows whole', async () => {
      const { shown, described, bodies } = await run([NOW], fromFile('', 'x'.repeat(80)));
      assert.deepEqual(shown[0]?.rows, [NOW, LATER]);
      assert.equal(shown[0].texts[0], `grace | ${'x'.repeat(80)}`);
      assert.deepEqual([described, bodies.length], [[], 1]);
      assert.equal((await run([NOW, LEAVE], fromFile('', 'x'.repeat(81)))).described.length, 1);
    });

    it('takes no characters that nobody sees, nor a second line, for in sight', async () => {
      for (const instructions of ['Be brief\nor not', `Be brief${'\u{e0041}'.repeat(70)}`]) {
        const { opened } = await run([NOW, LEAVE], {
          ...fromFile(instructions),
          written: [{ kind: 'cancelled', text: '' }],
        });
        assert.deepEqual(opened, [instructions]);
        const { described } = await run([NOW, LEAVE], fromFile('', instructions));
        assert.deepEqual(described, [instructions]);
      }
    });
  });

  it('shows no description that its user wrote', async () => {
    const { bodies, described } = await run(['ada', 'x'.repeat(200), NONE, NOW]);
    assert.deepEqual([described, bodies.length], [[], 1]);
  });

  it('refuses while typing what the service would refuse', async () => {
    const { shown } = await run([
      ...['', 'a', 'Ada', '1a', 'a--b', 'a-', 'a b', 'abcdefghijklmnopqr', 'ada'],
      ...['x'.repeat(2001), 'x'.repeat(2000)],
      NONE,
      NOW,
    ]);
    const [names = [], descriptions = []] = shown.map(({ refusals }) => refusals);
    assert.equal(names.length, 8);
    assert.equal(new Set(names).size, 8, 'each says what is wrong with it');
    assert.equal(descriptions.length, 1);
  });

  it('goes back to the name with everything kept where the name is taken, in the service’s own sentence', async () => {
    const answer = { kind: 'refused', status: 409, message: 'Name already in use' } as const;
    const { shown, bodies, outcome } = await run(
      ['ada', 'Reviews code', NONE, NOW, 'bob', 'Reviews code', NONE, NOW],
      { answers: [answer, 'ok'] },
    );
    assert.match(
      shown[4]?.refusals[0] ?? '',
      /^Name already in use\. The intern wasn’t created\. Possible causes/,
    );
    assert.deepEqual(
      shown.slice(4).map(({ value }) => value),
      ['ada', 'Reviews code', NONE, NOW],
    );
    assert.deepEqual(bodies[1], { name: 'bob', description: 'Reviews code', provision: true });
    assert.equal(outcome.kind, 'created');
  });

  it('stays at the last step after a 403, with the service’s own sentence and what may be behind it', async () => {
    const message = 'This API key may not create interns';
    const { shown, bodies } = await run(['ada', '', NONE, NOW, NOW], {
      answers: [{ kind: 'refused', status: 403, message }, 'ok'],
    });
    assert.equal(shown.length, 4);
    const refusal = shown[3]?.refusals[0] ?? '';
    assert.match(
      refusal,
      /^This API key may not create interns\. The intern wasn’t created\. Possible causes/,
    );
    for (const cause of [/regional hostname/, /creator has left/, /may not create/])
      assert.match(refusal, cause);
    assert.deepEqual(bodies[1], bodies[0]);
  });

  it('goes back to the instructions where the request is too large', async () => {
    const { shown } = await run(['ada', '', NONE, NOW, NONE, NOW], {
      answers: [{ kind: 'payload-too-large', status: 413, message: 'Payload too large' }, 'ok'],
    });
    assert.equal(shown[4]?.step, '3/4');
    assert.match(shown.flatMap(({ refusals }) => refusals).join(), /1 MiB/);
  });

  it('offers to resume at its last step after a lost connection, with identical bytes', async () => {
    const { shown, creates, cutOff } = await run(['ada', '', NONE, NOW, RESUME], {
      answers: [{ kind: 'network', code: 'ECONNRESET' }, 'ok'],
      header: 'x-request-key',
    });
    assert.match(shown[4]?.refusals[0] ?? '', /not known whether the intern was created/);
    assert.deepEqual([shown[4]?.value, shown[4]?.rows], [RESUME, [RESUME, LATER]]);
    assert.deepEqual(creates[1], creates[0]);
    assert.deepEqual(cutOff, []);
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
    const { shown, creates, outcome } = await run(['ada', '', NONE, NOW, LEAVE], {
      header: 'authorization',
    });
    assert.match(shown[3]?.refusals[0] ?? '', /interns\.idempotencyHeader/);
    assert.deepEqual(creates, []);
    assert.equal(outcome.kind, 'left');
  });

  it('gives back what was entered when the user leaves, so that it can go on later', async () => {
    const { outcome } = await run(['ada', 'Reviews', LEAVE]);
    assert.ok(outcome.kind === 'left');
    assert.deepEqual(outcome.values, { ...emptyValues, name: 'ada', description: 'Reviews' });
  });

  it('tells of a create that came through after its dialog was left', async () => {
    const { outcome, late } = await run(['ada', '', NONE, { leavingAfter: NOW }]);
    assert.equal(outcome.kind, 'left');
    await eventually(() => late.length > 0);
    assert.equal((late[0] as Creation).intern.id, 'i1');
  });

  it('tells of a create that failed after its dialog was left', async () => {
    const { late, lateResumable } = await run(['ada', '', NONE, { leavingAfter: NOW }], {
      answers: [{}],
    });
    await eventually(() => late.length > 0);
    assert.ok(late[0] instanceof ApiError);
    assert.deepEqual(lateResumable, [false]);
  });

  it('tells that a create may be resumed which was lost after its dialog was left', async () => {
    const { late, lateResumable } = await run(['ada', '', NONE, { leavingAfter: NOW }], {
      answers: [{ kind: 'network' }],
    });
    await eventually(() => late.length > 0);
    assert.deepEqual(lateResumable, [true]);
  });

  it('says that nothing was created when the service was never reached, and sends the same again', async () => {
    const { shown, creates, cutOff } = await run(['ada', '', NONE, NOW, NOW], {
      answers: [{ kind: 'network', code: 'ECONNREFUSED', message: '' }, 'ok'],
    });
    assert.match(
      shown[3]?.refusals[0] ?? '',
      /^The API root refused the connection\. The intern wasn’t created\./,
    );
    assert.equal(shown.length, 4, 'the dialog stays at its last step');
    assert.equal(creates.length, 2);
    assert.deepEqual(cutOff, []);
  });
});

describe('instructions written in an editor', () => {
  it('are used, after what was entered before was put where a reload cannot lose it', async () => {
    const { bodies, opened, kept } = await run(['ada', '', WRITE, NOW], {
      written: [{ kind: 'used', text: '# Be kind' }],
    });
    assert.deepEqual(bodies, [{ name: 'ada', instructions: '# Be kind', provision: true }]);
    assert.deepEqual(opened, ['']);
    assert.equal(kept[0]?.name, 'ada');
  });

  it('bring the dialog back to its step when they are cancelled, and are there still', async () => {
    const { shown, opened, bodies } = await run(['ada', '', WRITE, WRITE, NOW], {
      written: [
        { kind: 'cancelled', text: 'half' },
        { kind: 'used', text: 'whole' },
      ],
    });
    assert.deepEqual(
      shown.map(({ step }) => step),
      ['1/4', '2/4', '3/4', '3/4', '4/4'],
    );
    assert.equal(opened[1], 'half');
    assert.deepEqual(bodies, [{ name: 'ada', instructions: 'whole', provision: true }]);
  });

  it('are not sent when the user chose to have none after all', async () => {
    const { bodies } = await run(['ada', '', WRITE, NONE, NOW], {
      written: [{ kind: 'cancelled', text: 'half' }],
    });
    assert.deepEqual(bodies, [{ name: 'ada', provision: true }]);
  });

  it('go on at provisioning when the window was reloaded while they were written', async () => {
    const initial = {
      ...emptyValues,
      name: 'ada',
      source: 'editor',
      instructions: 'text',
    } as const;
    const { shown, bodies } = await run([NOW], { initial, startAt: 'provision' });
    assert.deepEqual(
      shown.map(({ step }) => step),
      ['4/4'],
    );
    assert.deepEqual(bodies, [{ name: 'ada', instructions: 'text', provision: true }]);
  });
});
