import {
  CLIENT,
  ASKED_AND_ANSWERED,
  READ_CALL,
  READ_EMPTY_END,
  READ_END,
  SENT_REPLY,
  STREAMED,
} from './clientSuites.ts';
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
  [
    '`model` is what the intern reported, or `service/intern`.',
    {
      service: MODEL,
      client: tests(
        CLIENT.end,
        'reads session, usage and model',
        'reads null where nothing was reported',
      ),
    },
  ],
  [
    'The final chunk may carry the model that the intern reported.',
    { service: MODEL, client: READ_END },
  ],
  [
    '`choices` has one entry on content, tool-call and error chunks, and is empty on the final one.',
    {
      service: [...ORDER, ...TURN_FAILED],
      client: [
        ...tests(CLIENT.said, 'reads the first choice alone, and tells of more'),
        ...tests(
          CLIENT.end,
          'takes no chunk with a choice for the final one, whatever usage it carries',
        ),
      ],
    },
  ],
  [
    '`error` is present on the chunk with `finish_reason` `error`.',
    {
      service: TURN_FAILED,
      client: tests(
        CLIENT.finish,
        'reads a failure with its kind, code and reason, and keeps secrets out of it',
      ),
    },
  ],
  ['`session_id` is on the final chunk of every response.', { service: SESSION, client: READ_END }],
  [
    '`session_id` is null when the run failed before the intern reported a session.',
    {
      service: tests(
        STREAM,
        'has a null session id when the run failed before the intern reported one',
      ),
      client: READ_EMPTY_END,
    },
  ],
  [
    '`usage` is on the final chunk: an object or null.',
    {
      service: [...USAGE, ...LESS_USAGE],
      client: tests(
        CLIENT.end,
        'reads session, usage and model',
        'reads null where nothing was reported',
      ),
    },
  ],
  [
    'A choice has `index`, `delta` and `finish_reason`.',
    {
      service: REQUIRED,
      client: tests(CLIENT.said, 'reads text whose finish reason is missing rather than null'),
    },
  ],
  [
    '`finish_reason` is null while streaming, otherwise `stop`, `tool_calls` or `error`.',
    {
      service: [...ORDER, ...QUESTION, ...TURN_FAILED],
      client: tests(
        CLIENT.finish,
        'reads why a response ended',
        'reads a reason that is not listed as stop, and tells of it',
      ),
    },
  ],
  [
    '`delta.role` is `assistant`, on the first chunk.',
    {
      service: ORDER,
      client: tests(CLIENT.said, 'tells the role once, though every chunk may carry it'),
    },
  ],
  [
    '`delta.content` is a string.',
    {
      service: tests('service prompts', 'write Markdown of every kind'),
      client: tests(CLIENT.said, 'reads role, reasoning and text in their order'),
    },
  ],
  [
    '`delta.reasoning` is a string.',
    {
      service: tests('service prompts', 'think before they speak'),
      client: tests(CLIENT.said, 'reads role, reasoning and text in their order'),
    },
  ],
  [
    '`delta.tool_calls` carries one complete entry on an interaction chunk.',
    {
      service: QUESTION,
      client: READ_CALL,
    },
  ],
  [
    'A tool call has `index`, `id`, `type` and `function`, all required.',
    {
      service: QUESTION,
      client: tests(
        CLIENT.calls,
        'reads a tool call verbatim for its echo, and what it asks',
        'tells of a call that lacks what it must have, and reads the others',
      ),
    },
  ],
  [
    'The `id` of a tool call is what is sent back as `tool_call_id`.',
    {
      service: tests(
        RUN,
        'pause the run, which outlives the closed connection and goes on with the answer',
      ),
      client: SENT_REPLY,
    },
  ],
  [
    '`function.name` is always `service.provide_input`.',
    { service: SHAPES, client: tests(CLIENT.unreadable, 'says that another tool is called') },
  ],
  [
    '`function.arguments` is a string that holds a JSON object.',
    {
      service: SHAPES,
      client: tests(CLIENT.unreadable, 'says that the arguments are no JSON object'),
    },
  ],
  [
    'A permission has `kind`, `operation` (a tool name or null) and `options`.',
    {
      service: [...SHAPES, ...tests(RUN, 'carry a null operation, and fields of every type')],
      client: tests(
        CLIENT.permission,
        'reads the operation and the options as they were offered',
        'reads a tool without a name, and an offer of nothing',
      ),
    },
  ],
  [
    'An elicitation has `kind`, `message` and `fields`.',
    {
      service: SHAPES,
      client: tests(CLIENT.elicitation, 'reads the message and the fields in their order'),
    },
  ],
  [
    'A field has `name`, `type`, `required` and `options`.',
    {
      service: tests(RUN, 'carry a null operation, and fields of every type'),
      client: tests(CLIENT.elicitation, 'reads the message and the fields in their order'),
    },
  ],
  [
    'Other attributes of a field, and the allowed values of `type`: not shown.',
    {
      service: tests('service answers', 'may be anything where the type of the field is unknown'),
      client: tests(CLIENT.elicitation, 'reads a descriptor that lacks all but its name'),
    },
  ],
  [
    '`prompt_tokens`, `completion_tokens` and `total_tokens` are required integers.',
    {
      service: USAGE,
      client: tests(CLIENT.end, 'uses no usage without its three counts, and tells of it'),
    },
  ],
  [
    '`cost` is a number in USD, present when reported.',
    {
      service: [...USAGE, ...LESS_USAGE],
      client: tests(
        CLIENT.end,
        'reads session, usage and model',
        'reads usage without cost and cached tokens',
      ),
    },
  ],
  [
    '`prompt_tokens_details` with `cached_tokens` is optional.',
    {
      service: [...USAGE, ...LESS_USAGE],
      client: tests(
        CLIENT.end,
        'reads session, usage and model',
        'reads usage without cost and cached tokens',
      ),
    },
  ],
  [
    '`usage` is null when the intern reported none.',
    { service: LESS_USAGE, client: READ_EMPTY_END },
  ],
  [
    '`usage` is always null after `tool_calls`.',
    {
      service: NULL_USAGE,
      client: ASKED_AND_ANSWERED,
    },
  ],
  [
    'A stream error has `code`, `message` and `metadata` with `reason`.',
    {
      service: TURN_FAILED,
      client: tests(
        CLIENT.finish,
        'reads a failure with its kind, code and reason, and keeps secrets out of it',
        'reads a failure that says nothing about itself',
      ),
    },
  ],
]);

const ERROR_BODY: Rule[] = section(9, 'Resources: Error body', [
  [
    'The body is `error` with `code`, `message`, and `metadata` with `reason` where there is one.',
    {
      service: [
        ...tests('service failures before streaming', 'give 400 bad_request to "fail bad_request"'),
        ...tests('service access', 'refuses GET /key with no key: 401, no reason'),
      ],
      client: tests(
        CLIENT.errorBody,
        'reads code, message and reason',
        'reads a body without a reason',
      ),
    },
  ],
  [
    '`code` equals the HTTP status.',
    {
      service: tests('service failures before streaming', 'give *'),
      client: tests(CLIENT.refusals, 'goes by the HTTP status where the code says another'),
    },
  ],
]);

const EVENTS: Rule[] = section(17, 'Events', [
  [
    'Each event is a data line with one chunk.',
    { service: DATA_LINES, client: tests(CLIENT.cuts, 'says the same cut at every byte: reply') },
  ],
  [
    'First the role chunk.',
    {
      service: ORDER,
      client: STREAMED,
    },
  ],
  [
    'Then text and reasoning chunks.',
    {
      service: ORDER,
      client: STREAMED,
    },
  ],
  [
    'An interaction chunk has one `service.provide_input` entry and a null `finish_reason`.',
    {
      service: QUESTION,
      client: READ_CALL,
    },
  ],
  [
    'Then one finish chunk: `stop`, `tool_calls` or `error`.',
    {
      service: ORDER,
      client: [
        ...STREAMED,
        ...tests(CLIENT.finish, 'counts the first of two finish chunks, and tells of the second'),
      ],
    },
  ],
  [
    'Then the final chunk: empty `choices`, `session_id`, `usage`.',
    {
      service: [...ORDER, ...SESSION],
      client: [...STREAMED, ...READ_END],
    },
  ],
  [
    'Last `data: [DONE]`.',
    {
      service: DATA_LINES,
      client: tests(
        CLIENT.streamEnd,
        'ends at [DONE] though the socket stays open, and then frees it',
      ),
    },
  ],
  [
    'A keepalive is the comment line `: keepalive`, written whenever nothing else was for 30 seconds.',
    {
      service: KEEPALIVE,
      client: tests(
        CLIENT.silence,
        'is severed after three missed keepalives, and its socket freed',
        'lives as long as keepalives come',
      ),
    },
  ],
  [
    'Every response, whatever its finish reason, ends with the final chunk and `[DONE]`.',
    {
      service: [...ORDER, ...QUESTION, ...TURN_FAILED],
      client: tests(
        CLIENT.streamEnd,
        'says that a stream is broken where [DONE] comes without all that must come before it',
      ),
    },
  ],
  [
    'Webhooks and other outbound events: not shown.',
    { why: 'There is nothing to send or to read.' },
  ],
]);

export const STREAM_RULES: readonly Rule[] = [...CHUNK, ...ERROR_BODY, ...EVENTS];
