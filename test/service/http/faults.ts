import type { RouteName } from '../core/routes.ts';

/** A fault in place of the service's next response on a route. */
export type Fault =
  | {
      kind: 'respond';
      status: number;
      headers?: Record<string, string>;
      body?: string | Uint8Array;
    }
  /** Reads the request and never responds. */
  | { kind: 'hang' }
  /** Handles the request, and cuts the connection after so many bytes of the body; 0: before the status. */
  | { kind: 'cut'; afterBytes: number };

export class Faults {
  readonly #waiting = new Map<RouteName, Fault[]>();

  /** Adds faults for the next requests to `route`. */
  next(route: RouteName, ...faults: Fault[]): void {
    this.#waiting.set(route, [...(this.#waiting.get(route) ?? []), ...faults]);
  }

  clear(): void {
    this.#waiting.clear();
  }

  get size(): number {
    return [...this.#waiting.values()].reduce((sum, faults) => sum + faults.length, 0);
  }

  take(route: RouteName): Fault | undefined {
    return this.#waiting.get(route)?.shift();
  }
}
