import type { Socket } from 'node:net';
import type { Observer } from './observer.ts';

/** The open connections, so that a test can wait until they are freed. */
export class Sockets {
  readonly #observer: Observer;
  readonly #ids = new Map<Socket, number>();
  #count = 0;
  #waiting: (() => void)[] = [];

  constructor(observer: Observer) {
    this.#observer = observer;
  }

  get size(): number {
    return this.#ids.size;
  }

  /** Counts a new connection until it closes. */
  add(socket: Socket): void {
    const id = ++this.#count;
    this.#ids.set(socket, id);
    this.#observer.onSocketOpened?.(id);
    socket.once('close', () => {
      this.#ids.delete(socket);
      this.#observer.onSocketClosed?.(id);
      if (this.size > 0) return;
      for (const settle of this.#waiting.splice(0)) settle();
    });
  }

  idOf(socket: Socket): number {
    return this.#ids.get(socket) ?? 0;
  }

  /** Settles when no connection is open. */
  freed(): Promise<void> {
    if (this.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
