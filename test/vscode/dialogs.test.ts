import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { InputOptions, Refusal, StepResult } from '../../src/platform/dialogs/dialogs.ts';
import { GUARD_MS, QuickInputs } from '../../src/platform/dialogs/quickInputs.ts';
import { eventually } from '../harness/until.ts';
import { FakeClock } from '../unit/support/fakeClock.ts';
import { Screen, settle } from './support/screen.ts';

/** Keys of a user who means something else, at so many moments of a dialog's first half second. */
const TIMINGS = 200;

const title = 'Test';
const rows = ['a', 'b', 'c'].map((value) => ({ label: value, value }));
const [NEXT, ACCEPT] = [
  'workbench.action.quickOpenSelectNext',
  'workbench.action.acceptSelectedQuickOpenItem',
];

describe('the boxes of dialogs', () => {
  let screen: Screen;
  let clock: FakeClock;
  let inputs: QuickInputs;

  beforeEach(() => {
    screen = new Screen();
    clock = new FakeClock();
    inputs = new QuickInputs(clock);
  });

  afterEach(() => screen.dispose());

  /** Waits until a box is drawn and has the focus; its result is there as soon as it has one. */
  async function open<T>(asked: Promise<StepResult<T>>): Promise<{ result?: StepResult<T> }> {
    const shown: { result?: StepResult<T> } = {};
    void asked.then((result) => {
      shown.result = result;
    });
    await screen.waitFor(/Test/);
    return shown;
  }

  const input = (options: Partial<InputOptions> = {}) =>
    inputs.input({ title, prompt: 'p', value: 'ada', ...options });

  it('give the value that stands in the box on Enter, and count as open until then', async () => {
    const shown = await open(input());
    assert.equal(inputs.isOpen, true);
    await screen.enter();
    assert.deepEqual(shown.result, { kind: 'value', value: 'ada' });
    assert.equal(inputs.isOpen, false);
  });

  it('keep an invalid value in the box on Enter, and give it back as a draft when the user leaves', async () => {
    const shown = await open(input({ validate: () => 'not so' }));
    await screen.enter();
    assert.match(JSON.stringify((screen.box as vscode.InputBox).validationMessage), /not so/);
    await screen.escape();
    assert.deepEqual(shown.result, { kind: 'left', draft: 'ada' });
  });

  it('go back with what was typed', async () => {
    const shown = await open(input({ position: { step: 2, totalSteps: 3, canGoBack: true } }));
    assert.equal(screen.step, '2/3');
    await screen.back();
    assert.deepEqual(shown.result, { kind: 'back', draft: 'ada' });
  });

  it('are left, not answered, when another quick input takes their place', async () => {
    const shown = await open(inputs.pick({ title, rows }));
    await vscode.commands.executeCommand('workbench.action.showCommands');
    await eventually(() => shown.result !== undefined);
    assert.deepEqual(shown.result, { kind: 'left' });
  });

  it('close when their dialog is aborted, before or after they opened', async () => {
    const left = { kind: 'left', draft: 'ada' };
    assert.deepEqual(await input({ signal: AbortSignal.abort() }), left);
    const late = new AbortController();
    const asked = input({ signal: late.signal });
    late.abort();
    assert.deepEqual(await asked, left);
  });

  it('tell which button they were left by, and stay open for one that runs something', async () => {
    let ran = 0;
    const shown = await open(
      input({
        buttons: [
          { id: 'more', label: 'More', icon: 'info', run: () => (ran += 1) },
          { id: 'skip', label: 'Skip', icon: 'close' },
        ],
      }),
    );
    await screen.press('More');
    assert.deepEqual([ran, shown.result], [1, undefined]);
    await screen.press('Skip');
    assert.deepEqual(shown.result, { kind: 'left', button: 'skip', draft: 'ada' });
  });

  it('stay open with the value after a refusal, and give it at the next try', async () => {
    const answers: (Refusal | undefined)[] = [{ message: 'not yet' }, undefined];
    const asked: string[] = [];
    const submit = (value: string) => {
      asked.push(value);
      return Promise.resolve(answers.shift());
    };
    const shown = await open(input({ submit }));
    await screen.enter();
    assert.equal(shown.result, undefined);
    await screen.enter();
    assert.deepEqual(shown.result, { kind: 'value', value: 'ada' });
    assert.deepEqual(asked, ['ada', 'ada']);
  });

  it('ask the service once, however often Enter is pressed meanwhile', async () => {
    let asked = 0;
    const { promise, allow } = held();
    const submit = () => {
      asked += 1;
      return promise;
    };
    const shown = await open(input({ submit }));
    for (let times = 0; times < 5; times += 1) await screen.enter();
    allow();
    await eventually(() => shown.result?.kind === 'value');
    assert.equal(asked, 1);
  });

  it('tell a submission that its dialog was left, and do not wait for it', async () => {
    let given: AbortSignal | undefined;
    const submit = (_: string, signal: AbortSignal) => {
      given = signal;
      return held().promise;
    };
    const shown = await open(inputs.pick({ title, rows, submit }));
    await screen.enter();
    await screen.escape();
    assert.deepEqual([shown.result?.kind, given?.aborted], ['left', true]);
  });

  it('send the dialog to another step where only that can mend a refusal, with the value kept', async () => {
    const refusal = { message: 'taken', step: 'name' };
    const shown = await open(input({ submit: () => Promise.resolve(refusal) }));
    await screen.enter();
    assert.deepEqual(shown.result, { kind: 'jump', step: 'name', refusal, draft: 'ada' });
  });

  it('let go of the caller when a submission crashes', async () => {
    const asked = input({ submit: () => Promise.reject(new Error('crash')) });
    const rejected = assert.rejects(asked, /crash/);
    await screen.waitFor(/Test/);
    await screen.enter();
    await rejected;
  });

  it('begin a quick pick on the row that was chosen before', async () => {
    const shown = await open(inputs.pick({ title, rows, active: 'b' }));
    await screen.enter();
    assert.deepEqual(shown.result, { kind: 'value', value: 'b' });
  });

  it('choose nothing by a row that only says something', async () => {
    const answers: (Refusal | undefined)[] = [{ message: 'no', detail: 'why' }, undefined];
    const shown = await open(
      inputs.pick({
        title,
        rows: [{ note: 'says' }, { separator: 'then' }, { label: 'does', value: 1 }],
        active: 1,
        submit: () => Promise.resolve(answers.shift()),
      }),
    );
    await screen.enter();
    assert.deepEqual(screen.labels, ['no', '', 'says', 'then', 'does']);
    await screen.enter();
    assert.deepEqual(shown.result, { kind: 'value', value: 1 }, 'the same row is active again');
    assert.deepEqual(answers, []);
  });

  it('give all that is ticked in a quick pick of several', async () => {
    const shown = await open(inputs.pickMany({ title, rows, selected: ['c', 'a'] }));
    await screen.enter();
    assert.deepEqual(shown.result, { kind: 'value', value: ['a', 'c'] });
  });

  it('show what is found for what is typed, and nothing that was found for less', async () => {
    const { promise, allow } = held();
    const search = async (query: string) => {
      if (query === 'slow') await promise;
      return [{ label: `found ${query}`, value: query }];
    };
    const shown = await open(inputs.pick({ title, rows: [], search }));
    screen.write('slow');
    screen.write('words');
    allow();
    await eventually(() => screen.labels[0] === 'found words');
    await screen.enter();
    assert.deepEqual(shown.result, { kind: 'value', value: 'words' });
  });

  describe('that consent', () => {
    let shown: { result?: StepResult<string> };

    const guarded = () => inputs.pick({ title, rows, guard: true });

    async function press(...commands: string[]): Promise<void> {
      for (const command of commands) await vscode.commands.executeCommand(command);
      await settle();
    }

    it(`take nothing at ${TIMINGS} moments of their first half second`, async function () {
      this.timeout(120_000);
      shown = await open(guarded());
      for (let timing = 0; timing < TIMINGS; timing += 1) {
        await press(NEXT, ACCEPT);
        assert.equal(shown.result, undefined, `after ${(timing * GUARD_MS) / TIMINGS} ms`);
        clock.advance(GUARD_MS / TIMINGS - 0.1);
      }
    });

    it('count the half second from when they are drawn, however late a busy machine draws them', async () => {
      const opening = open(guarded());
      clock.advance(10 * GUARD_MS);
      shown = await opening;
      await press(NEXT, ACCEPT);
      assert.equal(shown.result, undefined);
      clock.advance(GUARD_MS);
      await press(NEXT, ACCEPT);
      assert.deepEqual(shown.result, { kind: 'value', value: 'a' });
    });

    it('open with no row active, and take the one that a user went to after the half second', async () => {
      shown = await open(guarded());
      clock.advance(GUARD_MS);
      await press(ACCEPT);
      assert.equal(shown.result, undefined);
      await press(NEXT, ACCEPT);
      assert.deepEqual(shown.result, { kind: 'value', value: 'a' });
    });

    it('stay as they are when a second Enter follows one that was ignored', async () => {
      shown = await open(guarded());
      await press(NEXT, ACCEPT);
      clock.advance(GUARD_MS);
      await press(ACCEPT);
      assert.equal(shown.result, undefined);
    });
  });
});

/** A submission that is answered when it is told to. */
function held() {
  let allow: () => void = () => undefined;
  const promise = new Promise<undefined>((resolve) => {
    allow = () => resolve(undefined);
  });
  return { promise, allow: () => allow() };
}
