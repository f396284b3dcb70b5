import type { IncomingMessage } from 'node:http';

/**
 * Reads a request's body whole, so that the client can finish sending and read the refusal, but keeps no more than
 * `keepBytes` + 1 bytes of it: enough to know that it is too large.
 * @returns undefined when the client went away before the end
 */
export async function readBody(
  request: IncomingMessage,
  keepBytes: number,
): Promise<Buffer | undefined> {
  const kept: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      const room = keepBytes + 1 - size;
      if (room <= 0) continue;
      kept.push(chunk.subarray(0, room));
      size += Math.min(chunk.length, room);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(kept);
}
