import assert from 'node:assert/strict';
import {
  ask,
  assertError,
  chatPath,
  type Chunk,
  padded,
  parseStream,
  pause,
  promptBody,
  readStream,
  refused,
  send,
  sendJson,
  service,
  startChat,
  useService,
} from './support.ts';

describe('service chat stream', () => {
  useService();

  // Rules 1.2, 12.3, 17.1, 17.7
  it('a reply is an event stream of one chunk per data line that ends with [DONE]', async () => {
    const response = await startChat(promptBody('hello'));
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    const raw = await response.text();
    for (const line of raw.split('\n')) assert.match(line, /^(data: .+)?$/);
    assert.ok(raw.endsWith('\n\ndata: [DONE]\n\n'));
  });

  // Rules 8.6, 8.12, 8.13, 11.2, 12.4, 17.2, 17.3, 17.5, 17.6, 17.9
  it('a reply streams a role, reasoning, content, a finish and a final chunk in order', async () => {
    const { chunks, done, finishReason } = await ask('think');
    const kinds = chunks.map(kindOf);
    const collapsed = kinds.filter((kind, index) => kind !== kinds[index - 1]);
    assert.deepEqual(collapsed, ['role', 'reasoning', 'content', 'finish', 'final']);
    assert.equal(finishReason, 'stop');
    assert.ok(done);
  });

  // Rules 8.1, 8.2, 8.3, 8.11
  it('every chunk of a reply has its required fields, the same ID and the same time', async () => {
    const { chunks } = await ask('hello');
    const [first] = chunks;
    assert.match(first!.id, /^chatcmpl-/);
    for (const chunk of chunks) {
      assert.equal(chunk.id, first!.id);
      assert.equal(chunk.object, 'chat.completion.chunk');
      assert.equal(chunk.created, Date.UTC(2030, 0, 1) / 1000);
      assert.equal(typeof chunk.model, 'string');
      for (const choice of chunk.choices) {
        assert.deepEqual(Object.keys(choice), ['index', 'delta', 'finish_reason']);
        assert.equal(choice.index, 0);
      }
    }
    assert.equal((await ask('hello')).chunks[0]!.id === first!.id, false);
  });

  // Rules 8.4, 8.5, 8.28
  it('chunks name service/intern as model until the intern reports one', async () => {
    const { chunks, final } = await ask('hello');
    assert.ok(chunks.slice(0, -1).every(({ model }) => model === 'service/intern'));
    assert.equal(final?.model, 'scripted/intern-1');
    const never = await ask('null usage');
    assert.deepEqual([never.final?.model, never.final?.usage], ['service/intern', null]);
    const known = await ask('hello', { intern: 'intern_bea' });
    assert.ok(known.chunks.every(({ model }) => model === 'example/large-1'));
  });

  // Rules 8.10, 8.25, 8.26, 8.27
  it('the final chunk reports the usage with cost and cached tokens', async () => {
    const first = await ask('hello');
    const usage = first.final?.usage;
    assert.deepEqual(usage, {
      prompt_tokens: 2,
      completion_tokens: Math.ceil(first.text.length / 4),
      total_tokens: 2 + Math.ceil(first.text.length / 4),
      cost: usage?.['cost'],
      prompt_tokens_details: { cached_tokens: 0 },
    });
    assert.ok((usage.cost as number) > 0);
    const next = await ask('hello', { session: first.final!.session_id! });
    assert.deepEqual(next.final?.usage?.['prompt_tokens_details'], { cached_tokens: 2 });
  });

  // Rules 8.8, 11.1, 12.5, 17.6
  it('only the final chunk of a reply has the session ID', async () => {
    for (const prompt of ['hello', 'silence', 'ask permission', 'fail in stream timeout']) {
      const { chunks, final } = await ask(prompt);
      assert.equal(typeof final?.session_id, 'string');
      assert.ok(chunks.slice(0, -1).every((chunk) => !('session_id' in chunk)));
    }
  });

  // Rule 8.9
  it('the session ID is null when a run fails before the intern reports one', async () => {
    const first = await ask('fail early in stream stream_severed');
    assert.equal(first.final?.session_id, null);
    assert.deepEqual(service.state.sessions(), []);
    const known = (await ask('hello')).final!.session_id!;
    const later = await ask('fail early in stream timeout', { session: known });
    assert.equal(later.final?.session_id, null);
    assert.match((await ask('remember', { session: known })).text, /1\. hello/);
  });

  // Rules 10.14, 12.1, 18.7, 18.9
  it('a chat needs a running intern that exists', async () => {
    for (const intern of ['carl', 'dora', 'emil', 'fay', 'gus', 'hal', 'ida']) {
      const response = await refused(promptBody('hi'), { intern: `intern_${intern}` });
      assertError(response, 409, 'intern_not_ready');
    }
    const nobody = await refused(promptBody('hi'), { intern: 'intern_nobody' });
    assertError(nobody, 404, 'not_found');
  });

  // Rules 12.8, 18.2
  it('the chat route refuses an invalid body with the reason bad_request', async () => {
    assertError(await refused({ stream: true }), 400, 'bad_request');
    const notJson = await send(chatPath(), { body: '{' });
    assert.equal(notJson.status, 400);
    const tool = { role: 'tool', tool_call_id: 'call_1', content: 'cancel' };
    const noSession = await refused({ stream: true, messages: [tool] });
    assertError(noSession, 400, 'bad_request');
  });

  // Rules 12.2, 18.14, 21.1
  it('the chat route takes a body of at most 1,048,576 bytes', async () => {
    const fits = await send(chatPath(), { body: padded(promptBody('hi'), 1_048_576) });
    assert.equal((await readStream(fits)).finishReason, 'stop');
    const tooLarge = await sendJson(chatPath(), { body: padded(promptBody('hi'), 1_048_577) });
    assertError(tooLarge, 413, 'payload_too_large');
  });

  // Rule 5.13
  it('a session does not remember the mode of an earlier prompt', async () => {
    const session = (await ask('hello', { mode: 'manual' })).final!.session_id!;
    const body = promptBody('ask permission', { session });
    delete body['approval_mode'];
    assert.equal((await readStream(await startChat(body))).finishReason, 'stop');
  });

  // Rule 5.14
  it('a run keeps the mode that it started with, whatever the answer says', async () => {
    const { session, calls } = await pause('ask twice', { mode: 'manual' });
    const response = await startChat({
      stream: true,
      session_id: session,
      approval_mode: 'self-drive',
      messages: [{ role: 'tool', tool_call_id: calls[0]!.id, content: 'allow_once' }],
    });
    assert.equal((await readStream(response)).finishReason, 'tool_calls');
  });

  it('a client that reads slowly loses nothing of a reply', async () => {
    const response = await startChat(promptBody('long 4000'));
    let raw = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body!)
      raw += decoder.decode(bytes as Uint8Array, { stream: true });

    const { text, done } = parseStream(raw);
    assert.equal(text.length, 4000 * 1024);
    assert.ok(done);
  });
});

function kindOf({ choices }: Chunk): string {
  const [choice] = choices;
  if (choice === undefined) return 'final';
  if (choice.finish_reason !== null) return 'finish';
  return Object.keys(choice.delta).join('+');
}
