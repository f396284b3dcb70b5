import assert from 'node:assert/strict';
import {
  runSteps,
  type Refusal,
  type Step,
  type StepPlace,
  type StepResult,
} from '../../../../src/host/dialogs/flow.ts';

interface Values {
  readonly a: string;
  readonly b: string;
  readonly c: string;
}

const nothing: Values = { a: '', b: '', c: '' };

/** Steps that give what the script says, and a record of where each stood. */
function scripted(script: readonly StepResult<string>[]) {
  const moves = [...script];
  const seen: { readonly id: string; readonly place: StepPlace; readonly value: string }[] = [];
  const step = (id: keyof Values, applies?: (values: Values) => boolean): Step<Values> => ({
    id,
    ...(applies && { applies }),
    show: (values, place) => {
      seen.push({ id, place, value: values[id] });
      const move = moves.shift();
      assert.ok(move, 'the script ended early');
      const write = (text: string) => ({ ...values, [id]: text });
      if (move.kind === 'value') return Promise.resolve({ ...move, value: write(move.value) });
      const { draft, ...rest } = move;
      return Promise.resolve(draft === undefined ? rest : { ...rest, draft: write(draft) });
    },
  });
  const numbers = () => seen.map(({ id, place }) => `${id} ${place.step}/${place.totalSteps}`);
  return { step, seen, numbers };
}

const value = (text: string): StepResult<string> => ({ kind: 'value', value: text });

describe('the steps of a dialog', () => {
  it('come in order, numbered, and end with every value', async () => {
    const { step, numbers } = scripted([value('1'), value('2'), value('3')]);
    const result = await runSteps([step('a'), step('b'), step('c')], nothing);
    assert.deepEqual(result, { kind: 'done', values: { a: '1', b: '2', c: '3' } });
    assert.deepEqual(numbers(), ['a 1/3', 'b 2/3', 'c 3/3']);
  });

  it('keep what was half typed when the user goes back, so that nothing is typed twice', async () => {
    const { step, seen } = scripted([
      value('1'),
      { kind: 'back', draft: 'half' },
      value('1'),
      value('whole'),
    ]);
    const result = await runSteps([step('a'), step('b')], nothing);
    assert.deepEqual(
      seen.map((shown) => shown.value),
      ['', '', '1', 'half'],
    );
    assert.deepEqual(result, { kind: 'done', values: { a: '1', b: 'whole', c: '' } });
  });

  it('offer no way back on the first step, unless a dialog stands before it', async () => {
    const first = scripted([value('1')]);
    await runSteps([first.step('a')], nothing);
    assert.equal(first.seen[0]?.place.canGoBack, false);
    const second = scripted([{ kind: 'back' }]);
    const result = await runSteps([second.step('a')], nothing, { backOnFirst: true });
    assert.equal(second.seen[0]?.place.canGoBack, true);
    assert.equal(result.kind, 'back');
  });

  it('leave out, and do not count, what an answer made pointless, in both directions', async () => {
    const { step, numbers } = scripted([
      value('skip'),
      { kind: 'back' },
      value('ask'),
      value('2'),
      value('3'),
    ]);
    const b = step('b', ({ a }) => a !== 'skip');
    await runSteps([step('a'), b, step('c')], nothing);
    assert.deepEqual(numbers(), ['a 1/3', 'c 2/2', 'a 1/2', 'b 2/3', 'c 3/3']);
  });

  it('go back to the step that can mend a refusal, say why there and only there, and keep all values', async () => {
    const refusal: Refusal & { step: string } = { message: 'taken', step: 'a' };
    const { step, seen } = scripted([
      value('1'),
      value('2'),
      { kind: 'jump', refusal, draft: '3' },
      value('other'),
      value('2'),
      value('3'),
    ]);
    const result = await runSteps([step('a'), step('b'), step('c')], nothing);
    assert.deepEqual(
      seen.map(({ id, place, value: stood }) => [id, place.refusal?.message, stood]),
      [
        ['a', undefined, ''],
        ['b', undefined, ''],
        ['c', undefined, ''],
        ['a', 'taken', '1'],
        ['b', undefined, '2'],
        ['c', undefined, '3'],
      ],
    );
    assert.deepEqual(result, { kind: 'done', values: { a: 'other', b: '2', c: '3' } });
  });

  it('tell a caller where the user left and with what, so that it can go on from there', async () => {
    const { step } = scripted([value('1'), { kind: 'cancelled', reason: 'hidden', draft: 'half' }]);
    const result = await runSteps([step('a'), step('b')], nothing);
    assert.deepEqual(result, {
      kind: 'cancelled',
      reason: 'hidden',
      step: 'b',
      values: { a: '1', b: 'half', c: '' },
    });
    const again = scripted([value('2')]);
    await runSteps([again.step('a'), again.step('b')], nothing, { startAt: 'b' });
    assert.deepEqual(again.numbers(), ['b 2/2']);
  });

  it('hand the signal of the dialog to every step', async () => {
    const { signal } = new AbortController();
    const { step, seen } = scripted([value('1'), value('2')]);
    await runSteps([step('a'), step('b')], nothing, { signal });
    assert.deepEqual(
      seen.map(({ place }) => place.signal === signal),
      [true, true],
    );
  });

  it('fail loudly at a step that does not exist', async () => {
    const { step } = scripted([]);
    await assert.rejects(runSteps([step('a')], nothing, { startAt: 'z' }), /No step z/);
  });
});
