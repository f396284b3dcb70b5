import { DETACHED, RESPONSE_STOPPED, type StoredResponse } from '../../api/index.ts';
import type { Frame, Opening, ResponseHead } from '../../streamKeeper/responseFrames.ts';
import type { FrameReader } from './frameReader.ts';

/** Code of a response whose keeper has died. Its request may have been received. */
export const KEEPER_LOST = 'ERR_KEEPER_LOST';

/** Statuses whose responses have no body. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** A response file, and how its reader learns that it grew. */
interface ResponseFile {
  readonly reader: FrameReader;
  /** Resolves when the file may have grown, or when {@link FrameReader.wait} does. */
  readonly wait: () => Promise<void>;
  /** Returns whether no more will come: the keeper is gone. */
  readonly checkLost: (opening: Opening | undefined) => Promise<boolean>;
  /** Returns the body of a refusal, if it came over the pipe. */
  readonly refusedBody: () => string | undefined;
  /** Ends the request. */
  readonly stop: () => void;
  /** Called when the response has ended. */
  readonly onEnd?: () => void;
}

/**
 * Reads a response from its file, as `fetch` would have returned it.
 *
 * @returns undefined if the keeper died before it sent the request
 * @throws the reason of the abort, or an Error whose cause has the code of the failure
 */
export async function readStoredResponse(
  file: ResponseFile,
  signal: AbortSignal,
): Promise<StoredResponse | undefined> {
  const cancel = new AbortController();
  let receivedAt = 0;
  const frames = readFrames(file, AbortSignal.any([signal, cancel.signal]), (at) => {
    receivedAt = at;
  });
  const { value: head } = await frames.next();
  if (head?.type !== 'head') return undefined;
  const { headers, refusal } = head;
  // A `Response` takes no status outside this range, which HTTP treats as an error of the server.
  const status = head.status < 200 || head.status > 599 ? 500 : head.status;
  const isBodiless = BODILESS.has(status);
  if (refusal !== undefined || isBodiless) await frames.return(undefined);
  const body =
    refusal === undefined
      ? streamOf(frames, () => cancel.abort())
      : (file.refusedBody() ?? bodyOf(status, refusal));
  const response = new Response(isBodiless ? null : body, { status, headers });
  return Object.assign(response, { receivedAt: () => receivedAt });
}

type Frames = AsyncGenerator<Extract<Frame, { readonly type: 'head' | 'chunk' }>, undefined>;

/**
 * Yields the head of a response and the parts of its body; nothing if the keeper died before it sent the request.
 *
 * @param onFrame gets the time of each frame that was read, epoch ms
 */
async function* readFrames(
  file: ResponseFile,
  signal: AbortSignal,
  onFrame: (at: number) => void,
): Frames {
  const { reader, checkLost, wait } = file;
  const release = (): void => {
    signal.removeEventListener('abort', handleAbort);
    void reader.close();
    if (signal.reason !== DETACHED) file.onEnd?.();
  };
  const handleAbort = (): void => {
    if (signal.reason !== DETACHED) file.stop();
    release();
    reader.recheck();
  };
  signal.addEventListener('abort', handleAbort);
  if (signal.aborted) handleAbort();
  let opening: Opening | undefined;
  try {
    for (let isLost = false; ;) {
      const frame = await reader.next();
      signal.throwIfAborted();
      if (frame !== undefined) onFrame(frame.at);
      if (frame?.type === 'opened') opening = frame;
      else if (frame?.type === 'head' || frame?.type === 'chunk') yield frame;
      else if (frame?.type === 'end' && frame.outcome === 'complete') return undefined;
      else if (frame?.type === 'end')
        throw fetchError(frame.outcome === 'stopped' ? RESPONSE_STOPPED : frame.code);
      else if (frame === undefined && isLost) break;
      else if (frame === undefined) {
        isLost = await checkLost(opening);
        if (isLost) reader.recheck();
        else await wait();
      }
    }
    if (opening !== undefined) throw fetchError(KEEPER_LOST);
    return undefined;
  } finally {
    release();
  }
}

function streamOf(frames: Frames, cancel: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { value: frame } = await frames.next();
        if (frame?.type === 'chunk') controller.enqueue(frame.bytes);
        else controller.close();
      },
      cancel,
    },
    // Nothing is read ahead, so that the time of the last frame is that of the bytes that were read last.
    { highWaterMark: 0 },
  );
}

/** Makes an error like that of `fetch`. */
export function fetchError(code: string | undefined): TypeError {
  const cause = Object.assign(new Error('The request of the stream keeper failed'), { code });
  return new TypeError('fetch failed', { cause });
}

/** Makes the body of a refusal from what is kept of it. */
function bodyOf(status: number, summary: NonNullable<ResponseHead['refusal']>): string {
  if (summary === 'empty') return '';
  if (summary === 'foreign') return '…';
  const { code, reason } = summary;
  const metadata = reason === undefined ? null : { reason };
  return JSON.stringify({ error: { code, message: `HTTP ${status}`, metadata } });
}
