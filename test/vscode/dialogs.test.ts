import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { InputOptions, Refusal, StepResult } from '../../src/platform/dialogs/dialogs.ts';
import { QuickInputs } from '../../src/platform/dialogs/quickInputs.ts';
import { eventually } from '../harness/until.ts';
import { FakeClock } from '../unit/support/fakeClock.ts';
import { Screen, settle } from './support/screen.ts';

/** How long a guarded dialog ignores input, in ms. */
const GUARD_MS = 500;

/** The number of moments in a dialog's first half second at which keys are pressed. */
const TIMINGS = 50;

const title = 'Test';
const rows = ['a', 'b', 'c'].map((value) => ({ label: value, value }));
const [NEXT, ACCEPT] = [
  'workbench.action.quickOpenSelectNext',
  'workbench.action.acceptSelectedQuickOpenItem',
];

describe('dialogs', () => {
  let screen: Screen;
  let clock: FakeClock;
  let inputs: QuickInputs;

  beforeEach(() => {
    screen = new Screen();
    clock = new FakeClock();
    inputs = new QuickInputs(clock);
  });

  afterEach(() => screen.dispose());

  /** Waits until a dialog has the focus. Its result is set as soon as it has one. */
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

  it('a dialog returns its value on Enter', async () => {
    const shown = await open(input());
    assert.equal(inputs.isOpen, true);
    await screen.enter();
    assert.deepEqual(shown.result, { kind: 'value', value: 'ada' });
    assert.equal(inputs.isOpen, false);
  });

  it('a dialog accepts no invalid value', async () => {
    const shown = await open(input({ validate: () => 'not so' }));
    await screen.enter();
    assert.match(JSON.stringify((screen.box as vscode.InputBox).validationMessage), /not so/);
    await screen.escape();
    assert.deepEqual(shown.result, { kind: 'left', draft: 'ada' });
  });

  it('a dialog returns the typed value when the user goes back', async () => {
    const shown = await open(input({ position: { step: 2, totalSteps: 3, canGoBack: true } }));
    assert.equal(screen.step, '2/3');
    await screen.back();
    assert.deepEqual(shown.result, { kind: 'back', draft: 'ada' });
  });

  it('a dialog closes when another quick input replaces it', async () => {
    const shown = await open(inputs.pick({ title, rows }));
    await vscode.commands.executeCommand('workbench.action.showCommands');
    await eventually(() => shown.result !== undefined);
    assert.deepEqual(shown.result, { kind: 'left' });
  });

  it('an input box that loses the focus to a page is shown again with its text', async () => {
    const shown = await open(input());
    screen.write('bea');
    const { box } = screen;
    let hiddenCount = 0;
    box?.onDidHide(() => (hiddenCount += 1));
    clock.advance(GUARD_MS - 1);
    for (let page = 0; page < 2; page++) inputs.handlePageFocus();
    await eventually(() => hiddenCount === 2);
    clock.advance(1);
    inputs.handlePageFocus();
    await settle();
    assert.equal(hiddenCount, 2, 'later on, the user moved the focus');
    await screen.enter();
    assert.deepEqual(shown.result, { kind: 'value', value: 'bea' });
  });

  it('a quick pick that loses the focus to a page stays open', async () => {
    const shown = await open(inputs.pick({ title, rows }));
    inputs.handlePageFocus();
    await screen.choose('b');
    assert.deepEqual(shown.result, { kind: 'value', value: 'b' });
  });

  it('a dialog closes when its signal is aborted, even before it opens', async () => {
    const left = { kind: 'left', draft: 'ada' };
    assert.deepEqual(await input({ signal: AbortSignal.abort() }), left);
    const late = new AbortController();
    const asked = input({ signal: late.signal });
    late.abort();
    assert.deepEqual(await asked, left);
  });

  it('a dialog reports the button that closed it', async () => {
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

  it('a dialog stays open with its value after a refusal', async () => {
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

  it('a dialog submits once, however often the user presses Enter', async () => {
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

  it('a dialog aborts its submission when the user leaves', async () => {
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

  it('a dialog jumps to the step that a refusal names', async () => {
    const refusal = { message: 'taken', step: 'name' };
    const shown = await open(input({ submit: () => Promise.resolve(refusal) }));
    await screen.enter();
    assert.deepEqual(shown.result, { kind: 'jump', step: 'name', refusal, draft: 'ada' });
  });

  it('a dialog rejects its promise when its submission throws', async () => {
    const asked = input({ submit: () => Promise.reject(new Error('crash')) });
    const rejected = assert.rejects(asked, /crash/);
    await screen.waitFor(/Test/);
    await screen.enter();
    await rejected;
  });

  it('a dialog rejects its promise when its search throws', async () => {
    const search = async (query: string) =>
      query === '' ? [] : Promise.reject(new Error('crash'));
    const rejected = assert.rejects(inputs.pick({ title, rows: [], search }), /crash/);
    await screen.waitFor(/Test/);
    screen.write('words');
    await rejected;
  });

  it('a dialog starts on the row that was selected before', async () => {
    const shown = await open(inputs.pick({ title, rows, active: 'b' }));
    await screen.enter();
    assert.deepEqual(shown.result, { kind: 'value', value: 'b' });
  });

  it('a dialog stays on a row that runs something', async () => {
    let ran = 0;
    const run = () => Promise.resolve(void (ran += 1));
    await open(inputs.pick({ title, rows: [...rows, { label: 'runs', run }] }));
    await screen.choose('runs');
    await screen.enter();
    assert.equal(ran, 2);
  });

  it('a dialog skips rows that are only notes', async () => {
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

  it('a dialog returns all checked rows', async () => {
    const shown = await open(inputs.pickMany({ title, rows, selected: ['c', 'a'] }));
    await screen.enter();
    assert.deepEqual(shown.result, { kind: 'value', value: ['a', 'c'] });
  });

  it('a dialog shows only the results of the latest search', async () => {
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

  describe('guarded dialogs', () => {
    let shown: { result?: StepResult<string> };

    const guarded = () => inputs.pick({ title, rows, guard: true });

    async function press(...commands: string[]): Promise<void> {
      for (const command of commands) await vscode.commands.executeCommand(command);
      await settle();
    }

    it(`a guarded dialog ignores Enter at ${TIMINGS} moments of its first half second`, async function () {
      this.timeout(120_000);
      shown = await open(guarded());
      for (let timing = 0; timing < TIMINGS; timing += 1) {
        await press(NEXT, ACCEPT);
        assert.equal(shown.result, undefined, `after ${(timing * GUARD_MS) / TIMINGS} ms`);
        clock.advance(GUARD_MS / TIMINGS - 0.1);
      }
    });

    it('a guarded dialog counts its half second from when it is drawn', async () => {
      const opening = open(guarded());
      clock.advance(10 * GUARD_MS);
      shown = await opening;
      await press(NEXT, ACCEPT);
      assert.equal(shown.result, undefined);
      clock.advance(GUARD_MS);
      await press(NEXT, ACCEPT);
      assert.deepEqual(shown.result, { kind: 'value', value: 'a' });
    });

    it('a guarded dialog opens with no active row', async () => {
      shown = await open(guarded());
      clock.advance(GUARD_MS);
      await press(ACCEPT);
      assert.equal(shown.result, undefined);
      await press(NEXT, ACCEPT);
      assert.deepEqual(shown.result, { kind: 'value', value: 'a' });
    });

    it('a guarded dialog ignores a second Enter that follows an ignored one', async () => {
      shown = await open(guarded());
      await press(NEXT, ACCEPT);
      clock.advance(GUARD_MS);
      await press(ACCEPT);
      assert.equal(shown.result, undefined);
    });
  });
});

/** A submission that waits for `allow`. */
function held() {
  let allow: () => void = () => undefined;
  const promise = new Promise<undefined>((resolve) => {
    allow = () => resolve(undefined);
  });
  return { promise, allow: () => allow() };
}
