import assert from 'node:assert/strict';
import { parseChatRequest, type ChatRequest } from '../core/chatRequest.ts';

function parse(changes: Record<string, unknown> = {}): ChatRequest {
  const body = { stream: true, messages: [{ role: 'user', content: 'hi' }], ...changes };
  return parseChatRequest(Buffer.from(JSON.stringify(body)));
}

function parseLast(message: unknown, more: Record<string, unknown> = {}): ChatRequest {
  return parse({ messages: [message], ...more });
}

const TOOL = { role: 'tool', tool_call_id: 'call_1', content: 'allow_once' };
const oddFunction = { name: 'n', arguments: {} };
const ECHO = { id: 'call_1', function: { name: 'service.provide_input', arguments: '{}' } };

describe('service chat request', () => {
  // Rules 5.4, 6.3
  it('a chat request runs a prompt in self-drive by default', () => {
    assert.deepEqual(parse(), {
      kind: 'prompt',
      sessionId: undefined,
      mode: 'self-drive',
      text: 'hi',
    });
  });

  // Rule 6.9
  it('the service reads an answer from the last tool message of a chat request', () => {
    assert.deepEqual(parseLast(TOOL, { session_id: 's' }), {
      kind: 'answer',
      sessionId: 's',
      toolCallId: 'call_1',
      content: 'allow_once',
      echo: undefined,
    });
  });

  // Rule 6.12
  it('the service reads only the echo of the tool call that is answered', () => {
    const echoes = [
      { ...ECHO, index: 2 },
      { ...ECHO, id: 'call_2' },
    ];
    const messages = [{ role: 'assistant', content: null, tool_calls: echoes }, TOOL];
    const request = parse({ messages, session_id: 's' });
    const { name, arguments: args } = ECHO.function;
    assert.deepEqual(request.kind === 'answer' && request.echo, {
      id: 'call_1',
      index: 2,
      name,
      arguments: args,
    });
  });

  // Rules 5.2, 6.2, 6.6
  it('a chat request acts upon its last message only', () => {
    const earlier = [
      { role: 'system', content: 'be kind' },
      { role: 'developer', content: [{ type: 'text', text: 'be brief' }] },
      { role: 'user', content: 'x'.repeat(40_000) },
      { role: 'assistant' },
      { role: 'assistant', content: null, tool_calls: [ECHO] },
      TOOL,
    ];
    const request = parse({ messages: [...earlier, { role: 'user', content: 'the last' }] });
    assert.equal(request.kind === 'prompt' && request.text, 'the last');
  });

  it('the service joins the text parts of a prompt', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ];
    const request = parseLast({ role: 'user', content: parts });
    assert.equal(request.kind === 'prompt' && request.text, 'ab');
  });

  // Rules 5.8, 5.9
  it('a chat request ignores other OpenAI fields and a model', () => {
    const request = parse({ temperature: 2, tools: [], n: 'many', model: 'anything' });
    assert.equal(request.kind, 'prompt');
  });

  // Rules 5.4, 5.5, 5.7, 5.8, 6.7, 6.8, 6.10, 6.11, 12.6, 21.4, 21.5
  for (const [what, changes] of [
    ['without messages', { messages: undefined }],
    ['with no message', { messages: [] }],
    ['with messages that are no array', { messages: {} }],
    ['with a message that is no object', { messages: ['hi'] }],
    ['with an unknown role', { messages: [{ role: 'robot', content: 'hi' }] }],
    ['without stream', { stream: undefined }],
    ['with stream false', { stream: false }],
    ['with another approval mode', { approval_mode: 'auto' }],
    ['with an empty session_id', { session_id: '' }],
    ['with a session_id of 257 characters', { session_id: 's'.repeat(257) }],
    ['with a session_id that is null', { session_id: null }],
    ['with an empty model', { model: '' }],
    ['with a model of 257 characters', { model: 'm'.repeat(257) }],
    ['with an assistant last', { messages: [{ role: 'assistant', content: 'hi' }] }],
    ['with a system message last', { messages: [{ role: 'system', content: 'hi' }] }],
    ['with a user message without content', { messages: [{ role: 'user' }] }],
    ['with a user message of null content', { messages: [{ role: 'user', content: null }] }],
    ['with a part of another type', { messages: [{ role: 'user', content: [{ type: 'image' }] }] }],
    ['with a part without text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['with a tool message without session_id', { messages: [TOOL] }],
    ['without tool_call_id', answering({ tool_call_id: undefined })],
    ['with an empty tool_call_id', answering({ tool_call_id: '' })],
    ['with a tool_call_id of 129 characters', answering({ tool_call_id: 'c'.repeat(129) })],
    ['with a tool message without content', answering({ content: undefined })],
    ['with an echo without id', echoing({ ...ECHO, id: undefined })],
    ['with an echo whose id has 129 characters', echoing({ ...ECHO, id: 'c'.repeat(129) })],
    ['with an echo without function', echoing({ id: 'call_1' })],
    ['with an echo without a name', echoing({ id: 'call_1', function: { arguments: '{}' } })],
    ['with an echo whose arguments are no string', echoing({ id: 'c', function: oddFunction })],
  ] as const)
    it(`the service refuses a chat request ${what}`, () => {
      assert.throws(() => parse(changes), { name: 'InvalidBody' });
    });

  // Rules 5.5, 5.8, 6.8, 21.4, 21.5
  it('a chat request allows IDs and models at their limits', () => {
    const long = { session_id: 's'.repeat(256), model: 'm'.repeat(256) };
    assert.equal(parseLast({ ...TOOL, tool_call_id: 'c'.repeat(128) }, long).kind, 'answer');
    assert.equal(parseLast({ ...TOOL, tool_call_id: 'c' }, { session_id: 's' }).kind, 'answer');
  });

  // Rules 6.4, 6.5, 21.3
  it('a chat request allows a prompt of at most 32,000 characters', () => {
    assert.equal(parseLast({ role: 'user', content: '🙂'.repeat(32_000) }).kind, 'prompt');
    const tooLong = { role: 'user', content: 'x'.repeat(32_001) };
    assert.throws(() => parseLast(tooLong), /at most 32000/);
  });

  for (const [what, bytes] of [
    ['is not JSON', Buffer.from('{')],
    ['is an array', Buffer.from('[]')],
    ['is null', Buffer.from('null')],
    ['is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ] as const)
    // Rules 1.2, 5.1, 5.3, 5.8, 6.1, 6.8, 6.10
    it(`the service refuses a request body that ${what}`, () => {
      assert.throws(() => parseChatRequest(bytes), { name: 'InvalidBody' });
    });
});

function echoing(toolCall: unknown): Record<string, unknown> {
  const echo = { role: 'assistant', content: null, tool_calls: [toolCall] };
  return { messages: [echo, { role: 'user', content: 'hi' }] };
}

function answering(changes: object): Record<string, unknown> {
  return { messages: [{ ...TOOL, ...changes }], session_id: 's' };
}
