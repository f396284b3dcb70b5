import fc from 'fast-check';
import { WHEN_UNANSWERED } from '../../../../../src/conversation/questions/unanswered.ts';

export const WINDOWS = 3;

/** The reactions of the service to an answer. */
const OUTCOMES = ['answered', 'asked again', 'refused', 'gone', 'lost'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A step with its weight: the higher, the more often it is drawn. */
const act = <T>(weight: number, parts: { readonly [K in keyof T]: fc.Arbitrary<T[K]> }) => ({
  weight,
  arbitrary: fc.record<T>(parts, { noNullPrototype: true }),
});

const anywhere = { window: fc.nat(WINDOWS - 1), conversation: fc.constantFrom('c0', 'c1') };
/** Mostly in one window and one conversation, where more steps have an effect. */
const mostlyHere = {
  window: fc.constantFrom(0, 0, 0, 1),
  conversation: fc.constantFrom('c0', 'c0', 'c1'),
};

const anyStep = fc.oneof(
  act(5, { do: fc.constantFrom('prompt', 'open', 'open'), ...anywhere }),
  act(3, { do: fc.constantFrom('show', 'hide'), ...anywhere }),
  act(1, { do: fc.constant('stop'), ...anywhere }),
  act(5, { do: fc.constant('answer'), ...anywhere, allow: fc.boolean() }),
  act(3, { do: fc.constant('reject'), ...anywhere }),
  act(4, { do: fc.constant('respond'), which: fc.nat(9), how: fc.constantFrom(...OUTCOMES) }),
  act(1, { do: fc.constant('reload'), window: anywhere.window }),
  act(2, {
    do: fc.constant('pass'),
    ms: fc.oneof(fc.integer({ min: 1, max: 400_000 }), fc.constantFrom(1_000, 15_000, 272_000)),
  }),
  act(1, { do: fc.constant('sleep'), ms: fc.integer({ min: -60_000, max: 900_000 }) }),
  act(2, { do: fc.constant('fail'), what: fc.constantFrom('write', 'list', 'nothing') }),
  act(2, { do: fc.constantFrom('notify of heads', 'notify of records') }),
  act(3, { do: fc.constant('set policy'), ...anywhere, then: fc.constantFrom(...WHEN_UNANSWERED) }),
);

/** Steps about self-drive and the cost limit. */
const limitStep = fc.oneof(
  act(4, {
    do: fc.constant('drive'),
    ...mostlyHere,
    lasts: fc.constantFrom('this-prompt', '30-minutes'),
  }),
  act(1, { do: fc.constant('manual'), ...mostlyHere }),
  act(2, { do: fc.constant('limit cost'), ...mostlyHere, usd: fc.constantFrom(0.5, 1, null) }),
  act(6, {
    do: fc.constantFrom('queue', 'send queue'),
    ...mostlyHere,
    overrideCostLimit: fc.boolean(),
  }),
  act(1, { do: fc.constant('refuse prompt') }),
);

type Drawn<T> = T extends fc.Arbitrary<infer U> ? U : never;
export type Step = Drawn<typeof anyStep> | Drawn<typeof limitStep>;
export type WindowStep = Extract<Step, { conversation: string }>;

/** Steps, each with whether everything that it starts ends before the next one. */
export type Steps = readonly (readonly [Step, boolean])[];

export const anySteps: fc.Arbitrary<Steps> = fc.array(fc.tuple(anyStep, fc.boolean()), {
  minLength: 5,
  maxLength: 60,
});

/** Long sequences in which each step ends before the next one. */
export const longSteps: fc.Arbitrary<Steps> = fc.array(fc.tuple(anyStep, fc.constant(true)), {
  maxLength: 60,
  size: 'max',
});

/** Steps with many runs, in which limits are set and reached. */
export const limitSteps: fc.Arbitrary<Steps> = fc.array(
  fc.tuple(
    fc.oneof(
      act(4, { do: fc.constant('prompt'), ...mostlyHere }),
      act(4, { do: fc.constant('answer'), ...mostlyHere, allow: fc.constant(true) }),
      act(4, { do: fc.constant('respond'), which: fc.constant(0), how: fc.constant('answered') }),
      { weight: 6, arbitrary: limitStep },
      { weight: 3, arbitrary: anyStep },
    ),
    fc.constantFrom(true, true, true, false),
  ),
  { minLength: 20, maxLength: 60 },
);

/** Steps shortly before the automatic answer to a question that two windows show. */
export const stepsBeforeAutomaticAnswer: fc.Arbitrary<Steps> = fc
  .tuple(fc.constantFrom(...WHEN_UNANSWERED), fc.integer({ min: 230_000, max: 275_000 }), anySteps)
  .map(([then, ms, steps]) => {
    const first = { window: 0, conversation: 'c0' } as const;
    const opening: readonly Step[] = [
      { do: 'prompt', ...first },
      { do: 'open', ...first, window: 1 },
      { do: 'set policy', ...first, then },
      { do: 'notify of heads' },
      { do: 'pass', ms },
    ];
    return [...inOrder(opening), ...steps];
  });

/** Lets each step end before the next one. */
export function inOrder(steps: readonly Step[]): Steps {
  return steps.map((step) => [step, true]);
}
