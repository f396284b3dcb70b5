/** Chat responses as the service writes them, in pieces and whole. */

const ENVELOPE = {
  id: 'chatcmpl_1',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: 'vendor/model',
};

/** One chunk of a response, as the data of an event. */
export function chunk(fields: object): string {
  return JSON.stringify({ ...ENVELOPE, ...fields });
}

export function delta(fields: object, finishReason: string | null = null): string {
  return chunk({ choices: [{ index: 0, delta: fields, finish_reason: finishReason }] });
}

export const ROLE = delta({ role: 'assistant' });
export const STOP = delta({}, 'stop');
export const ASKED = delta({}, 'tool_calls');
export const DONE = '[DONE]';

export function text(content: string): string {
  return delta({ content });
}

export function reasoning(content: string): string {
  return delta({ reasoning: content });
}

export function toolCall(id: string, args: object, index = 0): object {
  const called = { name: 'service.provide_input', arguments: JSON.stringify(args) };
  return { index, id, type: 'function', function: called };
}

export function failed(code: number, reason: string, message: string): string {
  const choices = [{ index: 0, delta: {}, finish_reason: 'error' }];
  return chunk({ choices, error: { code, message, metadata: { reason } } });
}

export const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

export function end(fields: object = {}): string {
  return chunk({ choices: [], session_id: 'session_1', usage: USAGE, ...fields });
}

/** The event of a final chunk without usage. */
export const END_EVENT = {
  ...({ kind: 'end', sessionId: 'session_1', usage: null, model: 'vendor/model' } as const),
  completionId: 'chatcmpl_1',
};

/** An event stream of these data, each an event of one line. */
export function stream(...data: readonly string[]): string {
  return data.map((line) => `data: ${line}\n\n`).join('');
}

const PERMISSION = { kind: 'permission', operation: 'run_shell', options: ['allow_once'] };
const ELICITATION = {
  kind: 'elicitation',
  message: 'Который? 哪个?',
  fields: [{ name: 'a', type: 'string', required: true, options: ['х', '🙂'] }],
};

const REPLY = [ROLE, reasoning('Hm… '), text('Grüße, мир 返 '), text('👩‍💻\n"é"'), STOP, end(), DONE];

/** Whole responses, valid and invalid, by what is special about them. */
export const RECORDED: Readonly<Record<string, string>> = {
  reply: stream(...REPLY),
  'carriage returns': stream(...REPLY).replaceAll('\n', '\r'),
  'carriage returns and line feeds': stream(...REPLY).replaceAll('\n', '\r\n'),
  'a byte order mark': `\ufeff${stream(...REPLY)}`,
  keepalives: `: keepalive\n\n${stream(...REPLY).replaceAll('\n\n', '\n\n: keepalive\n\n')}`,
  'ids and types': `id: 1\nevent: chunk\n${stream(...REPLY)}`,
  'no space after the colon': stream(...REPLY).replaceAll('data: ', 'data:'),
  'an unknown field': `retry: soon\nfoo: bar\n${stream(...REPLY)}`,
  'data over several lines': stream(ROLE, text('ab'), STOP, end(), DONE).replace(
    '"choices"',
    '\ndata: "choices"',
  ),
  'no blank lines': stream(...REPLY).replaceAll('\n\n', '\n'),
  'no blank line at the end': stream(...REPLY).trimEnd(),
  questions: stream(
    ROLE,
    text('May I?'),
    delta({ tool_calls: [toolCall('call_1', PERMISSION), toolCall('call_2', ELICITATION, 1)] }),
    ASKED,
    end({ usage: null }),
    DONE,
  ),
  'a failure': stream(
    ROLE,
    text('So far'),
    failed(410, 'run_ended', 'Out of time'),
    end({ session_id: null, usage: null }),
    DONE,
  ),
  'broken data': stream(ROLE, '{"choices":[', text('a'), '[1]', 'null', STOP, end(), DONE),
  'no finish chunk': stream(ROLE, text('a'), end(), DONE),
  'no final chunk': stream(ROLE, text('a'), STOP, DONE),
  'no [DONE]': stream(ROLE, text('a'), STOP, end()),
  'an end in the middle of a word': stream(ROLE, text('a')) + 'data: {"choices":[{"ind',
  'no text at all': '',
};
