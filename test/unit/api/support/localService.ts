import assert from 'node:assert/strict';
import {
  createServiceClient,
  type ServiceClient,
  type ServiceClientConfig,
} from '../../../../src/api/client.ts';
import { ApiError } from '../../../../src/api/errors.ts';
import type { Answer, ApprovalMode, ChatEvent, ChatRequest } from '../../../../src/api/types.ts';
import { startService, type Service, type ServiceOptions } from '../../../service/service.ts';
import { rootOf } from './fakeFetch.ts';

const OWNER = 'test-key-owner';
const open: Service[] = [];

/** Starts a service that ends after the test. */
export async function start(options: ServiceOptions = {}): Promise<Service> {
  const service = await startService(options);
  open.push(service);
  return service;
}

/** A client of a service, which does not wait between attempts. */
export function clientOf(
  service: Service,
  key = OWNER,
  config: Partial<ServiceClientConfig> = {},
): ServiceClient {
  const root = rootOf(service.url);
  return createServiceClient({ root, key: () => key, random: () => 0, ...config });
}

export function prompt(
  text: string,
  mode: ApprovalMode = 'manual',
  session: string | null = null,
): ChatRequest {
  return { kind: 'prompt', text, approvalMode: mode, sessionId: session };
}

export type Said = Awaited<ReturnType<typeof chat>>;

/** Reads a run or its continuation to the end. */
export async function chat(client: ServiceClient, request: ChatRequest, intern = 'intern_ada') {
  const events: ChatEvent[] = [];
  for await (const batch of client.streamChat(intern, request)) events.push(...batch);
  const ends = events.filter((event) => event.kind === 'end');
  assert.equal(ends.length, 1);
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'malformed'),
    [],
  );
  return {
    events,
    text: events.map((event) => (event.kind === 'text' ? event.text : '')).join(''),
    questions: events.filter((event) => event.kind === 'interaction'),
    finish: events.find((event) => event.kind === 'finish'),
    end: ends[0]!,
  };
}

/** Returns the error of a call, which must fail. */
export async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof ApiError, String(outcome));
  return outcome;
}

export function reply(said: Said, answer: Answer, question = 0): ChatRequest {
  const asked = said.questions[question];
  assert.ok(asked !== undefined && said.end.sessionId !== null);
  return { kind: 'answer', sessionId: said.end.sessionId, call: asked.call, answer };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((service) => service.close()));
});
