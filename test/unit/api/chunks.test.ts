import assert from 'node:assert/strict';
import { ChunkReader } from '../../../src/api/chunks.ts';
import type { ChatEvent } from '../../../src/api/types.ts';
import {
  ASKED,
  chunk,
  delta,
  DONE,
  end,
  END_EVENT as ended,
  failed,
  reasoning,
  ROLE,
  STOP,
  text,
  toolCall,
  USAGE,
} from './support/streams.ts';

function read(...data: readonly string[]): { events: readonly ChatEvent[]; reader: ChunkReader } {
  const reader = new ChunkReader((sentence) => sentence.replaceAll('test-key', '***'));
  for (const one of data) reader.read(one);
  return { events: reader.take(), reader };
}

function eventsOf(...data: readonly string[]): readonly ChatEvent[] {
  return read(...data).events;
}

function malformed(problem: string): object {
  return { kind: 'malformed', problem };
}

const role = { kind: 'role' };
const said = { kind: 'text', text: 'a' };
const thought = { kind: 'reasoning', text: 'r' };
const stopped = { kind: 'finish', reason: 'stop' };

const choices = [{ index: 0, delta: { content: 'a' }, finish_reason: null }];
const withRole = delta({ role: 'assistant', content: 'a' });

describe('chunk reader: text and reasoning', () => {
  const rows: Readonly<Record<string, readonly [events: string, ...data: string[]]>> = {
    // Rules 8.14, 8.15
    'role, reasoning and text in their order': [
      'role r a a',
      ROLE,
      reasoning('r'),
      text('a'),
      text('a'),
    ],
    // Rule 8.13
    'one role, though every chunk may carry it': ['role a a', withRole, withRole],
    'reasoning before text from one chunk': ['r a', delta({ content: 'a', reasoning: 'r' })],
    'nothing from empty pieces': ['', text(''), reasoning(''), delta({})],
    'nothing from null pieces': ['', delta({ content: null, reasoning: null })],
    'reasoning beside null text': ['r', delta({ content: null, reasoning: 'r' })],
    'text beside null pieces': ['a', delta({ content: 'a', reasoning: null, tool_calls: null })],
    // Rule 8.11
    'text without a finish reason': ['a', chunk({ choices: [{ delta: { content: 'a' } }] })],
    // Rules 8.2, 8.3
    'a chunk with any object and time': ['a', chunk({ choices, object: 'b', created: 'soon' })],
    'a chunk with null object and time': ['a', chunk({ choices, object: null, created: null })],
    'a chunk with a null error': ['a', chunk({ choices, error: null })],
    'text before the finish in one chunk': ['a stop', delta({ content: 'a' }, 'stop')],
    'text after the finish': ['stop a', STOP, text('a')],
    // Rule 8.6
    'only the first of two choices': ['a extra', chunk({ choices: [...choices, ...choices] })],
    'nothing from text that is a number': ['', delta({ content: 7 })],
    'nothing from reasoning that is an object': ['', delta({ reasoning: {} })],
    'reasoning beside text that is a number': ['r', delta({ content: 7, reasoning: 'r' })],
  };
  const extra = malformed('extra-choice');
  const named: Readonly<Record<string, object>> = {
    role,
    r: thought,
    a: said,
    stop: stopped,
    extra,
  };
  for (const [what, [events, ...data]] of Object.entries(rows))
    it(`the chunk reader reads ${what}`, () => {
      const expected = events.split(' ').flatMap((name) => named[name] ?? []);
      assert.deepEqual(eventsOf(...data), expected);
    });

  for (const broken of [null, 7, 'text', undefined])
    it(`the chunk reader reads nothing from the delta ${broken}`, () => {
      assert.deepEqual(eventsOf(chunk({ choices: [{ delta: broken, finish_reason: null }] })), []);
    });
});

describe('chunk reader: questions', () => {
  const args = { kind: 'permission', operation: 'run_shell', options: ['allow_once'] };

  // Rules 8.16, 8.17, 17.4
  it('the chunk reader reads a tool call verbatim', () => {
    const call = {
      index: 3,
      id: 'call_1',
      name: 'service.provide_input',
      arguments: JSON.stringify(args),
    };
    assert.deepEqual(eventsOf(delta({ tool_calls: [toolCall('call_1', args, 3)] })), [
      { kind: 'interaction', call },
    ]);
  });

  it('the chunk reader reads text and each of several tool calls from one chunk', () => {
    const calls = [toolCall('call_1', args), toolCall('call_2', args, 1)];
    const read = eventsOf(delta({ content: 'a', tool_calls: calls }));
    const ids = read.map((event) => (event.kind === 'interaction' ? event.call.id : event.kind));
    assert.deepEqual(ids, ['text', 'call_1', 'call_2']);
  });

  it('the chunk reader reads an index of a tool call that cannot be recorded as 0', () => {
    const withIndex = delta({ tool_calls: [toolCall('call_1', args, 7)] });
    // JSON.parse reads 1e999 as infinity, which JSON.stringify writes as null.
    for (const index of ['', '"index":null,', '"index":1e999,']) {
      const [event] = eventsOf(withIndex.replace('"index":7,', index));
      assert.equal(event?.kind === 'interaction' && event.call.index, 0, index);
    }
  });

  // Rule 8.17
  it('the chunk reader skips a tool call that lacks a field, and reads the others', () => {
    const calls = [{ index: 0, id: 'call_1' }, toolCall('call_2', args)];
    const [first, second] = eventsOf(delta({ tool_calls: calls }));
    assert.deepEqual(first, malformed('tool-call'));
    assert.equal(second?.kind, 'interaction');
  });

  it('the chunk reader skips tool calls that are no list', () => {
    const data = delta({ content: 'a', tool_calls: {} });
    assert.deepEqual(eventsOf(data), [said, malformed('tool-call')]);
  });

  it('the chunk reader reads no more than 16 tool calls of a response, and nothing after them', () => {
    const calls = (count: number): string =>
      delta({ tool_calls: Array.from({ length: count }, (_, at) => toolCall(`call_${at}`, {})) });
    const most = read(calls(15), delta({ tool_calls: [7] }), ASKED);
    assert.equal(most.events.length, 17);
    assert.equal(most.reader.hasTooManyCalls, false);
    const over = read(calls(15), delta({ tool_calls: [7, 8] }), text('a'), ASKED, DONE);
    assert.equal(over.events.length, 16);
    assert.deepEqual([over.reader.hasTooManyCalls, over.reader.done], [true, false]);
    assert.equal(read(calls(100_000)).events.length, 16);
  });
});

describe('chunk reader: the finish', () => {
  // Rules 8.12, 17.5
  it('the chunk reader reads the first finish and skips the second', () => {
    assert.deepEqual(eventsOf(STOP, ASKED), [stopped, malformed('second-finish')]);
    assert.deepEqual(eventsOf(ASKED), [{ kind: 'finish', reason: 'tool_calls' }]);
    assert.equal(read(STOP).reader.failure, null);
  });

  const unlisted = 'The API does not list this finish reason';
  const nothing = ['server-error', null, null, ''];
  const rows: Readonly<Record<string, readonly [data: string, ...error: unknown[]]>> = {
    // Rule 8.12
    'an unlisted finish reason, without secrets': [
      delta({}, 'length of test-key'),
      ...['unlisted-finish', null, 'length of ***', unlisted],
    ],
    // Rules 8.7, 8.30
    'a failure with its kind, code and reason, without secrets': [
      failed(410, 'run_ended', 'Ended for test-key'),
      ...['run-ended', 410, 'run_ended', 'Ended for ***'],
    ],
    'the failure not_found as that of the chat route': [
      failed(404, 'not_found', 'No such intern'),
      ...['intern-not-found', 404, 'not_found', 'No such intern'],
    ],
    'a failure with an unlisted reason, without secrets': [
      failed(500, 'because of test-key', 'x'),
      ...['server-error', 500, 'because of ***', 'x'],
    ],
    // Rule 8.30
    'a failure without an error': [delta({}, 'error'), ...nothing],
    'an empty error': [chunk({ error: {} }), ...nothing],
    'an error beside null choices': [chunk({ choices: null, error: {} }), ...nothing],
    'an error with an invalid code': [chunk({ choices: [], error: { code: 'x' } }), ...nothing],
  };
  for (const [what, [data, ...expected]] of Object.entries(rows))
    it(`the chunk reader reads ${what}`, () => {
      const { events, reader } = read(data);
      const [event, ...rest] = events;
      assert.deepEqual(rest, []);
      assert.ok(event?.kind === 'finish' && 'error' in event);
      assert.equal(event.error, reader.failure);
      const { kind, route, status, reason, message, inStream } = event.error;
      assert.equal(event.reason, kind === 'unlisted-finish' ? 'unlisted' : 'error');
      assert.deepEqual([kind, status, reason, message], expected);
      assert.deepEqual([route, inStream], ['chat', true]);
    });

  it('the chunk reader reads an error without its finish reason as a failure', () => {
    const error = { code: 504, message: 'Late', metadata: { reason: 'timeout' } };
    const [first, second] = eventsOf(chunk({ choices, error }));
    assert.deepEqual(first, said);
    assert.equal(second?.kind === 'finish' && second.reason, 'error');
  });
});

describe('chunk reader: the final chunk', () => {
  const counts = { promptTokens: 10, completionTokens: 5, totalTokens: 15 };

  // Rules 8.4, 8.5, 8.8, 8.10, 8.26, 8.27, 17.6
  it('the chunk reader reads session, usage and model from the final chunk', () => {
    const usage = { ...USAGE, cost: 0.25, prompt_tokens_details: { cached_tokens: 4 } };
    assert.deepEqual(eventsOf(end({ usage })), [
      { ...ended, usage: { ...counts, cost: 0.25, cachedTokens: 4 } },
    ]);
  });

  // Rules 8.26, 8.27
  it('the chunk reader reads usage without cost and cached tokens', () => {
    for (const more of [
      {},
      { cost: null, prompt_tokens_details: null },
      { cost: 'free', prompt_tokens_details: {} },
      { cost: -1 },
      { cost: 1e300 },
      { prompt_tokens_details: { cached_tokens: null } },
      { prompt_tokens_details: { cached_tokens: 1.5 } },
      { prompt_tokens_details: 7 },
    ]) {
      const usage = { ...counts, cost: null, cachedTokens: null };
      assert.deepEqual(eventsOf(end({ usage: { ...USAGE, ...more } })), [{ ...ended, usage }]);
    }
  });

  // Rules 8.4, 8.9, 8.10, 8.28
  it('the chunk reader reads null for a session, usage or model that was not reported', () => {
    const nothing = { ...ended, sessionId: null, model: null };
    const model = 'service/intern';
    for (const data of [
      end({ session_id: null, usage: null, model }),
      end({ session_id: null, usage: null, model: null }),
      chunk({ choices: [], usage: null, model }),
      chunk({ choices: [], session_id: null, model }),
      chunk({ choices: null, session_id: null, usage: null, model }),
    ])
      assert.deepEqual(eventsOf(data), [nothing]);
  });

  // Rule 5.5
  it('the chunk reader skips a session ID outside its limits', () => {
    for (const id of ['', 'x'.repeat(257), 7]) {
      const data = end({ session_id: id, usage: null });
      assert.deepEqual(eventsOf(data), [malformed('session-id'), { ...ended, sessionId: null }]);
    }
    const longest = end({ session_id: 'x'.repeat(256), usage: null });
    assert.deepEqual(eventsOf(longest), [{ ...ended, sessionId: 'x'.repeat(256) }]);
  });

  // Rule 8.25
  it('the chunk reader skips usage without its three counts', () => {
    for (const usage of [{}, { ...USAGE, total_tokens: 1.5 }, { ...USAGE, prompt_tokens: null }])
      assert.deepEqual(eventsOf(end({ usage })), [malformed('usage'), ended]);
  });

  it('the chunk reader skips a second final chunk', () => {
    const data = [end({ usage: null }), end({ session_id: 'session_2' })];
    assert.deepEqual(eventsOf(...data), [ended, malformed('second-end')]);
  });

  // Rule 8.6
  it('the chunk reader never takes a chunk with a choice for the final one', () => {
    const { events, reader } = read(chunk({ choices, usage: null, session_id: 's' }), STOP);
    assert.deepEqual(events, [said, stopped]);
    assert.equal(reader.complete, false);
  });
});

describe('chunk reader: the state of a response', () => {
  it('the chunk reader reads nothing after [DONE]', () => {
    const { events, reader } = read(ROLE, DONE, text('after'));
    assert.equal(reader.done, true);
    assert.deepEqual(events, [role]);
    assert.equal(read(ROLE).reader.done, false);
  });

  it('the chunk reader reports a response as complete after the finish chunk and the final chunk', () => {
    for (const data of [[ROLE], [STOP], [end()]])
      assert.equal(read(...data).reader.complete, false);
    assert.equal(read(STOP, end()).reader.complete, true);
    assert.equal(read(failed(500, 'x', 'y'), end()).reader.complete, true);
  });

  it('the chunk reader reports an ID of 1 to 256 characters as the ID of the completion', () => {
    for (const id of [7, null, '', 'x'.repeat(257)]) {
      const { reader } = read(chunk({ id, choices: [] }), end({ id }));
      assert.equal(reader.summary.completionId, null);
    }
    assert.equal(read(text('a')).reader.summary.completionId, 'chatcmpl_1');
  });
});

describe('chunk reader: data that is no chunk', () => {
  it('the chunk reader skips a chunk of invalid JSON and reads the next', () => {
    assert.deepEqual(eventsOf('{"choices":[', '', text('a')), [
      malformed('not-json'),
      malformed('not-json'),
      said,
    ]);
  });

  for (const data of [
    ...['null', '1', '"text"', '[]', '{}', '{"object":"ping"}', '{"choices":{}}'],
    ...['{"choices":[null]}', '{"choices":[1]}', '{"choices":[]}', '{"choices":null}'],
    ...['{"choices":[],"prompt_filter_results":[]}', '{"choices":7,"usage":null}'],
  ])
    it(`the chunk reader skips ${data} and reads the next chunk`, () => {
      assert.deepEqual(eventsOf(data, text('a')), [malformed('not-a-chunk'), said]);
    });

  it('the chunk reader reads each line of an event as a chunk if the whole event is no chunk', () => {
    const { events, reader } = read(`${ROLE}\n${text('a')}\n\n{\n${STOP}\n${DONE}`);
    assert.deepEqual(events, [role, said, malformed('not-json'), stopped]);
    assert.equal(reader.done, true);
  });

  it('the chunk reader reads one chunk that is spread over lines', () => {
    assert.deepEqual(eventsOf(text('a').replace('"choices"', '\n"choices"')), [said]);
  });
});
