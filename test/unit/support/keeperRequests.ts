import { fileURLToPath } from 'node:url';
import type { FetchInit } from '../../../src/api/index.ts';
import { systemClock, type Clock } from '../../../src/base/clock.ts';

/** The keeper's source, which Node runs as it is. */
export const keeperScript = fileURLToPath(
  new URL('../../../src/streamKeeper/keeper.ts', import.meta.url),
);

/** A clock on which a keeper has a minute to start: on a busy machine, three seconds are not enough. */
export const patientClock: Clock = {
  ...systemClock,
  setTimeout: (callback, ms) => systemClock.setTimeout(callback, ms < 3_000 ? ms : 60_000),
};

/** Aborts what a test did not read to its end. */
export const openRequests = {
  controller: new AbortController(),
  get signal(): AbortSignal {
    return this.controller.signal;
  },
  abort(reason: unknown): void {
    this.controller.abort(reason);
    this.controller = new AbortController();
  },
};

/** The second argument of a chat request's `fetch`. */
export function chatInit(init: Partial<FetchInit> = {}): FetchInit {
  return {
    method: 'POST',
    headers: { accept: 'text/event-stream', authorization: 'Bearer test-key' },
    body: '{"stream":true}',
    redirect: 'manual',
    cache: 'no-store',
    credentials: 'omit',
    signal: openRequests.signal,
    ...init,
  };
}
