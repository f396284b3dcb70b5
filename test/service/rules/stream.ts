import { section, tests, type Rule } from './rule.ts';

const STREAM = 'service chat stream';
const RUN = 'service questions in a run';
const FAILURES = 'service failures in the stream';

const REQUIRED = tests(
  STREAM,
  'gives every chunk its required fields, the id and the time constant',
);
const ORDER = tests(STREAM, 'goes role, content, finish, final, [DONE]');
const MODEL = tests(
  STREAM,
  'says service/intern until the intern reports a model, in the final chunk',
);
const QUESTION = tests(
  RUN,
  'come as one complete tool call, then tool_calls, then the final chunk, then [DONE]',
);
const SESSION = tests(
  STREAM,
  'has the session id on the final chunk of every response, and nowhere before',
);
const SHAPES = tests('service questions', 'name the tool and carry the two shapes of arguments');
const USAGE = tests(STREAM, 'reports usage with cost and cached tokens');
const LESS_USAGE = tests(
  STREAM,
  'reports usage without its optional fields, or null, where the intern gave no more',
);
const NULL_USAGE = tests(STREAM, 'has null usage after tool_calls and after an error');
const TURN_FAILED = tests(FAILURES, 'tell turn_failed with code 502, the final chunk and [DONE]');
const KEEPALIVE = tests(
  'service keepalives',
  'come after every 30 seconds of silence, and not before',
  'count from the last thing that was written',
);
const DATA_LINES = tests(
  STREAM,
  'is an event stream of data lines, each with one chunk, that ends with [DONE]',
);

const CHUNK: Rule[] = section(8, 'Resources: Stream chunk', [
  ['`id` is constant for the whole response.', { service: REQUIRED }],
  ['`object` is always `chat.completion.chunk`.', { service: REQUIRED }],
  ['`created` is an integer.', { service: REQUIRED }],
  ['`model` is what the intern reported, or `service/intern`.', { service: MODEL }],
  ['The final chunk may carry the model that the intern reported.', { service: MODEL }],
  [
    '`choices` has one entry on content, tool-call and error chunks, and is empty on the final one.',
    { service: [...ORDER, ...TURN_FAILED] },
  ],
  ['`error` is present on the chunk with `finish_reason` `error`.', { service: TURN_FAILED }],
  ['`session_id` is on the final chunk of every response.', { service: SESSION }],
  [
    '`session_id` is null when the run failed before the intern reported a session.',
    {
      service: tests(
        STREAM,
        'has a null session id when the run failed before the intern reported one',
      ),
    },
  ],
  ['`usage` is on the final chunk: an object or null.', { service: [...USAGE, ...LESS_USAGE] }],
  ['A choice has `index`, `delta` and `finish_reason`.', { service: REQUIRED }],
  [
    '`finish_reason` is null while streaming, otherwise `stop`, `tool_calls` or `error`.',
    { service: [...ORDER, ...QUESTION, ...TURN_FAILED] },
  ],
  ['`delta.role` is `assistant`, on the first chunk.', { service: ORDER }],
  [
    '`delta.content` is a string.',
    { service: tests('service prompts', 'write Markdown of every kind') },
  ],
  [
    '`delta.reasoning` is a string.',
    { service: tests('service prompts', 'think before they speak') },
  ],
  ['`delta.tool_calls` carries one complete entry on an interaction chunk.', { service: QUESTION }],
  ['A tool call has `index`, `id`, `type` and `function`, all required.', { service: QUESTION }],
  [
    'The `id` of a tool call is what is sent back as `tool_call_id`.',
    {
      service: tests(
        RUN,
        'pause the run, which outlives the closed connection and goes on with the answer',
      ),
    },
  ],
  ['`function.name` is always `service.provide_input`.', { service: SHAPES }],
  ['`function.arguments` is a string that holds a JSON object.', { service: SHAPES }],
  [
    'A permission has `kind`, `operation` (a tool name or null) and `options`.',
    { service: [...SHAPES, ...tests(RUN, 'carry a null operation, and fields of every type')] },
  ],
  ['An elicitation has `kind`, `message` and `fields`.', { service: SHAPES }],
  [
    'A field has `name`, `type`, `required` and `options`.',
    { service: tests(RUN, 'carry a null operation, and fields of every type') },
  ],
  [
    'Other attributes of a field, and the allowed values of `type`: not shown.',
    {
      service: tests('service answers', 'may be anything where the type of the field is unknown'),
    },
  ],
  [
    '`prompt_tokens`, `completion_tokens` and `total_tokens` are required integers.',
    { service: USAGE },
  ],
  ['`cost` is a number in USD, present when reported.', { service: [...USAGE, ...LESS_USAGE] }],
  [
    '`prompt_tokens_details` with `cached_tokens` is optional.',
    { service: [...USAGE, ...LESS_USAGE] },
  ],
  ['`usage` is null when the intern reported none.', { service: LESS_USAGE }],
  ['`usage` is always null after `tool_calls`.', { service: NULL_USAGE }],
  ['A stream error has `code`, `message` and `metadata` with `reason`.', { service: TURN_FAILED }],
]);

const ERROR_BODY: Rule[] = section(9, 'Resources: Error body', [
  [
    'The body is `error` with `code`, `message`, and `metadata` with `reason` where there is one.',
    {
      service: [
        ...tests('service failures before streaming', 'give 400 bad_request to "fail bad_request"'),
        ...tests('service access', 'refuses GET /key with no key: 401, no reason'),
      ],
    },
  ],
  [
    '`code` equals the HTTP status.',
    { service: tests('service failures before streaming', 'give *') },
  ],
]);

const EVENTS: Rule[] = section(17, 'Events', [
  ['Each event is a data line with one chunk.', { service: DATA_LINES }],
  ['First the role chunk.', { service: ORDER }],
  ['Then text and reasoning chunks.', { service: ORDER }],
  [
    'An interaction chunk has one `service.provide_input` entry and a null `finish_reason`.',
    { service: QUESTION },
  ],
  ['Then one finish chunk: `stop`, `tool_calls` or `error`.', { service: ORDER }],
  [
    'Then the final chunk: empty `choices`, `session_id`, `usage`.',
    { service: [...ORDER, ...SESSION] },
  ],
  ['Last `data: [DONE]`.', { service: DATA_LINES }],
  [
    'A keepalive is the comment line `: keepalive`, written whenever nothing else was for 30 seconds.',
    { service: KEEPALIVE },
  ],
  [
    'Every response, whatever its finish reason, ends with the final chunk and `[DONE]`.',
    { service: [...ORDER, ...QUESTION, ...TURN_FAILED] },
  ],
  [
    'Webhooks and other outbound events: not shown.',
    { why: 'There is nothing to send or to read.' },
  ],
]);

export const STREAM_RULES: readonly Rule[] = [...CHUNK, ...ERROR_BODY, ...EVENTS];
