import type { RouteName } from '../core/routes.ts';

/** What a test makes of the next response of a route, in place of the service's own. */
export type Fault =
  /** A whole response, as it stands. */
  | {
      kind: 'respond';
      status: number;
      headers?: Record<string, string>;
      body?: string | Uint8Array;
    }
  /** The request is read, and nothing is ever said. */
  | { kind: 'hang' }
  /** The service acts and answers as ever, and the connection is cut after so many bytes of the body; 0: before the status. */
  | { kind: 'cut'; afterBytes: number };

/** Faults that wait for their request, first in, first out, one queue a route. */
export class Faults {
  readonly #waiting = new Map<RouteName, Fault[]>();

  /** The next request to `route` that has none waiting before it gets this fault. */
  next(route: RouteName, ...faults: Fault[]): void {
    this.#waiting.set(route, [...(this.#waiting.get(route) ?? []), ...faults]);
  }

  /** Forgets what no request has met. */
  clear(): void {
    this.#waiting.clear();
  }

  /** How many wait: zero when a test used all that it scripted. */
  get size(): number {
    return [...this.#waiting.values()].reduce((sum, faults) => sum + faults.length, 0);
  }

  take(route: RouteName): Fault | undefined {
    return this.#waiting.get(route)?.shift();
  }
}
