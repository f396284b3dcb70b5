import { fileURLToPath } from 'node:url';
import type { FetchInit } from '../../../src/api/index.ts';

/** The keeper's source, which Node runs as it is. */
export const keeperScript = fileURLToPath(
  new URL('../../../src/streamKeeper/keeper.ts', import.meta.url),
);

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
