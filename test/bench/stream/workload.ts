/** The reply that every client reads: the same bytes each time, in many scripts. */

const WORDS = [
  ...['the run ', 'ends well', 'déjà vu, ', 'größer als', 'Ελληνικά ', 'ответ готов ', 'проверка'],
  ...['返信を読む', '数据流，', '🙂👍 ', '👩‍💻 ', 'const x = 1;', '"quoted"', 'a\\b\n', 'tab\tand '],
];

const KEEPALIVE_EVERY = 200;
const EVENTS_PER_BLOCK = 1_000;

/** A reply of `count` content chunks as an event stream, one string for each event or comment. */
export function* replyEvents(count: number): Generator<string> {
  const random = mulberry32(7);
  yield event({ choices: [choice({ role: 'assistant' })] });
  for (let i = 1; i <= count; i++) {
    yield event({ choices: [choice({ content: pieceOfText(random) })] });
    if (i % KEEPALIVE_EVERY === 0) yield ': keepalive\n\n';
  }
  yield event({ choices: [choice({}, 'stop')] });
  yield event({
    choices: [],
    session_id: 'session-of-the-bench',
    usage: { prompt_tokens: 12, completion_tokens: count, total_tokens: count + 12 },
  });
  yield 'data: [DONE]\n\n';
}

/** The same reply as bytes, in blocks of {@link EVENTS_PER_BLOCK} events to save memory. */
export function* replyBlocks(count: number): Generator<Buffer[]> {
  let block: Buffer[] = [];
  for (const text of replyEvents(count)) {
    block.push(Buffer.from(text));
    if (block.length === EVENTS_PER_BLOCK) {
      yield block;
      block = [];
    }
  }
  yield block;
}

export function replyBytes(count: number): Buffer {
  return Buffer.concat([...replyBlocks(count)].flat());
}

/** Returns the event of a chunk with these fields. */
export function event(fields: object): string {
  const chunk = {
    id: 'chatcmpl-0123456789abcdef01234567',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'vendor/model-large-20260101',
    ...fields,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

export function choice(delta: object, finishReason: string | null = null): object {
  return { index: 0, delta, finish_reason: finishReason };
}

/** 5 to 20 UTF-16 code units, never half of a surrogate pair. */
function pieceOfText(random: () => number): string {
  const length = 5 + Math.floor(random() * 16);
  let text = '';
  while (text.length < length) text += WORDS[Math.floor(random() * WORDS.length)]!;
  const cut = text.slice(0, length);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

/** A seeded generator, so that the text is the same on every machine. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
