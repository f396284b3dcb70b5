import type { ServerResponse } from 'node:http';
import type { Exchange } from './observer.ts';

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
};

/** An HTTP response that counts its bytes and may be cut. */
export class ResponseWriter {
  readonly #response: ServerResponse;
  readonly #exchange: Exchange;
  readonly #cutAfter: number;
  #isCut = false;
  #head: { status: number; headers: Readonly<Record<string, string>> } | undefined;

  /** @param cutAfter bytes of the body after which the connection is cut */
  constructor(response: ServerResponse, exchange: Exchange, cutAfter = Infinity) {
    this.#response = response;
    this.#exchange = exchange;
    this.#cutAfter = cutAfter;
  }

  /** The service only learns of a disconnect by asking. */
  get isConnected(): boolean {
    return !this.#isCut && !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** True if a `write` would be buffered. */
  get isFull(): boolean {
    return this.#response.writableNeedDrain && this.isConnected;
  }

  begin(): void {
    this.beginWith(200, STREAM_HEADERS);
  }

  /** Sets the status and headers. They are sent with the first byte of the body. */
  beginWith(status: number, headers: Readonly<Record<string, string>>): void {
    this.#head = { status, headers };
  }

  write(data: string | Uint8Array): void {
    if (!this.isConnected) return;
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    const room = this.#cutAfter - this.#exchange.responseBytes;
    const allowed = bytes.length < room ? bytes : bytes.subarray(0, room);
    if (this.#cutAfter > 0) this.#sendHead();
    this.#exchange.responseBytes += allowed.length;
    if (allowed.length > 0) this.#response.write(allowed);
    if (bytes.length >= room) this.destroy();
  }

  /** Resolves when the buffer is empty or the client is gone. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        this.#response.off('drain', settle).off('close', settle);
        resolve();
      };
      this.#response.on('drain', settle).on('close', settle);
      if (!this.isFull) settle();
    });
  }

  end(): void {
    if (!this.isConnected) return;
    this.#sendHead();
    this.#response.end();
  }

  /** Cuts the connection after sending what was written. */
  destroy(): void {
    this.#isCut = true;
    this.#response.socket?.destroySoon();
  }

  send(status: number, headers: Readonly<Record<string, string>>, body: string | Uint8Array): void {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.beginWith(status, { ...headers, 'content-length': `${bytes.length}` });
    if (bytes.length > 0 || this.#cutAfter === 0) this.write(bytes);
    this.end();
  }

  sendJson(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
    const type = { 'content-type': 'application/json; charset=utf-8' };
    this.send(status, { ...type, ...headers }, JSON.stringify(body));
  }

  #sendHead(): void {
    if (this.#head === undefined || this.#response.headersSent) return;
    this.#exchange.status = this.#head.status;
    this.#response.writeHead(this.#head.status, this.#head.headers);
  }
}
