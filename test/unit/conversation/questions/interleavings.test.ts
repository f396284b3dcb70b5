import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Answer } from '../../../../src/api/index.ts';
import { mayAllow } from '../../../../src/conversation/questions/permission.ts';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import { CANCELED } from './fakes.ts';
import {
  anySteps,
  inOrder,
  limitSteps,
  longSteps,
  stepsBeforeAutomaticAnswer,
  WINDOWS,
  type Step,
  type Steps,
} from './threeWindows/steps.ts';
import { wasTaken, World } from './threeWindows/world.ts';

/** Asserts that the service got another answer to a question only if it may not have taken the one before. */
function assertNoneIsAnsweredTwice({ sent, wronglyRepeated }: World): void {
  assert.deepEqual(wronglyRepeated, []);
  const taken = sent.filter(wasTaken);
  assert.equal(new Set(taken.map(({ call }) => call)).size, taken.length);
}

/** Asserts that the windows show the questions that wait by the record, and no others. */
function assertNoneIsLost({ records, windows, disk }: World): void {
  for (const [id, entries] of records) {
    const transcript = Transcript.fold(entries);
    const [open] = transcript.lastReply?.endedAt === null ? transcript.openQuestions : [];
    for (const entry of entries) {
      if (entry.type !== 'asked') continue;
      const shown = windows.filter(({ pending }) => pending.get(entry.question) !== undefined);
      const isInHead = disk.heads.get(id)?.id === entry.question;
      if (entry.question !== open?.id) assert.equal(shown.length, 0, `${id} still waits`);
      else assert.ok(shown.length >= (isInHead ? WINDOWS : 1), `${id} was lost`);
    }
  }
}

/** Takes steps in a new world, and checks the result. */
async function play(
  steps: Steps,
  delays: readonly number[],
  check: (world: World) => void,
): Promise<void> {
  const world = new World(delays);
  try {
    await world.play(steps);
    check(world);
  } finally {
    world.dispose();
  }
}

async function playAny(check: (world: World) => void, steps = anySteps): Promise<void> {
  const delays = fc.array(fc.nat(12), { minLength: 1, maxLength: 7 });
  const property = fc.asyncProperty(steps, delays, (drawn, turns) => play(drawn, turns, check));
  await fc.assert(property, { numRuns: 400 });
}

describe('questions of three windows, with steps in any order', () => {
  it('the service gets one answer to a question, unless one was refused or lost', async () => {
    await playAny(assertNoneIsAnsweredTwice);
  });

  it('no prompt exceeds self-drive, or the cost limit without an override', async () => {
    const counts = { 'self-drive': 0, override: 0, prompts: 0 };
    await playAny(({ limits }) => {
      assert.deepEqual(limits.faults, []);
      for (const name of limits.seen) counts[name] += 1;
    }, limitSteps);
    for (const [name, count] of Object.entries(counts)) assert.ok(count > 0, name);
  });

  it('a window sends no answer that neither a user nor a policy gave', async () => {
    await playAny(({ sent, given, automatic, wasStopped }) => {
      const byUsers = sent.filter(({ answer }) => given.includes(answer));
      const byStop = sent.filter(
        ({ answer }) => !given.includes(answer) && !automatic.includes(answer),
      );
      for (const { answer } of byStop) assert.deepEqual(answer, CANCELED);
      assert.ok(byStop.length === 0 || wasStopped);
      const repeated = byUsers.filter(({ answer, outcome }) => {
        const times = byUsers.filter((sent) => sent.answer === answer);
        return times.length > 1 && outcome !== 'lost' && times.at(-1)?.outcome !== outcome;
      });
      assert.deepEqual(repeated, []);
    });
  });

  it('a window sends the reason for a rejection once, after the service accepted the rejection', async () => {
    let count = 0;
    await playAny(({ sentReasons, reasons, windows }) => {
      count += sentReasons.length;
      assert.ok(sentReasons.every(({ isTaken }) => isTaken));
      const texts = sentReasons.map(({ text }) => text);
      assert.equal(new Set(texts).size, texts.length);
      for (const { text, window: id, isReturned } of reasons) {
        const window = windows.find((each) => each.id === id);
        if (window === undefined) continue;
        const fates = [isReturned, texts.includes(text), window.isQueued(text)];
        assert.equal(fates.filter(Boolean).length, 1, text);
      }
    }, longSteps);
    assert.ok(count > 0);
  });

  it('a policy answers a question once, in the last 30 s and without an open dialog', async () => {
    await playAny(({ sent, given, automatic, wrongAutomatic }) => {
      assert.deepEqual(wrongAutomatic, []);
      const answers = new Map<string, Answer>();
      for (const { call, answer } of sent) {
        if (!automatic.includes(answer)) continue;
        assert.ok(!given.includes(answer));
        assert.ok(answer.kind === 'permission' && !mayAllow(answer.choice));
        assert.equal(answers.get(call) ?? answer, answer, call);
        answers.set(call, answer);
      }
    }, stepsBeforeAutomaticAnswer);
  });

  it('all windows show exactly the questions that their records say are open', async () => {
    await playAny(assertNoneIsLost);
  });

  const here = { window: 0, conversation: 'c0' } as const;
  const answered: readonly Step[] = [
    { do: 'prompt', ...here },
    { do: 'answer', ...here, allow: true },
  ];
  const taken: Step = { do: 'respond', which: 0, how: 'answered' };

  it('all windows close an answered question, whenever the window that answered dies', async () => {
    const dies: Step = { do: 'reload', window: 0 };
    const aMoment: Step = { do: 'sleep', ms: 0 };
    for (let moments = 0; moments < 30; moments += 1) {
      const later = [taken, ...Array.from({ length: moments }, () => aMoment)];
      const steps = [...inOrder(answered), ...later.map((step) => [step, false] as const)];
      // The record is written sooner than the head.
      await play([...steps, [dies, true]], [0, 0, 4], assertNoneIsLost);
    }
  });

  it('all windows close an answered question though the disk failed at first', async () => {
    const failure: Step = { do: 'fail', what: 'write' };
    await play(inOrder([...answered, failure, taken]), [0], assertNoneIsLost);
  });

  it('self-drive for one prompt is over in each window that reads that another used it', async () => {
    const there = { ...here, window: 1 } as const;
    const steps: readonly (readonly [Step, boolean])[] = [
      ...inOrder([
        { do: 'drive', ...here, lasts: 'this-prompt' },
        { do: 'prompt', ...there },
      ]),
      ...inOrder([{ do: 'answer', ...there, allow: true }, taken]),
      [{ do: 'notify of records' }, false],
      [{ do: 'prompt', ...here }, true],
    ];
    await play(steps, [0], ({ limits }) => {
      assert.deepEqual(limits.faults, []);
      assert.deepEqual(limits.seen, ['prompts', 'self-drive', 'prompts']);
    });
  });
});
