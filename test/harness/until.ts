import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';

/** The default time limit of {@link until}, in milliseconds, for a busy machine. */
const patienceMs = 45_000;

/** The default interval between probes, in milliseconds. */
const lookMs = 50;

/** Milliseconds for states that need no VS Code window. */
const eventuallyMs = { patience: 15_000, look: 5 };

/**
 * Calls `probe` again and again until it returns a value, for states without an event.
 * @param probe returns undefined or false until the state is reached; an Error counts as that
 * @returns the value of `probe`
 * @throws Error that names `what`; its stack includes the last Error of the probe
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
      // Mocha's workers do not pass on the `cause` of an error, but its stack.
      error.stack = stackWithCauses(error) + causeText(outcome.error);
      throw error;
    }
    await delay(intervalMs);
  }
}

/** Like {@link until}, for tests without a window. The error quotes the code of `holds`. */
export async function eventually(holds: () => boolean | Promise<boolean>): Promise<void> {
  await until(String(holds), holds, eventuallyMs.patience, eventuallyMs.look);
}

/** The stack of an error, followed by those of its causes. Errors of parallel workers arrive as plain objects. */
export function stackWithCauses(error: unknown): string {
  const { stack, message, cause } = (error ?? {}) as Partial<Error>;
  const text = stack ?? message;
  return text === undefined ? inspect(error) : text + causeText(cause);
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
