import { parseServiceUrl, type ServiceUrl } from '../../../../src/api/serviceUrl.ts';
import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientConfig,
} from '../../../../src/api/client.ts';
import { ApiError } from '../../../../src/api/errors.ts';
import type {
  CallOptions,
  FetchInit,
  FetchLike,
  RequestLogEntry,
} from '../../../../src/api/transport.ts';
import type { ChatEvent, ChatRequest } from '../../../../src/api/types.ts';
import { FakeClock } from '../../support/fakeClock.ts';

export const KEY = 'test-key-owner';

interface Sent {
  readonly url: string;
  readonly init: FetchInit;
}

/** The result of a request: a response, a live one, a failure, or none until it is aborted. */
export type FakeAnswer = Response | LiveStream | Error | 'silence';

export type FakeService = ReturnType<typeof fakeService>;

/** A client with given answers, one for each request; the last one repeats. */
export function fakeService(
  answers: readonly FakeAnswer[],
  config: Partial<ServiceClientConfig> = {},
) {
  const sent: Sent[] = [];
  const log: RequestLogEntry[] = [];
  const clock = new FakeClock();
  const fetch: FetchLike = (url, init) => {
    sent.push({ url, init });
    return answerWith(answers[Math.min(sent.length, answers.length) - 1] ?? 'silence', init.signal);
  };
  const client = createServiceClient({
    root: rootOf('https://interns.example/api/v1'),
    key: () => KEY,
    fetch,
    clock,
    random: () => 0.5,
    log: (entry) => log.push(entry),
    ...config,
  });
  return { client, clock, sent, log };
}

export function rootOf(text: string): ServiceUrl {
  const root = parseServiceUrl(text);
  if (!root.ok) throw new Error(root.error);
  return root.value;
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export function refusal(status: number, reason?: string, message = 'No'): Response {
  return json(
    { error: { code: status, message, ...(reason && { metadata: { reason } }) } },
    status,
  );
}

/** A response whose pieces the test sends. It breaks when its request is aborted. */
export class LiveStream {
  readonly response: Response;
  #controller!: ReadableStreamDefaultController<Uint8Array>;

  constructor(contentType = 'text/event-stream') {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
    });
    this.response = new Response(body, { headers: { 'content-type': contentType } });
  }

  send(piece: string | Uint8Array): void {
    this.#controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
  }

  close(): void {
    this.#controller.close();
  }

  break(failure: Error): void {
    this.#controller.error(failure);
  }
}

/** A whole chat response in these pieces. */
export function chatResponse(...pieces: readonly (string | Uint8Array)[]): LiveStream {
  const stream = new LiveStream();
  for (const piece of pieces) stream.send(piece);
  stream.close();
  return stream;
}

/** The events of a chat by network chunk, and the error that ended it. */
export interface ChatOutcome {
  readonly batches: (readonly ChatEvent[])[];
  readonly error: ApiError | null;
}

export const PROMPT = {
  kind: 'prompt',
  text: 'Hi',
  approvalMode: 'manual',
  sessionId: null,
} as const satisfies ChatRequest;

/** Reads a chat to its end. @throws any error that is not an `ApiError` */
export async function readChat(
  client: ServiceClient,
  options?: CallOptions,
  request: ChatRequest = PROMPT,
): Promise<ChatOutcome> {
  const batches: (readonly ChatEvent[])[] = [];
  try {
    for await (const events of client.streamChat('intern_1', request, options))
      batches.push(events);
    return { batches, error: null };
  } catch (error) {
    if (error instanceof ApiError) return { batches, error };
    throw error;
  }
}

function answerWith(answer: FakeAnswer, signal: AbortSignal): Promise<Response> {
  const aborted = new DOMException('This operation was aborted', 'AbortError');
  if (signal.aborted) return Promise.reject(aborted);
  if (answer instanceof Error) return Promise.reject(answer);
  if (answer instanceof Response) return Promise.resolve(answer);
  if (answer === 'silence')
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(aborted));
    });
  signal.addEventListener('abort', () => answer.break(aborted));
  return Promise.resolve(answer.response);
}
