import assert from 'node:assert/strict';
import {
  inputStep,
  runSteps,
  type DialogOptions,
  type Step,
} from '../../../../src/platform/dialogs/steps.ts';
import { BACK, LEAVE, ScriptedDialogs, type Move } from '../../support/scriptedDialogs.ts';

interface Values {
  readonly a: string;
  readonly b: string;
  readonly c: string;
}

const nothing: Values = { a: '', b: '', c: '' };

/** An input box for one of the values. The answer `to X` jumps to step X. */
const step = (id: keyof Values, applies?: (values: Values) => boolean): Step<Values> => ({
  id,
  ...(applies && { applies }),
  show: (values, ask) =>
    ask.input({
      title: id,
      value: values[id],
      submit: (text) => {
        const [, to] = /^to (.)/.exec(text) ?? [];
        return Promise.resolve(to === undefined ? undefined : { message: 'taken', step: to });
      },
      write: (text) => ({ ...values, [id]: text }),
    }),
});

const all = [step('a'), step('b'), step('c')];

async function run(
  steps: readonly Step<Values>[],
  script: readonly Move[],
  options?: DialogOptions,
) {
  const dialogs = new ScriptedDialogs(script);
  const result = await runSteps(dialogs, steps, nothing, options);
  const numbers = dialogs.shown.map((box) => `${box.title} ${box.step}`);
  return { result, numbers, shown: dialogs.shown };
}

describe('runSteps', () => {
  it('a dialog shows its steps in order and returns every value', async () => {
    const { result, numbers } = await run(all, ['1', '2', '3']);
    assert.deepEqual(result, { kind: 'done', values: { a: '1', b: '2', c: '3' }, step: 'c' });
    assert.deepEqual(numbers, ['a 1/3', 'b 2/3', 'c 3/3']);
  });

  it('a box without a title has that of its dialog', async () => {
    const untitled = inputStep<'b', Values>('b', () => ({}));
    const { numbers } = await run([step('a'), untitled], ['1', '2'], { title: 'Dialog' });
    assert.deepEqual(numbers, ['a 1/2', 'Dialog 2/2']);
  });

  it('a dialog keeps its values when the user goes back', async () => {
    const { shown } = await run(all, ['1', BACK, '1', '2', BACK, '2', '3']);
    const values = shown.map(({ value }) => value);
    assert.deepEqual(values, ['', '', '1', '', '', '2', '']);
  });

  it('a dialog offers no way back on its first step', async () => {
    await assert.rejects(run(all, [BACK]), /no way back/);
  });

  it('a dialog skips steps that do not apply, in both directions', async () => {
    const steps = [step('a'), step('b', ({ a }) => a !== 'skip'), step('c')];
    const { numbers } = await run(steps, ['skip', BACK, 'ask', '2', '3']);
    assert.deepEqual(numbers, ['a 1/3', 'c 2/2', 'a 1/2', 'b 2/3', 'c 3/3']);
  });

  it('a dialog shows a refusal only on the step that can fix it', async () => {
    const { result, shown } = await run(all, ['1', '2', 'to a', 'other', '2', '3']);
    assert.deepEqual(
      shown.map(({ title, refusals, value }) => [title, ...refusals, value]),
      [
        ['a', ''],
        ['b', ''],
        ['c', ''],
        ['a', 'taken', '1'],
        ['b', '2'],
        ['c', 'to a'],
      ],
    );
    assert.deepEqual(result.values, { a: 'other', b: '2', c: '3' });
  });

  it('a dialog continues at the step where the user left', async () => {
    const { result } = await run(all, ['1', LEAVE]);
    const values = { ...nothing, a: '1' };
    assert.deepEqual(result, { kind: 'left', step: 'b', values, button: undefined });
    const again = await run(all.slice(0, 2), ['2'], { startAt: result.step });
    assert.deepEqual(again.numbers, ['b 2/2']);
  });

  it('a dialog passes its abort signal to every box', async () => {
    const { signal } = new AbortController();
    const { shown } = await run(all, ['1', '2', '3'], { signal });
    assert.ok(shown.every((box) => box.signal === signal));
  });

  it('a dialog rejects an unknown first step', async () => {
    await assert.rejects(run(all, [], { startAt: 'z' }), /No step z/);
  });
});
