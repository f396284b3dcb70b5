/** A third-party client reads the local service: the `openai` package. */
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { startService, type Service } from '../../service/service.ts';

describe('openai client with the local service', () => {
  let service: Service;
  let client: OpenAI;

  beforeEach(async () => {
    service = await startService();
    client = new OpenAI({
      apiKey: 'test-key-owner',
      baseURL: `${service.url}/interns/intern_ada`,
      maxRetries: 0,
    });
  });

  afterEach(() => service.close());

  async function read(content: string, more: object = {}) {
    const stream = await client.chat.completions.create({
      model: 'service/intern',
      messages: [{ role: 'user', content }],
      stream: true,
      ...more,
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
  }

  function textOf(chunks: readonly OpenAI.ChatCompletionChunk[]): string {
    return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  }

  it('the openai client reads text and usage of the local service', async () => {
    const chunks = await read('echo Grüße, 世界 🙂');
    assert.match(textOf(chunks), /Grüße, 世界 🙂/);
    assert.equal(chunks[0]?.choices[0]?.delta.role, 'assistant');
    assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'stop');
    assert.ok((chunks.at(-1)?.usage?.total_tokens ?? 0) > 0);
    assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
  });

  it('the openai client answers a tool call of the local service', async () => {
    const asked = await read('ask permission', { approval_mode: 'manual' });
    const call = asked.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])[0];
    assert.equal(call?.type, 'function');
    assert.equal(call.function?.name, 'service.provide_input');
    assert.equal(asked.at(-2)?.choices[0]?.finish_reason, 'tool_calls');
    const { session_id: sessionId } = asked.at(-1) as unknown as { session_id: string };
    const answered = await read('', {
      session_id: sessionId,
      messages: [
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: 'allow_once' },
      ],
    });
    assert.equal(answered.at(-2)?.choices[0]?.finish_reason, 'stop');
  });

  it('the openai client reads refusals of the local service', async () => {
    await assert.rejects(read('fail busy 409'), { status: 409, message: /409/ });
    const stranger = client.withOptions({ apiKey: 'test-key-unknown' });
    const messages = [{ role: 'user', content: 'Hi' } as const];
    const call = stranger.chat.completions.create({ model: 'x', messages, stream: true });
    await assert.rejects(call, OpenAI.AuthenticationError);
  });
});
