import assert from 'node:assert/strict';
import { ChunkReader } from '../../../src/api/chunks.ts';
import { ApiError } from '../../../src/api/errors.ts';
import type { ChatEvent } from '../../../src/api/types.ts';
import {
  ASKED,
  chunk,
  delta,
  DONE,
  end,
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

const END = {
  kind: 'end',
  sessionId: 'session_1',
  usage: null,
  model: 'vendor/model',
  completionId: 'chatcmpl_1',
};

describe('api chunks: what is said', () => {
  // Rules 8.14, 8.15
  it('reads role, reasoning and text in their order', () => {
    assert.deepEqual(eventsOf(ROLE, reasoning('Hm'), text('Hi'), text(' there')), [
      { kind: 'role' },
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'text', text: 'Hi' },
      { kind: 'text', text: ' there' },
    ]);
  });

  // Rule 8.13
  it('tells the role once, though every chunk may carry it', () => {
    const both = delta({ role: 'assistant', content: 'a' });
    assert.deepEqual(eventsOf(both, both), [
      { kind: 'role' },
      { kind: 'text', text: 'a' },
      { kind: 'text', text: 'a' },
    ]);
  });

  it('puts reasoning before text where one chunk carries both', () => {
    assert.deepEqual(eventsOf(delta({ content: 'so', reasoning: 'hm' })), [
      { kind: 'reasoning', text: 'hm' },
      { kind: 'text', text: 'so' },
    ]);
  });

  it('reads nothing from empty or null pieces', () => {
    assert.deepEqual(
      eventsOf(text(''), reasoning(''), delta({ content: null, reasoning: null }), delta({})),
      [],
    );
    assert.deepEqual(eventsOf(delta({ content: null, reasoning: 'r' })), [
      { kind: 'reasoning', text: 'r' },
    ]);
    assert.deepEqual(eventsOf(delta({ content: 't', reasoning: null, tool_calls: null })), [
      { kind: 'text', text: 't' },
    ]);
  });

  // Rule 8.11
  it('reads text whose finish reason is missing rather than null', () => {
    assert.deepEqual(eventsOf(chunk({ choices: [{ delta: { content: 'a' } }] })), [
      { kind: 'text', text: 'a' },
    ]);
  });

  // Rules 8.2, 8.3
  it('reads a chunk whatever its object and its time are', () => {
    const choices = [{ index: 0, delta: { content: 'a' }, finish_reason: null }];
    for (const fields of [
      { object: 'another', created: 'soon' },
      { object: null, created: null },
    ])
      assert.deepEqual(eventsOf(chunk({ choices, ...fields })), [{ kind: 'text', text: 'a' }]);
  });

  it('reads text and finish of one chunk, text first', () => {
    assert.deepEqual(eventsOf(delta({ content: 'a' }, 'stop')), [
      { kind: 'text', text: 'a' },
      { kind: 'finish', reason: 'stop' },
    ]);
  });

  it('loses no text that comes after the finish chunk', () => {
    assert.deepEqual(eventsOf(STOP, text('late')), [
      { kind: 'finish', reason: 'stop' },
      { kind: 'text', text: 'late' },
    ]);
  });

  // Rule 8.6
  it('reads the first choice alone, and tells of more', () => {
    const choices = ['a', 'b'].map((content) => ({ delta: { content }, finish_reason: null }));
    const two = chunk({ choices });
    assert.deepEqual(eventsOf(two), [{ kind: 'text', text: 'a' }, malformed('extra-choice')]);
  });
});

describe('api chunks: questions', () => {
  const args = { kind: 'permission', operation: 'run_shell', options: ['allow_once'] };

  // Rules 8.16, 8.17, 17.4
  it('reads a tool call verbatim for its echo, and what it asks', () => {
    assert.deepEqual(eventsOf(delta({ tool_calls: [toolCall('call_1', args, 3)] })), [
      {
        kind: 'interaction',
        call: {
          index: 3,
          id: 'call_1',
          name: 'service.provide_input',
          arguments: JSON.stringify(args),
        },
        question: args,
      },
    ]);
  });

  it('reads each of several tool calls', () => {
    const calls = [toolCall('call_1', args), toolCall('call_2', args, 1)];
    const ids = eventsOf(delta({ tool_calls: calls })).map((event) =>
      event.kind === 'interaction' ? event.call.id : null,
    );
    assert.deepEqual(ids, ['call_1', 'call_2']);
  });

  it('reads text that comes with a tool call', () => {
    const kinds = eventsOf(delta({ content: 'a', tool_calls: [toolCall('c', args)] })).map(
      ({ kind }) => kind,
    );
    assert.deepEqual(kinds, ['text', 'interaction']);
  });

  it('takes 0 for a missing index', () => {
    const call = { ...toolCall('call_1', args), index: undefined };
    const [event] = eventsOf(delta({ tool_calls: [call] }));
    assert.equal(event?.kind === 'interaction' && event.call.index, 0);
  });

  // Rule 8.17
  it('tells of a call that lacks what it must have, and reads the others', () => {
    const calls = [{ index: 0, id: 'call_1' }, toolCall('call_2', args)];
    const data = delta({ tool_calls: calls });
    const [first, second] = eventsOf(data);
    assert.deepEqual(first, malformed('tool-call'));
    assert.equal(second?.kind, 'interaction');
  });

  it('tells of calls that are no list', () => {
    const data = delta({ content: 'a', tool_calls: {} });
    assert.deepEqual(eventsOf(data), [{ kind: 'text', text: 'a' }, malformed('tool-call')]);
  });
});

describe('api chunks: the finish', () => {
  // Rule 8.12
  it('reads why a response ended', () => {
    assert.deepEqual(eventsOf(STOP), [{ kind: 'finish', reason: 'stop' }]);
    assert.deepEqual(eventsOf(ASKED), [{ kind: 'finish', reason: 'tool_calls' }]);
  });

  // Rule 17.5
  it('counts the first of two finish chunks, and tells of the second', () => {
    assert.deepEqual(eventsOf(STOP, ASKED), [
      { kind: 'finish', reason: 'stop' },
      malformed('second-finish'),
    ]);
  });

  // Rule 8.12
  it('keeps the name of a reason that is not listed, without secrets', () => {
    const [event, ...rest] = eventsOf(delta({}, 'length of test-key'));
    assert.deepEqual(rest, []);
    assert.ok(event?.kind === 'finish' && event.reason === 'unlisted');
    const { kind, route, status, reason, inStream, message } = event.error;
    assert.deepEqual(
      [kind, route, status, reason, inStream, message],
      [
        ...['unlisted-finish', 'chat', null, 'length of ***', true],
        'The finish reason is not one that the interface lists',
      ],
    );
  });

  it('tells the log of a failure or of a reason that is not listed, and of no other finish', () => {
    assert.equal(read(STOP).reader.failure, null);
    assert.equal(read(failed(410, 'run_ended', 'x')).reader.failure?.kind, 'run-ended');
    assert.equal(read(delta({}, 'length')).reader.failure?.kind, 'unlisted-finish');
  });

  // Rules 8.7, 8.30
  it('reads a failure with its kind, code and reason, and keeps secrets out of it', () => {
    const [event] = eventsOf(failed(410, 'run_ended', 'Ended for test-key'));
    assert.ok(event?.kind === 'finish' && event.reason === 'error');
    const { error } = event;
    assert.ok(error instanceof ApiError);
    assert.deepEqual(
      [error.kind, error.route, error.status, error.reason, error.inStream, error.message],
      ['run-ended', 'chat', 410, 'run_ended', true, 'Ended for ***'],
    );
  });

  it('reads not_found as that of the chat route', () => {
    const [event] = eventsOf(failed(404, 'not_found', 'No such intern'));
    assert.equal(
      event?.kind === 'finish' && event.reason === 'error' && event.error.kind,
      'intern-not-found',
    );
  });

  it('keeps an unlisted reason as text, without secrets', () => {
    const [event] = eventsOf(failed(500, 'because of test-key', 'x'));
    assert.ok(event?.kind === 'finish' && event.reason === 'error');
    assert.equal(event.error.kind, 'server-error');
    assert.equal(event.error.reason, 'because of ***');
  });

  // Rule 8.30
  it('reads a failure that says nothing about itself', () => {
    const bare = [
      delta({}, 'error'),
      chunk({ error: {} }),
      chunk({ choices: [], error: { code: 'x' } }),
    ];
    for (const data of bare) {
      const [event, ...rest] = eventsOf(data);
      assert.deepEqual(rest, []);
      assert.ok(event?.kind === 'finish' && event.reason === 'error', data);
      const { kind, status, reason, message } = event.error;
      assert.deepEqual([kind, status, reason, message], ['server-error', null, null, '']);
    }
  });

  it('takes an error without its finish reason for a failure', () => {
    const choices = [{ index: 0, delta: { content: 'a' }, finish_reason: null }];
    const error = { code: 504, message: 'Late', metadata: { reason: 'timeout' } };
    const [first, second] = eventsOf(chunk({ choices, error }));
    assert.deepEqual(first, { kind: 'text', text: 'a' });
    assert.equal(second?.kind === 'finish' && second.reason, 'error');
  });

  it('reads on where error is null', () => {
    const choices = [{ index: 0, delta: { content: 'a' }, finish_reason: null }];
    assert.deepEqual(eventsOf(chunk({ choices, error: null })), [{ kind: 'text', text: 'a' }]);
  });
});

describe('api chunks: the final chunk', () => {
  // Rules 8.4, 8.5, 8.8, 8.10, 8.26, 8.27, 17.6
  it('reads session, usage and model', () => {
    const usage = { ...USAGE, cost: 0.25, prompt_tokens_details: { cached_tokens: 4 } };
    assert.deepEqual(eventsOf(end({ usage })), [
      {
        kind: 'end',
        sessionId: 'session_1',
        usage: {
          promptTokens: 10,
          completionTokens: 5,
          totalTokens: 15,
          cost: 0.25,
          cachedTokens: 4,
        },
        model: 'vendor/model',
        completionId: 'chatcmpl_1',
      },
    ]);
  });

  // Rules 8.26, 8.27
  it('reads usage without cost and cached tokens', () => {
    const bare = {
      promptTokens: 10,
      completionTokens: 5,
      totalTokens: 15,
      cost: null,
      cachedTokens: null,
    };
    for (const more of [
      {},
      { cost: null, prompt_tokens_details: null },
      { cost: 'free', prompt_tokens_details: {} },
      { prompt_tokens_details: { cached_tokens: null } },
      { prompt_tokens_details: { cached_tokens: 1.5 } },
      { prompt_tokens_details: 7 },
    ]) {
      assert.deepEqual(eventsOf(end({ usage: { ...USAGE, ...more } })), [{ ...END, usage: bare }]);
    }
  });

  // Rules 8.4, 8.9, 8.10, 8.28
  it('reads null where nothing was reported', () => {
    const nothing = { ...END, sessionId: null, model: null };
    const model = 'service/intern';
    assert.deepEqual(eventsOf(end({ session_id: null, usage: null, model })), [nothing]);
    assert.deepEqual(eventsOf(end({ session_id: null, usage: null, model: null })), [nothing]);
    assert.deepEqual(eventsOf(chunk({ choices: [], usage: null, model })), [nothing]);
    assert.deepEqual(eventsOf(chunk({ choices: [], session_id: null, model })), [nothing]);
  });

  // Rule 5.5
  it('uses no session id outside its limits, and tells of it', () => {
    for (const id of ['', 'x'.repeat(257), 7]) {
      const data = end({ session_id: id, usage: null });
      assert.deepEqual(eventsOf(data), [malformed('session-id'), { ...END, sessionId: null }]);
    }
    const longest = 'x'.repeat(256);
    assert.deepEqual(eventsOf(end({ session_id: longest, usage: null })), [
      { ...END, sessionId: longest },
    ]);
  });

  // Rule 8.25
  it('uses no usage without its three counts, and tells of it', () => {
    for (const usage of [{}, { ...USAGE, total_tokens: 1.5 }, { ...USAGE, prompt_tokens: null }]) {
      const data = end({ usage });
      assert.deepEqual(eventsOf(data), [malformed('usage'), END]);
    }
  });

  it('counts the first of two final chunks, and tells of the second', () => {
    const first = end({ usage: null });
    const second = end({ session_id: 'session_2' });
    assert.deepEqual(eventsOf(first, second), [END, malformed('second-end')]);
  });

  // Rule 8.6
  it('takes no chunk with a choice for the final one, whatever usage it carries', () => {
    const choices = [{ index: 0, delta: { content: 'a' }, finish_reason: null }];
    const { events, reader } = read(chunk({ choices, usage: null, session_id: 's' }), STOP);
    assert.deepEqual(events, [
      { kind: 'text', text: 'a' },
      { kind: 'finish', reason: 'stop' },
    ]);
    assert.equal(reader.complete, false);
  });
});

describe('api chunks: how far a response has come', () => {
  it('is done at [DONE], and reads nothing after it', () => {
    const { events, reader } = read(ROLE, DONE, text('after'));
    assert.equal(reader.done, true);
    assert.deepEqual(events, [{ kind: 'role' }]);
    assert.equal(read(ROLE).reader.done, false);
  });

  it('is complete with the finish chunk and the final chunk', () => {
    assert.equal(read(ROLE).reader.complete, false);
    assert.equal(read(STOP).reader.complete, false);
    assert.equal(read(end()).reader.complete, false);
    assert.equal(read(STOP, end()).reader.complete, true);
    assert.equal(read(failed(500, 'x', 'y'), end()).reader.complete, true);
  });
});

describe('api chunks: what cannot be read', () => {
  it('tells of data that is no JSON, and reads on', () => {
    assert.deepEqual(eventsOf('{"choices":[', '', text('a')), [
      malformed('not-json'),
      malformed('not-json'),
      { kind: 'text', text: 'a' },
    ]);
  });

  it('tells of JSON that is no chunk, and reads on', () => {
    for (const data of [
      'null',
      '1',
      '"text"',
      '[]',
      '{}',
      '{"object":"ping"}',
      '{"choices":{}}',
      '{"choices":[null]}',
      '{"choices":[1]}',
      '{"choices":[]}',
      '{"choices":[],"prompt_filter_results":[]}',
      '{"choices":7,"usage":null}',
    ]) {
      assert.deepEqual(eventsOf(data, text('a')), [
        malformed('not-a-chunk'),
        { kind: 'text', text: 'a' },
      ]);
    }
  });

  it('reads nothing from a delta that is none', () => {
    for (const broken of [null, 7, 'text', undefined]) {
      assert.deepEqual(eventsOf(chunk({ choices: [{ delta: broken, finish_reason: null }] })), []);
    }
    assert.deepEqual(eventsOf(delta({ content: 7 }), delta({ reasoning: {} })), []);
    assert.deepEqual(eventsOf(delta({ content: 7, reasoning: 'r' })), [
      { kind: 'reasoning', text: 'r' },
    ]);
  });

  it('tells a log of everything that was skipped, of the failure and of the completion, and of nothing that was said', () => {
    const { reader } = read('{', ROLE, text('private'), '7', 'x', failed(502, 'turn_failed', 'No'));
    assert.deepEqual(reader.facts, {
      completionId: 'chatcmpl_1',
      skipped: { 'not-json': 2, 'not-a-chunk': 1 },
    });
    assert.equal(reader.failure?.kind, 'turn-failed');
  });

  it('takes no id for one that is none, or is too long to be one', () => {
    for (const id of [7, null, '', 'x'.repeat(257)]) {
      const { reader } = read(chunk({ id, choices: [] }), end({ id }));
      assert.equal(reader.facts.completionId, null);
    }
    assert.equal(read(text('a')).reader.facts.completionId, 'chatcmpl_1');
  });

  it('reads no more than 16 tool calls of a response, readable or not, and nothing after them', () => {
    const calls = (count: number): string =>
      delta({ tool_calls: Array.from({ length: count }, (_, at) => toolCall(`call_${at}`, {})) });
    const most = read(calls(15), delta({ tool_calls: [7] }), ASKED);
    assert.equal(most.events.length, 17);
    assert.equal(most.reader.hasTooManyCalls, false);
    const over = read(calls(15), delta({ tool_calls: [7, 8] }), text('a'), ASKED, DONE);
    assert.equal(over.events.length, 16);
    assert.equal(over.reader.hasTooManyCalls, true);
    assert.equal(over.reader.done, false);
    assert.equal(read(calls(100_000)).events.length, 16);
  });

  it('reads the lines of an event as chunks of their own where together they are none', () => {
    const { events, reader } = read(`${ROLE}\n${text('a')}\n\n${STOP}\n${DONE}`);
    assert.deepEqual(events, [
      { kind: 'role' },
      { kind: 'text', text: 'a' },
      { kind: 'finish', reason: 'stop' },
    ]);
    assert.equal(reader.done, true);
  });

  it('tells of each line that is no JSON', () => {
    assert.deepEqual(eventsOf(`{\n${text('a')}`), [
      malformed('not-json'),
      { kind: 'text', text: 'a' },
    ]);
  });

  it('reads one chunk that is spread over lines', () => {
    assert.deepEqual(eventsOf(text('a').replace('"choices"', '\n"choices"')), [
      { kind: 'text', text: 'a' },
    ]);
  });
});
