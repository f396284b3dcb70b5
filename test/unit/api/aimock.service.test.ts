/**
 * The client reads streams of a third-party server: `@copilotkit/aimock`, which needs no other package. Alternatives such
 * as `llm-mock-server`, `mock-openai-api` and `openai-mock-api` depend on express or fastify.
 */
import assert from 'node:assert/strict';
import { LLMock } from '@copilotkit/aimock';
import { createServiceClient } from '../../../src/api/client.ts';
import { readQuestion } from '../../../src/api/question.ts';
import type { FetchLike } from '../../../src/api/transport.ts';
import { readChat, rootOf, type ChatOutcome } from './support/fakeFetch.ts';

/** Adds what the server needs and the interface lacks: its path, a model, and an option for usage. */
function inItsDialect(root: string, more: object): FetchLike {
  return (_url, init) => {
    const body = JSON.parse(init.body ?? '{}') as object;
    return fetch(`${root}/v1/chat/completions`, {
      ...init,
      body: JSON.stringify({ ...body, model: 'any', ...more }),
    });
  };
}

describe('client with a third-party server', () => {
  let server: LLMock;

  beforeEach(async () => {
    server = new LLMock({ port: 0 });
    await server.start();
  });

  afterEach(() => server.stop());

  function chat(more: object = { stream_options: { include_usage: true } }): Promise<ChatOutcome> {
    const client = createServiceClient({
      root: rootOf(server.url),
      key: () => 'test-key-owner',
      fetch: inItsDialect(server.url, more),
    });
    return readChat(client);
  }

  it('the client reads text and usage from a third-party server', async () => {
    const content = 'Grüße, мир, 世界 🙂 — "quoted"\n```ts\nconst a = 1;\n```';
    server.onMessage('Hi', { content });
    const { batches, error } = await chat();
    const events = batches.flat();
    assert.equal(error, null);
    assert.equal(
      events.map((event) => (event.kind === 'text' ? event.text : '')).join(''),
      content,
    );
    assert.deepEqual(
      events.filter(({ kind }) => kind !== 'text').map(({ kind }) => kind),
      ['role', 'finish', 'end'],
    );
    const last = events.at(-1);
    assert.ok(last?.kind === 'end' && last.sessionId === null && last.model === 'any');
    assert.ok((last.usage?.totalTokens ?? 0) > 0);
  });

  it('the client reports a stream without a final chunk after its text', async () => {
    server.onMessage('Hi', { content: 'short' });
    const { batches, error } = await chat({});
    assert.equal(error?.kind, 'broken-stream');
    assert.ok(batches.flat().some((event) => event.kind === 'text'));
  });

  it('the client reads no question from the pieces of a tool call', async () => {
    server.onMessage('Hi', { toolCalls: [{ name: 'get_weather', arguments: '{"city":"Oslo"}' }] });
    const { batches } = await chat();
    for (const event of batches.flat()) {
      if (event.kind === 'interaction') assert.equal(readQuestion(event.call).kind, 'unreadable');
    }
    assert.ok(batches.flat().some(({ kind }) => kind === 'malformed'));
  });

  it('the client reads the refusal of a third-party server as that of another service', async () => {
    const { error } = await chat();
    assert.deepEqual([error?.kind, error?.status], ['not-the-service', 404]);
  });
});
