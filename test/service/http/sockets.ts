import type { Socket } from 'node:net';
import type { Observer } from './observer.ts';

/** The open connections, so that a test can wait until they are freed. */
export class Sockets {
  readonly #observer: Observer;
  readonly #open = new Set<Socket>();
  #waiting: (() => void)[] = [];

  constructor(observer: Observer) {
    this.#observer = observer;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Counts a new connection until it closes. */
  add(socket: Socket): void {
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#observer.onSocketClosed?.();
      if (this.size > 0) return;
      for (const settle of this.#waiting.splice(0)) settle();
    });
  }

  /** Settles when no connection is open. */
  freed(): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
