import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { quickInputs, type StepPlace, type StepResult } from '../../src/host/dialogs/steps.ts';

const ACCEPT = 'workbench.action.acceptSelectedQuickOpenItem';
const CLOSE = 'workbench.action.closeQuickOpen';
const BACK = 'workbench.action.quickInputBack';

const second: StepPlace = { step: 2, totalSteps: 3, canGoBack: true };

/** Runs a command again and again until something came of it: a box opens a little later than it is asked for. */
async function press(command: string, done: () => boolean): Promise<void> {
  while (!done()) {
    await vscode.commands.executeCommand(command);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Presses until the box is gone, and gives what it gave. */
async function finish<T>(command: string, shown: Promise<StepResult<T>>): Promise<StepResult<T>> {
  let isDone = false;
  void shown.then(() => {
    isDone = true;
  });
  await press(command, () => isDone);
  return shown;
}

describe('input boxes and quick picks of dialogs', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand(CLOSE);
  });

  it('give the value that stands in the box on Enter', async () => {
    const shown = quickInputs.input({ title: 'Test', prompt: 'p', value: 'ada' });
    assert.deepEqual(await finish(ACCEPT, shown), { kind: 'value', value: 'ada' });
  });

  it('keep an invalid value in the box on Enter, and give it back as a draft when the user leaves', async () => {
    let judged = 0;
    const shown = quickInputs.input({
      title: 'Test',
      prompt: 'p',
      value: 'Ada',
      validate: () => {
        judged += 1;
        return 'no';
      },
    });
    // Once for what stands in the box at first, and then for each Enter.
    await press(ACCEPT, () => judged > 1);
    assert.deepEqual(await finish(CLOSE, shown), {
      kind: 'cancelled',
      reason: 'hidden',
      draft: 'Ada',
    });
  });

  it('go back with what was typed', async () => {
    const shown = quickInputs.input({ title: 'Test', prompt: 'p', value: 'half', place: second });
    assert.deepEqual(await finish(BACK, shown), { kind: 'back', draft: 'half' });
  });

  it('are hidden, not answered, when another quick input takes their place', async () => {
    const shown = quickInputs.pick({ title: 'Test', rows: [{ label: 'a', value: 'a' }] });
    await finish('workbench.action.showCommands', shown);
    assert.deepEqual(await shown, { kind: 'cancelled', reason: 'hidden' });
  });

  it('close when their dialog is aborted, before or after they opened', async () => {
    const early = AbortSignal.abort();
    const place = { ...second, signal: early };
    const options = { title: 'Test', prompt: 'p', value: 'x' };
    const aborted = { kind: 'cancelled', reason: 'aborted', draft: 'x' };
    assert.deepEqual(await quickInputs.input({ ...options, place }), aborted);
    const late = new AbortController();
    const shown = quickInputs.input({ ...options, place: { ...second, signal: late.signal } });
    late.abort();
    assert.deepEqual(await shown, aborted);
  });

  it('stay open with the value after a refusal, and give it at the next try', async () => {
    const asked: string[] = [];
    const shown = quickInputs.input({
      title: 'Test',
      prompt: 'p',
      value: 'ada',
      submit: (value) => {
        asked.push(value);
        return Promise.resolve(asked.length < 2 ? { message: 'not yet' } : undefined);
      },
    });
    assert.deepEqual(await finish(ACCEPT, shown), { kind: 'value', value: 'ada' });
    assert.deepEqual(asked, ['ada', 'ada']);
  });

  it('ask the service once, however often Enter is pressed meanwhile', async () => {
    let asked = 0;
    let allow: (() => void) | undefined;
    const shown = quickInputs.input({
      title: 'Test',
      prompt: 'p',
      value: 'ada',
      submit: () => {
        asked += 1;
        return new Promise((resolve) => {
          allow = () => resolve(undefined);
        });
      },
    });
    await press(ACCEPT, () => asked > 0);
    for (let i = 0; i < 5; i++) await vscode.commands.executeCommand(ACCEPT);
    allow?.();
    assert.deepEqual(await shown, { kind: 'value', value: 'ada' });
    assert.equal(asked, 1);
  });

  it('tell a submission that its dialog was left, and do not wait for it', async () => {
    let given: AbortSignal | undefined;
    const shown = quickInputs.pick({
      title: 'Test',
      rows: [{ label: 'a', value: 'a' }],
      submit: (_value, signal) => {
        given = signal;
        return new Promise(() => undefined);
      },
    });
    await press(ACCEPT, () => given !== undefined);
    assert.equal((await finish(CLOSE, shown)).kind, 'cancelled');
    assert.equal(given?.aborted, true);
  });

  it('send the dialog to another step where only that can mend a refusal, with the value kept', async () => {
    const shown = quickInputs.input({
      title: 'Test',
      prompt: 'p',
      value: 'ada',
      submit: () => Promise.resolve({ message: 'taken', step: 'name' }),
    });
    assert.deepEqual(await finish(ACCEPT, shown), {
      kind: 'jump',
      refusal: { message: 'taken', step: 'name' },
      draft: 'ada',
    });
  });

  it('let go of the caller when a submission crashes', async () => {
    const shown = quickInputs.input({
      title: 'Test',
      prompt: 'p',
      value: 'ada',
      submit: () => Promise.reject(new Error('crash')),
    });
    let isDone = false;
    const settled = shown.then(
      () => assert.fail('it was accepted'),
      (failure: unknown) => {
        isDone = true;
        assert.match(String(failure), /crash/);
      },
    );
    await press(ACCEPT, () => isDone);
    await settled;
  });

  it('begin a quick pick on the row that was chosen before', async () => {
    const rows = ['a', 'b', 'c'].map((value) => ({ label: value, value }));
    const shown = quickInputs.pick({ title: 'Test', rows, active: 'b' });
    assert.deepEqual(await finish(ACCEPT, shown), { kind: 'value', value: 'b' });
  });

  it('choose nothing by a row that only says something', async () => {
    let chosen = 0;
    const shown = quickInputs.pick({
      title: 'Test',
      rows: [{ note: 'says' }, { separator: 'then' }, { label: 'does', value: 1 }],
      active: 1,
      submit: () => {
        chosen += 1;
        return Promise.resolve(chosen < 2 ? { message: 'no', detail: 'why' } : undefined);
      },
    });
    assert.deepEqual(await finish(ACCEPT, shown), { kind: 'value', value: 1 });
    assert.equal(
      chosen,
      2,
      'after a refusal the same row is active again, not the one that says why',
    );
  });

  it('give all that is ticked in a quick pick of several', async () => {
    const rows = ['a', 'b', 'c'].map((value) => ({ label: value, value }));
    const shown = quickInputs.pickMany({ title: 'Test', rows, selected: ['c', 'a'] });
    assert.deepEqual(await finish(ACCEPT, shown), { kind: 'value', value: ['a', 'c'] });
  });
});
