import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ApiError } from '../../../src/api/errors.ts';
import { readQuestion } from '../../../src/api/question.ts';
import type { ChatEvent } from '../../../src/api/types.ts';
import { chatResponse, fakeService, readChat } from './support/fakeFetch.ts';
import { RECORDED } from './support/streams.ts';

interface Outcome {
  readonly events: readonly ChatEvent[];
  readonly error: ApiError | null;
}

const encoder = new TextEncoder();

async function read(...pieces: readonly Uint8Array[]): Promise<Outcome> {
  const { batches, error } = await readChat(fakeService([chatResponse(...pieces)]).client);
  assert.ok(batches.every((events) => events.length > 0));
  return { events: batches.flat(), error };
}

/** Returns the text of all events. */
function said(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.kind === 'text' ? event.text : '')).join('');
}

/** The events of each recorded stream, so that cut streams are not only compared with each other. */
const EXPECTED: Readonly<Record<string, readonly [kinds: string, error: string]>> = {
  'data over several lines': ['role text finish end', ''],
  questions: ['role text interaction interaction finish end', ''],
  'a failure': ['role text finish end', ''],
  'broken data': ['role malformed text malformed malformed finish end', ''],
  'no finish chunk': ['role text end', 'broken-stream'],
  'no final chunk': ['role text finish', 'broken-stream'],
  'no [DONE]': ['role text finish end', 'severed'],
  'an end in the middle of a word': ['role text malformed', 'severed'],
  'no text at all': ['', 'severed'],
};
/** The events of all other recorded streams. */
const REPLY = ['role reasoning text text finish end', ''] as const;

describe('recorded streams', () => {
  for (const [name, recorded] of Object.entries(RECORDED)) {
    const bytes = encoder.encode(recorded);

    it(`the chat stream reads the expected events: ${name}`, async () => {
      const { events, error } = await read(bytes);
      const kinds = events.map(({ kind }) => kind).join(' ');
      assert.deepEqual([kinds, error?.kind ?? ''], EXPECTED[name] ?? REPLY);
    });

    // Rule 17.1
    it(`a stream cut at any byte has the same events: ${name}`, async () => {
      const whole = await read(bytes);
      for (let at = 1; at < bytes.length; at++)
        assert.deepEqual(await read(bytes.slice(0, at), bytes.slice(at)), whole, `at ${at}`);
      assert.deepEqual(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte))), whole);
    }).timeout(60_000);

    it(`a stream that ends at any byte has the first events: ${name}`, async () => {
      const whole = await read(bytes);
      for (let at = 0; at < bytes.length; at++) {
        const { events, error } = await read(bytes.slice(0, at));
        assert.ok(said(whole.events).startsWith(said(events)), `at ${at}`);
        const kept = events.filter(({ kind }) => kind !== 'malformed');
        const expected = whole.events.filter(({ kind }) => kind !== 'malformed');
        assert.deepEqual(kept, expected.slice(0, kept.length), `at ${at}`);
        if (error === null) assert.equal(kept.length, expected.length, `at ${at}`);
        else assert.ok(error.kind === 'severed' || error.kind === whole.error?.kind, `at ${at}`);
      }
    }).timeout(60_000);
  }
});

describe('random streams', () => {
  const recorded = fc.constantFrom(...Object.values(RECORDED)).map((text) => encoder.encode(text));

  it('the chat stream reads text of any characters unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 10 }),
        fc.nat(),
        async (texts, mark) => {
          const chunks = texts.map((content) => ({
            choices: [{ delta: { content }, finish_reason: null }],
          }));
          const bytes = encoder.encode(
            chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(''),
          );
          const cut = mark % (bytes.length + 1);
          const { events } = await read(bytes.slice(0, cut), bytes.slice(cut));
          assert.deepEqual(
            events,
            texts.map((text) => ({ kind: 'text', text })),
          );
        },
      ),
      { numRuns: 300 },
    );
  }).timeout(60_000);

  it('the chat stream reads valid events or an ApiError if any bytes are changed', async () => {
    const mutation = fc.record({
      at: fc.nat(),
      drop: fc.nat(6),
      put: fc.uint8Array({ maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(recorded, fc.array(mutation, { maxLength: 6 }), async (bytes, mutations) => {
        let mutated = bytes;
        for (const { at, drop, put } of mutations) {
          const start = at % (mutated.length + 1);
          mutated = Uint8Array.of(
            ...mutated.slice(0, start),
            ...put,
            ...mutated.slice(start + drop),
          );
        }
        // Any other error than an ApiError, and any hang, fails here.
        const { events, error } = await read(mutated);
        for (const event of events) assertWellFormed(event);
        if (error === null) assert.ok(events.some(({ kind }) => kind === 'end'));
        else assert.equal(error.inStream, true);
      }),
      { numRuns: 1_000 },
    );
  }).timeout(60_000);
});

function assertWellFormed(event: ChatEvent): void {
  if (event.kind === 'text' || event.kind === 'reasoning')
    assert.ok(typeof event.text === 'string' && event.text !== '');
  else if (event.kind === 'interaction') {
    const { call } = event;
    assert.deepEqual([typeof call.id, typeof call.arguments], ['string', 'string']);
    assert.ok(['permission', 'elicitation', 'unreadable'].includes(readQuestion(call).kind));
  } else if (event.kind === 'finish') {
    if ('error' in event) assert.ok(event.error instanceof ApiError);
    else assert.ok(['stop', 'tool_calls'].includes(event.reason));
  } else if (event.kind === 'end') {
    assert.ok(event.sessionId === null || event.sessionId.length > 0);
    assert.ok(event.usage === null || Number.isInteger(event.usage.totalTokens));
  }
}
