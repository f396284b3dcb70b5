import {
  CLIENT,
  ASKED_AND_ANSWERED,
  SENT_ANSWER,
  SENT_PROMPT,
  SENT_REPLY,
} from './clientSuites.ts';
import { section, tests, type Rule } from './rule.ts';

const REQUEST = 'service chat request';
const STREAM = 'service chat stream';
const ANSWERS = 'service answers';
const RUN = 'service questions in a run';

const LAST_ONLY = tests(REQUEST, 'acts upon the last message only');
const IDS_FIT = tests(REQUEST, 'allows ids and models at their limits');
const PROMPT_LENGTH = tests(REQUEST, 'allows a prompt of 32,000 characters, and not one more');
const TOOL_NEEDS_SESSION = tests(REQUEST, 'is refused with a tool message without session_id');

const CHAT_REQUEST: Rule[] = section(5, 'Resources: Chat request', [
  [
    '`messages` is required and has at least one item.',
    {
      service: tests(REQUEST, 'is refused without messages', 'is refused with no message'),
      client: SENT_PROMPT,
    },
  ],
  [
    'Only the last message is read; earlier ones are accepted.',
    {
      service: LAST_ONLY,
      client: SENT_PROMPT,
    },
  ],
  [
    '`stream` is required and must be true.',
    {
      service: tests(REQUEST, 'is refused without stream', 'is refused with stream false'),
      client: SENT_PROMPT,
    },
  ],
  [
    '`approval_mode` is `manual` or `self-drive`; the default is `self-drive`.',
    {
      service: tests(
        REQUEST,
        'reads a prompt, self-drive by default',
        'is refused with another approval mode',
      ),
      client: SENT_PROMPT,
    },
  ],
  [
    '`session_id` has 1 to 256 characters.',
    {
      service: [
        ...IDS_FIT,
        ...tests(
          REQUEST,
          'is refused with an empty session_id',
          'is refused with a session_id of 257 characters',
        ),
      ],
      client: [
        ...tests(CLIENT.texts, 'takes a session id of 1 to 256 characters and refuses one more'),
        ...tests(CLIENT.end, 'uses no session id outside its limits, and tells of it'),
      ],
    },
  ],
  [
    'Without `session_id` a new session starts.',
    {
      service: tests(
        STREAM,
        'goes on in a session that is named, and starts a new one where none is',
      ),
      client: SENT_PROMPT,
    },
  ],
  [
    '`session_id` is required when the last message has role `tool`.',
    {
      service: TOOL_NEEDS_SESSION,
      client: SENT_REPLY,
    },
  ],
  [
    '`model` has 1 to 256 characters, is accepted and ignored.',
    {
      service: [
        ...IDS_FIT,
        ...tests(
          REQUEST,
          'is refused with an empty model',
          'is refused with a model of 257 characters',
          'ignores other OpenAI fields, and a model',
        ),
      ],
    },
  ],
  [
    'Other OpenAI fields are ignored.',
    { service: tests(REQUEST, 'ignores other OpenAI fields, and a model') },
  ],
  [
    "`self-drive` consents on the caller's behalf.",
    {
      service: tests(
        STREAM,
        'asks in manual mode, and consents itself in self-drive, which is the default',
      ),
      client: tests(CLIENT.questions, 'is not asked in self-drive'),
    },
  ],
  [
    '`manual` asks before an approval-bearing tool runs.',
    {
      service: tests(
        STREAM,
        'asks in manual mode, and consents itself in self-drive, which is the default',
      ),
      client: ASKED_AND_ANSWERED,
    },
  ],
  [
    '`self-drive` runs the shell unsandboxed; `manual` keeps it sandboxed until an escalation is allowed.',
    { why: 'The scripted interns run no shell, and a client cannot see it.' },
  ],
  [
    'The mode applies only to the run that the prompt starts; the session does not remember it.',
    {
      service: tests(STREAM, 'does not remember the mode of an earlier prompt in the session'),
      client: tests(CLIENT.prompt, 'goes on in its session'),
    },
  ],
  [
    'A tool reply continues the run under the mode that the run started with.',
    {
      service: tests(
        STREAM,
        'carries on a run under the mode that it started with, whatever the answer says',
      ),
      client: SENT_REPLY,
    },
  ],
]);

const CHAT_MESSAGE: Rule[] = section(6, 'Resources: Chat message', [
  [
    'The role is one of system, developer, user, assistant and tool.',
    { service: tests(REQUEST, 'is refused with an unknown role') },
  ],
  ['system and developer messages are accepted, and not forwarded.', { service: LAST_ONLY }],
  [
    'A last user message is the prompt of a new run.',
    {
      service: tests(REQUEST, 'reads a prompt, self-drive by default'),
      client: SENT_PROMPT,
    },
  ],
  [
    'A prompt has at most 32,000 characters.',
    {
      service: PROMPT_LENGTH,
      client: tests(CLIENT.texts, 'takes a prompt of 1 to 32000 characters and refuses one more'),
    },
  ],
  [
    'What a character is: not shown.',
    {
      service: tests(REQUEST, 'counts UTF-16 units where that was chosen'),
      client: [
        ...tests(
          CLIENT.characters,
          'tells a text that fits in characters but not in UTF-16 code units from one that is too long',
        ),
        ...tests(CLIENT.run, 'takes a prompt of 32,000 characters beyond the basic plane'),
      ],
    },
  ],
  [
    'The content of an assistant message is optional and may be null.',
    {
      service: LAST_ONLY,
      client: SENT_REPLY,
    },
  ],
  [
    'The content of a user or tool message is required.',
    {
      service: tests(
        REQUEST,
        'is refused with a user message without content',
        'is refused with a user message of null content',
        'is refused with a tool message without content',
      ),
      client: tests(CLIENT.texts, 'refuses an empty prompt'),
    },
  ],
  [
    '`tool_call_id` is required on a tool message and has 1 to 128 characters.',
    {
      service: [
        ...IDS_FIT,
        ...tests(
          REQUEST,
          'is refused without tool_call_id',
          'is refused with an empty tool_call_id',
          'is refused with a tool_call_id of 129 characters',
        ),
      ],
      client: [
        ...tests(CLIENT.texts, 'takes a tool call id of 1 to 128 characters and refuses one more'),
        ...tests(CLIENT.reply, 'is not sent for an id that no answer can carry'),
      ],
    },
  ],
  [
    'A last tool message answers a pending interaction.',
    {
      service: tests(REQUEST, 'reads an answer from a last tool message'),
      client: SENT_REPLY,
    },
  ],
  [
    'Content is a string, or an array of text parts with `type` and `text`.',
    {
      service: tests(
        REQUEST,
        'joins text parts',
        'is refused with a part of another type',
        'is refused with a part without text',
      ),
    },
  ],
  [
    'An echoed tool call has an `id` of 1 to 128 characters, and `function` with `name` and `arguments`.',
    {
      service: tests(
        REQUEST,
        'is refused with an echo without id',
        'is refused with an echo whose id has 129 characters',
        'is refused with an echo without function',
        'is refused with an echo without a name',
        'is refused with an echo whose arguments are no string',
      ),
      client: SENT_REPLY,
    },
  ],
  [
    'The echo is the streamed tool call, unchanged.',
    {
      service: tests(RUN, 'take text parts as an answer, and need no echo'),
      client: SENT_REPLY,
    },
  ],
]);

const TOOL_REPLY: Rule[] = section(7, 'Resources: Tool reply contents', [
  [
    'A permission is answered with one of the offered option kinds.',
    {
      service: [
        ...tests(ANSWERS, 'to a permission are one of the offered options, or cancel'),
        ...tests(RUN, 'tell that *'),
      ],
      client: [...SENT_REPLY, ...ASKED_AND_ANSWERED],
    },
  ],
  [
    'A permission may be answered with `cancel`.',
    {
      service: tests(
        RUN,
        'end with cancel, and so may the run',
        'accept cancel alone where no option was offered',
      ),
      client: tests(CLIENT.questions, 'cancels a permission'),
    },
  ],
  [
    'A question is answered with a string that holds a JSON object with `action`.',
    {
      service: [
        ...tests(ANSWERS, 'to a question are refused when they are "{}"'),
        ...tests(RUN, 'tell a decline and a cancel of a form'),
      ],
      client: SENT_ANSWER,
    },
  ],
  [
    '`accept` carries a `content` object with the values of the fields.',
    {
      service: [
        ...tests(
          ANSWERS,
          'to a question carry the values of an accept',
          'to a question are refused when they are "{\\"action\\":\\"accept\\"}"',
        ),
        ...tests(RUN, 'tell the names and JSON types of accepted values, never the values'),
      ],
      client: [
        ...SENT_ANSWER,
        ...tests(CLIENT.questions, 'answers a form with values of each type'),
      ],
    },
  ],
  [
    '`decline` and `cancel` need no content.',
    {
      service: tests(ANSWERS, 'to a question may decline or cancel, without values'),
      client: [...SENT_ANSWER, ...tests(CLIENT.questions, 'declines and cancels a form')],
    },
  ],
]);

export const CHAT_RULES: readonly Rule[] = [...CHAT_REQUEST, ...CHAT_MESSAGE, ...TOOL_REPLY];
