import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

/** How long a state may take to come about, in milliseconds, on a machine that is busy with something else too. */
const patienceMs = 45_000;

/** How often a state is looked at, in milliseconds. */
const lookMs = 50;

/** How long and how often, where nothing has to be waited for that VS Code draws. */
const eventuallyMs = { patience: 15_000, look: 5 };

/**
 * Waits for a state that announces itself by no event: looks again and again until `probe` gives a value.
 * @param probe gives undefined or false while the state is not there; an Error that it throws counts as that.
 * @returns what `probe` gave.
 * @throws an Error that says what was waited for; its stack includes the last Error of the probe.
 */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = patienceMs,
  intervalMs = lookMs,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const outcome = await attempt(probe);
    if (outcome.value !== undefined && outcome.value !== false) return outcome.value;
    if (performance.now() > deadline) {
      const error = new Error(`Waited ${timeoutMs} ms in vain for ${what}.`);
      // In the stack: Mocha's workers do not pass on the `cause` of an error.
      error.stack = stackWithCauses(error) + causeText(outcome.error);
      throw error;
    }
    await delay(intervalMs);
  }
}

/** As {@link until}, in a test of the code itself: the error says what was waited for as the code does. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  await until(String(holds), holds, eventuallyMs.patience, eventuallyMs.look);
}

/** The stack of an error, followed by those of its causes. */
export function stackWithCauses(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  return (error.stack ?? error.message) + causeText(error.cause);
}

function causeText(cause: unknown): string {
  return cause === undefined ? '' : `\nCaused by: ${stackWithCauses(cause)}`;
}

async function attempt<T>(probe: () => Promise<T> | T): Promise<{ value?: T; error?: unknown }> {
  try {
    return { value: await probe() };
  } catch (error) {
    return { error };
  }
}
