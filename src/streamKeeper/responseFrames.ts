import * as v from 'valibot';
import { parseJson } from '../base/json.ts';
import { processMarkSchema } from '../platform/storage/processMark.ts';

/** First bytes of a file. The last one is the version of the format. */
export const FILE_START = Buffer.from('interns\x01', 'latin1');

/** Bytes of a frame before its payload: the payload's length, the type, and the time as epoch ms. */
const HEADER_BYTES = 4 + 1 + 8;
/** Maximum number of bytes of a payload. A longer one means that the file is damaged. */
const MAX_PAYLOAD_BYTES = 16 * 1_048_576;

/** The types of frames. The index of a type is its number in a file, so their order never changes. */
const TYPES = ['opened', 'head', 'chunk', 'heartbeat', 'end'] as const;

/** A summary of the body of a refusal, which may quote an answer. `foreign`: not the service's error body. */
const refusalSummary = v.union([
  /** The service's error body. The reason is empty if the API does not list it. */
  v.object({ code: v.number(), reason: v.optional(v.string()) }),
  v.picklist(['empty', 'foreign']),
]);

/** The fields of frames in JSON, by type. */
const payloads = {
  opened: v.object({
    /** The process that writes the file, and the ID of the window that started it. */
    keeper: processMarkSchema,
  }),
  head: v.object({
    status: v.number(),
    /** Only those that the client reads. */
    headers: v.record(v.string(), v.string()),
    /** Set unless the response is an accepted event stream. */
    refusal: v.optional(refusalSummary),
  }),
  /** Shows that the keeper is alive. If its payload is damaged, nothing is lost, and the rest of the file is read. */
  heartbeat: v.fallback(v.object({}), {}),
  end: v.object({
    outcome: v.picklist(['complete', 'stopped', 'failed']),
    /** The platform's code of a failure. */
    code: v.optional(v.string()),
  }),
};

type Payloads = { readonly [K in keyof typeof payloads]: v.InferOutput<(typeof payloads)[K]> };

export type Opening = Payloads['opened'];
export type RefusalSummary = v.InferOutput<typeof refusalSummary>;
export type ResponseHead = Payloads['head'];
export type ResponseEnd = Payloads['end'];

/** One entry of a response file. `at` is when it was made, epoch ms. */
export type Frame = { readonly at: number } & (
  | { [K in keyof Payloads]: { readonly type: K } & Payloads[K] }[keyof Payloads]
  /** Bytes of the body, decompressed. */
  | { readonly type: 'chunk'; readonly bytes: Uint8Array }
);

/** A response file that is damaged or of another version. */
export class UnreadableResponse extends Error {
  override readonly name = 'UnreadableResponse';
  readonly code = 'ERR_RESPONSE_UNREADABLE';
}

export function encodeFrame({ type, at, ...payload }: Frame): Buffer {
  const body = 'bytes' in payload ? payload.bytes : Buffer.from(JSON.stringify(payload));
  const frame = Buffer.allocUnsafe(HEADER_BYTES + body.length);
  frame.writeUInt32BE(body.length, 0);
  frame.writeUInt8(TYPES.indexOf(type), 4);
  frame.writeDoubleBE(at, 5);
  frame.set(body, HEADER_BYTES);
  return frame;
}

/** Reads a response file from bytes that are cut anywhere. */
export class FrameDecoder {
  #rest: Buffer = Buffer.alloc(0);
  #isStarted = false;

  /**
   * Returns the frames that are complete now. They share memory with `bytes`.
   *
   * @param frames gets the same frames, also those before a damaged part
   * @throws UnreadableResponse
   */
  push(bytes: Buffer, frames: Frame[] = []): readonly Frame[] {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let offset = this.#readStart(all);
    for (;;) {
      const end = endOfFrame(all, offset);
      if (!this.#isStarted || end > all.length) break;
      const frame = decodeFrame(all.subarray(offset, end));
      if (frame !== undefined) frames.push(frame);
      offset = end;
    }
    this.#rest = all.subarray(offset);
    return frames;
  }

  /** Checks the first bytes once they are complete. Returns where the frames begin. */
  #readStart(all: Buffer): number {
    if (this.#isStarted) return 0;
    const start = all.subarray(0, FILE_START.length);
    if (!start.equals(FILE_START.subarray(0, start.length)))
      throw new UnreadableResponse('A response file of another version');
    this.#isStarted = start.length === FILE_START.length;
    return this.#isStarted ? FILE_START.length : 0;
  }
}

/** Returns where a frame ends; infinity if its length is not known yet. */
function endOfFrame(all: Buffer, offset: number): number {
  if (all.length < offset + HEADER_BYTES) return Number.POSITIVE_INFINITY;
  const length = all.readUInt32BE(offset);
  if (length > MAX_PAYLOAD_BYTES) throw new UnreadableResponse('A damaged response file');
  return offset + HEADER_BYTES + length;
}

/** Returns undefined for a type that is not known. */
function decodeFrame(bytes: Buffer): Frame | undefined {
  const type = TYPES[bytes.readUInt8(4)];
  const at = bytes.readDoubleBE(5);
  const payload = bytes.subarray(HEADER_BYTES);
  if (type === undefined) return undefined;
  if (type === 'chunk') return { type, at, bytes: payload };
  const read = v.safeParse(payloads[type], parseJson(payload.toString()));
  if (!read.success) throw new UnreadableResponse('A damaged response file');
  return { type, at, ...read.output } as Frame;
}
