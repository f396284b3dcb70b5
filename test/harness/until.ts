import { setTimeout as delay } from 'node:timers/promises';

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
 * @throws an Error that says what was waited for, with the last Error of the probe as its cause.
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
      throw new Error(`Waited ${timeoutMs} ms in vain for ${what}.`, { cause: outcome.error });
    }
    await delay(intervalMs);
  }
}

/** As {@link until}, in a test of the code itself: the error says what was waited for as the code does. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  await until(String(holds), holds, eventuallyMs.patience, eventuallyMs.look);
}

async function attempt<T>(probe: () => Promise<T> | T): Promise<{ value?: T; error?: unknown }> {
  try {
    return { value: await probe() };
  } catch (error) {
    return { error };
  }
}
