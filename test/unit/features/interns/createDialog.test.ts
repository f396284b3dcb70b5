import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ApiError, type ApiErrorInit } from '../../../../src/api/index.ts';
import {
  askToCreate,
  EMPTY_VALUES,
  type CreateStep,
  type CreateValues,
} from '../../../../src/features/interns/createDialog.ts';
import type { Creation } from '../../../../src/features/interns/creations.ts';
import type { EditedText } from '../../../../src/platform/dialogs/editText.ts';
import { eventually } from '../../../harness/until.ts';
import { creating } from '../../support/creating.ts';
import { FakeAccounts, internOf } from '../../support/fakeAccounts.ts';
import { BACK, LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';
import { useStubs } from '../../support/stubEditor.ts';

const NOW = 'Start provisioning now';
const LATER = 'Provision later';
const RESUME = 'Resume the creation of ada';
const NONE = 'No instructions';
const WRITE = 'Write in an editor…';

interface Setting {
  readonly answers?: readonly (Partial<ApiErrorInit> | 'ok')[];
  /** The text of each visit to the editor. */
  readonly written?: readonly EditedText[];
  readonly header?: string;
  readonly startAt?: CreateStep;
  readonly initial?: CreateValues;
  readonly isFromFile?: boolean;
}

async function run(script: readonly Move[], setting: Setting = {}) {
  const { answers = ['ok'], initial = EMPTY_VALUES, header = '', isFromFile = false } = setting;
  const fake = new FakeAccounts();
  const { creations, dispose } = creating(fake.ports, { idempotencyHeader: header });
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
  const created: Creation[] = [];
  const dialogs = new ScriptedDialogs(script);
  const dialog = {
    ...{ dialogs, creations },
    write: (text: string) => {
      opened.push(text);
      const next = written.shift();
      assert.ok(next, 'the editor opened once too often');
      return Promise.resolve(next);
    },
    showDescription: isFromFile
      ? (description: string) => Promise.resolve(void described.push(description))
      : undefined,
    handleCreated: (creation: Creation) => Promise.resolve(void created.push(creation)),
    handleLeft: () => undefined,
    handleLateFailure: () => assert.fail('no dialog is left'),
  };
  await askToCreate(fake.account, initial, dialog, setting.startAt);
  const isCreated = created.length > 0;
  dispose();
  const { creates } = fake;
  const bodies = creates.map(({ body }) => JSON.parse(body) as { readonly instructions?: string });
  const cutOff = await fake.account.store.creations.list();
  return { isCreated, shown: dialogs.shown, bodies, creates, opened, described, cutOff };
}

describe('Create Intern…', () => {
  const stub = useStubs();
  const taken = { status: 409, message: 'Name already in use' } as const;

  it('the create dialog asks for name, description, instructions and provisioning', async () => {
    const { isCreated, shown, bodies } = await run(['ada', 'Reviews code', NONE, NOW]);
    assert.equal(shown.map(({ step }) => step).join(' '), '1/4 2/4 3/4 4/4');
    assert.deepEqual(shown[2]?.rows, [NONE, WRITE, 'From a file…']);
    assert.deepEqual(shown[3]?.rows, [NOW, LATER]);
    assert.deepEqual(bodies, [{ name: 'ada', description: 'Reviews code', provision: true }]);
    assert.equal(isCreated, true);
  });

  it('the create dialog omits empty values', async () => {
    const { shown, bodies } = await run(['ada', '', NONE, LATER]);
    assert.deepEqual(bodies, [{ name: 'ada', provision: false }]);
    assert.match(shown[3]?.texts[1] ?? '', /start ada outside VS Code/);
  });

  it('the create dialog names the intern if it opens at its last step', async () => {
    const initial = { ...EMPTY_VALUES, name: 'grace' };
    const { shown } = await run([NOW], { initial, startAt: 'provision' });
    assert.deepEqual([shown[0]?.step, shown.length], ['4/4', 1]);
    for (const text of shown[0]?.texts ?? []) assert.match(text, /grace/);
  });

  it('the create dialog refuses typed values that the service would refuse', async () => {
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

  // Rules 21.9, 21.10
  it('an intern whose texts are too long only in UTF-16 units is created with a warning', async () => {
    const warnings: string[] = [];
    stub(vscode.window, { showWarningMessage: (text: string) => warnings.push(text) });
    const used = (text: string) => [{ kind: 'used', text }] as const;
    await run(['ada', '🙂'.repeat(1_000), WRITE, NOW], { written: used('🙂'.repeat(50_000)) });
    assert.equal(warnings.length, 0);
    for (const [description, instructions] of [
      ['🙂'.repeat(1_001), 'Read.'],
      ['Reads.', '🙂'.repeat(50_001)],
    ] as const) {
      const written = used(instructions);
      const { isCreated } = await run(['ada', description, WRITE, NOW], { written });
      assert.equal(isCreated, true);
      assert.match(warnings.pop() ?? '', /may be too long for the service/);
    }
  });

  it('the create dialog keeps instructions of a file when a taken name leads back', async () => {
    const KEEP = 'Keep the current instructions';
    const answers = [taken, 'ok'] as const;
    stub(vscode.window, { showOpenDialog: () => Promise.resolve(['file']) });
    const readFile = () => Promise.resolve(Buffer.from('Be brief.'));
    stub(vscode.workspace, { fs: { stat: () => Promise.resolve({ size: 9 }), readFile } });
    const again = ['bob', '', KEEP, NOW];
    const picked = await run(['ada', '', 'From a file…', NOW, ...again], { answers });
    const source = 'intern-file';
    const initial = { ...EMPTY_VALUES, name: 'ada', source, instructions: 'Be brief.' } as const;
    const given = await run([NOW, ...again], { initial, startAt: 'provision', answers });
    for (const { shown, bodies } of [picked, given])
      assert.deepEqual([shown.at(-2)?.value, bodies[1]?.instructions], [KEEP, 'Be brief.']);
  });

  // Rule 14.4
  it('the create dialog keeps all values when a taken name leads back to its first step', async () => {
    const rest = ['Reviews code', NONE, NOW];
    const answers = [taken, 'ok'] as const;
    const { shown, bodies, isCreated } = await run(['ada', ...rest, 'bob', ...rest], { answers });
    const values = shown.slice(4).map(({ value }) => value);
    assert.deepEqual(values, ['ada', ...rest]);
    assert.deepEqual(bodies[1], { name: 'bob', description: 'Reviews code', provision: true });
    assert.equal(isCreated, true);
  });

  const causes =
    /may not\. The intern wasn’t created\. .*organization, or this key, its workspace or a regional service URL/;
  const gone = /^The connection was refused\. The intern wasn’t created\./;
  const refused: Partial<ApiErrorInit> = { kind: 'network', code: 'ECONNREFUSED' };
  const reset: Partial<ApiErrorInit> = { kind: 'network', code: 'ECONNRESET' };
  const isTaken = /^Name already in use\. The intern wasn’t created\. The name may be taken/;
  /** Failures, the step at which the dialog continues, and its message there. */
  for (const [failure, answer, step, says, next] of [
    ['a taken name', taken, '1/4', isTaken, [LEAVE]],
    ['a 403', { status: 403, message: 'This API key may not' }, '4/4', causes, [NOW]],
    ['too much text', { kind: 'payload-too-large', status: 413 }, '3/4', /1 MiB/, [NONE, NOW]],
    ['a refused connection', refused, '4/4', gone, [NOW]],
    ['a lost connection', reset, '4/4', /intern may have been created/, [RESUME]],
  ] as const)
    it(`the create dialog continues at step ${step} after ${failure}`, async () => {
      const answers = [answer, 'ok'] as const;
      const { shown, cutOff } = await run(['ada', '', NONE, NOW, ...next], { answers });
      // A refusal at the last step is shown in the open box.
      const box = shown[4] ?? shown[3];
      assert.equal(box?.step, step);
      assert.match(box.refusals.join(), says);
      assert.deepEqual(cutOff, []);
    });

  it('an edit after a lost connection starts another creation', async () => {
    const script = ['ada', '', NONE, NOW, BACK, BACK, BACK, 'bob', '', NONE, NOW] as const;
    const setting = { answers: [reset, 'ok'], header: 'x-request-key' } as const;
    const { creates, cutOff } = await run(script, setting);
    assert.notEqual(creates[1]?.idempotency?.value, creates[0]?.idempotency?.value);
    assert.equal(cutOff.map(({ name }) => name).join(), 'ada');
  });

  it('a late failure of an earlier creation does not offer to resume the present one', async () => {
    const fake = new FakeAccounts();
    const { creations, dispose } = creating(fake.ports);
    const lost = new ApiError({ kind: 'network', route: 'create', message: '', ...reset });
    const unsent = new ApiError({ kind: 'network', route: 'create', message: '', ...refused });
    let fail: (failure: ApiError) => void = () => undefined;
    fake.createAnswers.push(new Promise<ApiError>((resolve) => (fail = resolve)), unsent);
    let late = 0;
    const script: Move[] = [{ goingBackAfter: NOW }, WRITE, LATER, BACK, WRITE, LEAVE];
    const dialogs = new ScriptedDialogs(['ada', '', NONE, ...script]);
    let written = 0;
    await askToCreate(fake.account, EMPTY_VALUES, {
      ...{ dialogs, creations, handleLateFailure: () => late++ },
      handleCreated: () => Promise.resolve(),
      handleLeft: () => undefined,
      write: async () => {
        written += 1;
        await eventually(() => fake.creates.length === written);
        if (written === 2) {
          fail(lost);
          await eventually(() => late === 1);
        }
        return { kind: 'used', text: '' };
      },
    });
    dispose();
    assert.deepEqual(dialogs.shown.at(-1)?.rows, [RESUME, LATER]);
  });

  it('the create dialog sends nothing if the header cannot carry a key', async () => {
    const script: Move[] = ['ada', '', NONE, NOW, LEAVE];
    const { shown, creates, isCreated } = await run(script, { header: 'authorization' });
    assert.match(shown[3]?.refusals[0] ?? '', /interns\.idempotencyHeader/);
    assert.deepEqual([creates, isCreated], [[], false]);
  });
});

describe('instructions written in an editor', () => {
  const discarded: EditedText = { kind: 'discarded', text: '' };
  const used: EditedText = { kind: 'used', text: '# Be kind' };
  for (const [title, script, written, instructions] of [
    ['a create sends the instructions from the editor', [WRITE, NOW], [used], '# Be kind'],
    [
      'the editor opens again after instructions were discarded',
      [WRITE, WRITE, NOW],
      [discarded, used],
      '# Be kind',
    ],
    [
      'a create sends no instructions if the user then selects none',
      [WRITE, BACK, NONE, NOW],
      [used],
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
  const SHOW_DESCRIPTION = 'Show full description';
  const long = `Be brief. ${'Really. '.repeat(20)}And send me what you find.`;
  const seeFirst = /Opens the full text first/;
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

  it('a creation from a file shows long instructions before it sends them', async () => {
    const written: EditedText[] = [{ kind: 'discarded', text: long }, brief];
    const given = { instructions: long, written };
    const { shown, bodies, opened } = await fromFile([NOW, LATER, NOW], given);
    const [first, second, third] = shown;
    assert.deepEqual(first?.rows, [SHOW, NOW, LATER]);
    assert.equal(first.texts[0], 'grace | Counts');
    assert.match(first.texts[1] ?? '', /Instructions: 196 characters \| Be brief\. .*…$/);
    for (const text of first.texts.slice(2)) assert.match(text, seeFirst);
    assert.deepEqual(opened, [long, long]);
    assert.deepEqual(second?.rows, first.rows, 'discarded instructions are not sent either');
    assert.deepEqual([third?.rows, third?.value], [[NOW, LATER], LATER]);
    assert.deepEqual(bodies, [
      { name: 'grace', description: 'Counts', instructions: 'Be brief.', provision: true },
    ]);
  });

  it('a creation from a file sends short instructions at once', async () => {
    const written: EditedText[] = [{ kind: 'discarded', text: '' }];
    const given = { instructions: 'Be brief', written };
    const { shown, bodies, opened } = await fromFile([SHOW, NOW], given);
    assert.equal(shown[0]?.texts[1], `${SHOW} | Instructions: 8 characters | Be brief`);
    assert.deepEqual([opened, bodies[0]?.instructions], [['Be brief'], 'Be brief']);
  });

  it('the create dialog counts an emoji in instructions as one character', async () => {
    const written: EditedText[] = [{ kind: 'discarded', text: 'Be kind 🙂' }];
    const { shown } = await fromFile([SHOW, BACK, LEAVE], { instructions: 'Be kind 🙂', written });
    assert.match(shown[0]?.texts[1] ?? '', /Instructions: 9 characters/);
    assert.match(shown[2]?.texts.join() ?? '', /9 characters so far/);
  });

  it('a creation from a file shows a long description before it sends it', async () => {
    const { shown, bodies, described } = await fromFile([NOW, LATER], { description: long });
    const [first, second] = shown;
    assert.deepEqual(first?.rows, [SHOW_DESCRIPTION, NOW, LATER]);
    assert.match(first.texts[0] ?? '', /^grace \| Be brief\. .*…$/);
    for (const text of first.texts.slice(2)) assert.match(text, seeFirst);
    assert.deepEqual([described, second?.value], [[long], NOW]);
    assert.deepEqual(bodies, [{ name: 'grace', description: long, provision: false }]);
  });

  it('a creation from a file shows description and instructions before it sends both', async () => {
    const given = { instructions: long, description: 'Counts\nand more', written: [brief] };
    const run = await fromFile([SHOW_DESCRIPTION, NOW, NOW], given);
    const { shown, bodies, described, opened } = run;
    const both = [SHOW_DESCRIPTION, SHOW, NOW, LATER];
    const rows = shown.map((box) => box.rows);
    assert.deepEqual(rows, [both, both, [SHOW_DESCRIPTION, NOW, LATER]]);
    assert.deepEqual([described, opened, bodies.length], [['Counts\nand more'], [long], 1]);
  });

  it('a creation from a file shows an edited description again', async () => {
    const edited = `${long} Edited.`;
    const script: Move[] = [SHOW_DESCRIPTION, BACK, BACK, edited, NONE, NOW, NOW];
    const { described, bodies } = await fromFile(script, { description: long });
    assert.deepEqual([described, bodies.length], [[long, edited], 1]);
  });

  for (const [kind, text, isInSight] of [
    ['80 characters', 'x'.repeat(80), true],
    ['81 characters', 'x'.repeat(81), false],
    ['two lines', 'Be brief\nor not', false],
    ['invisible characters', `Be brief${'\u{e0041}'.repeat(70)}`, false],
  ] as const)
    it(`a creation from a file ${isInSight ? 'sends' : 'first shows'} a text of ${kind}`, async () => {
      const written: EditedText[] = [{ kind: 'discarded', text: '' }];
      const { opened } = await fromFile([NOW, LEAVE], { instructions: text, written });
      const { described } = await fromFile([NOW, LEAVE], { description: text });
      assert.deepEqual([opened, described], isInSight ? [[], []] : [[text], [text]]);
    });

  it('the create dialog does not show a description that the user typed', async () => {
    const { bodies, described } = await run(['ada', 'x'.repeat(200), NONE, NOW]);
    assert.deepEqual([described, bodies.length], [[], 1]);
  });
});
