import {
  OPTION_KINDS,
  TOOL_NAME,
  type Answer,
  type Elicitation,
  type FieldDescriptor,
  type Interaction,
  type Permission,
} from '../core/interactions.ts';
import type { Script, Turn } from '../core/script.ts';
import { isInStreamReason } from '../core/problems.ts';
import { say, unknownReason } from './text.ts';
import { failsSilently } from './trouble.ts';

type Play = (turn: Turn, words: readonly string[]) => Script;

function permission(
  operation: string | null,
  options: readonly string[] = OPTION_KINDS,
): Permission {
  return { kind: 'permission', operation, options };
}

function field(name: string, type: string, extra: Partial<FieldDescriptor> = {}): FieldDescriptor {
  return { name, type, required: true, options: [], ...extra };
}

const FORM: Elicitation = {
  kind: 'elicitation',
  message: 'How shall I deploy the service?',
  fields: [
    field('branch', 'string'),
    field('timeout', 'number'),
    field('replicas', 'integer'),
    field('notify', 'boolean'),
    field('region', 'string', { options: ['north', 'south', 'west'] }),
    field('checks', 'array', { options: ['lint', 'unit', 'e2e'] }),
    field('deadline', 'date'),
    field('token', 'string'),
    field('note', 'string', { required: false }),
    field('size', 'string', { required: false, options: ['small', 'large'] }),
  ],
};

/** Asks in a manual run. In self-drive, the service consents for the user. */
export function asksPermission(operation: string): Play {
  return function* (turn) {
    yield* say(`I would like to use \`${operation}\`.\n\n`);
    return yield* approve(turn, operation);
  };
}

/** Asks in manual and self-drive runs. */
export function asksAlways(operation: string | null, options?: readonly string[]): Play {
  return function* () {
    yield* say('I need a permission, whatever the mode.\n\n');
    yield* tell(yield { do: 'ask', interactions: [permission(operation, options)] });
    return undefined;
  };
}

export const asksForm: Play = () => asksOnce('I have some questions first.\n\n', FORM);

export const asksEmptyForm: Play = () =>
  asksOnce('May I go on?\n\n', {
    kind: 'elicitation',
    message: 'Nothing to fill in: shall I go on?',
    fields: [],
  });

/** Fields with more attributes: some explain themselves, others no client knows. */
export const asksDescribed: Play = () =>
  asksOnce('I have proposals.\n\n', {
    kind: 'elicitation',
    message: 'Where shall I deploy to?',
    fields: [
      field('branch', 'string', { description: 'What is deployed', default: 'main' }),
      field('replicas', 'integer', { default: 2, minimum: 1, maximum: 8 }),
      field('region', 'string', { options: ['north', 'south'], default: 'south' }),
      field('notify', 'boolean', { title: 'Tell the team?', default: true }),
      field('note', 'string', { required: false, description: null, default: { odd: [] } }),
    ],
  });

/** One text field. */
export const asksName: Play = () =>
  asksOnce('Who are you?\n\n', {
    kind: 'elicitation',
    message: 'What is your name?',
    fields: [field('name', 'string')],
  });

/**
 * A URL field. An invalid URL is refused with 400; one with `nowhere` in it fails the turn. Both messages quote the
 * value.
 */
export function* asksUrl(): Script {
  yield* say('Where is the database?\n\n');
  const fields = [field('dsn', 'url')];
  const question: Elicitation = { kind: 'elicitation', message: 'Which database?', fields };
  const answer = yield { do: 'ask', interactions: [question] };
  yield* tell(answer);
  const dsn = answer?.kind === 'accepted' ? String(answer.content['dsn']) : '';
  if (dsn.includes('nowhere')) {
    const message = `There is no database at ${dsn}.`;
    yield { do: 'fail', reason: 'turn_failed', message, early: false };
  }
  return undefined;
}

/** The same field name twice. Clients ask once, for the first descriptor. */
export const asksRepeated: Play = () =>
  asksOnce('Which one?\n\n', {
    kind: 'elicitation',
    message: 'Pick a number.',
    fields: [
      field('pick', 'integer', { options: ['1', '2', '3'] }),
      field('pick', 'string', { required: false }),
    ],
  });

export function* asksTwice(turn: Turn): Script {
  yield* approve(turn, 'read_file');
  return yield* approve(turn, 'write_file');
}

function* approve({ mode }: Turn, operation: string): Script {
  if (mode === 'self-drive') {
    return yield* say(`The run is in self-drive, so \`${operation}\` went ahead unasked.\n\n`);
  }
  return yield* tell(yield { do: 'ask', interactions: [permission(operation)] });
}

/** Two tool calls in one chunk, which the interface does not promise. Answering one withdraws the other. */
export function* asksTogether(): Script {
  yield* say('Two questions at once.\n\n');
  const interactions: Interaction[] = [permission('read_file'), permission('run_shell')];
  yield* tell(yield { do: 'ask', interactions });
  return undefined;
}

/** `ask at index N`: the interface does not promise index 0. */
export function* asksAtIndex(_turn: Turn, [index = '0']: readonly string[]): Script {
  yield* say('One question, not the first.\n\n');
  const interactions = [permission('run_shell')];
  yield* tell(yield { do: 'ask', interactions, firstIndex: Number(index) });
  return undefined;
}

/**
 * `ask noisily N`: N KB of output during the pause, streamed after it. The run cannot be resumed if there is too
 * much.
 */
export function* asksNoisily(_turn: Turn, [kilobytes = '1']: readonly string[]): Script {
  const line = 'built one more module; nothing to see here.................\n';
  const meanwhile = line.repeat(Math.ceil((Number(kilobytes) * 1024) / line.length));
  const answer = yield { do: 'ask', interactions: [permission('run_shell')], meanwhile };
  yield* tell(answer);
  return undefined;
}

/** `ask refused REASON N`: refuses the first N answers inside their streams. */
export function* asksRefused(_turn: Turn, [reason = '', times = '1']: readonly string[]): Script {
  if (!isInStreamReason(reason)) return yield* say(unknownReason(reason));
  const refusals = Array.from({ length: Number(times) }, () => reason);
  yield* tell(yield { do: 'ask', interactions: [permission('run_shell')], refusals });
  return undefined;
}

/** `ask then fail REASON`: accepts the answer, then fails before any output. */
export function* asksThenFails(_turn: Turn, [reason = '']: readonly string[]): Script {
  if (!isInStreamReason(reason)) return yield* say(unknownReason(reason));
  yield { do: 'ask', interactions: [permission('run_shell')] };
  return yield* failsSilently(reason);
}

/** `ask then break off`: accepts the answer, then cuts the connection before any output. */
export function* asksThenBreaksOff(): Script {
  yield { do: 'ask', interactions: [permission('run_shell')] };
  yield { do: 'break off' };
  return undefined;
}

/** Canceling the question ends the run (`run_ended`). */
export function* asksOrEnds(): Script {
  const answer = yield { do: 'ask', interactions: [permission('run_shell')] };
  if (answer?.kind === 'cancelled') {
    const message = 'The question was cancelled, so the intern ended the run.';
    yield { do: 'fail', reason: 'run_ended', message, early: false };
  }
  yield* tell(answer);
  return undefined;
}

/** A tool that the interface does not name. */
export function* asksUnknownTool(): Script {
  yield* askUnreadable('service.unheard_of', '{"kind":"permission","operation":"x","options":[]}');
  return undefined;
}

/** The right tool with an unknown kind. */
export function* asksUnknownKind(): Script {
  yield* askUnreadable(TOOL_NAME, '{"kind":"riddle","text":"What has keys but no locks?"}');
  return undefined;
}

/** The right tool with arguments that are not JSON. */
export function* asksBadArguments(): Script {
  yield* askUnreadable(TOOL_NAME, '{"kind":"permission","operation":');
  return undefined;
}

function* askUnreadable(functionName: string, text: string): Script {
  yield* say('This will be hard to understand.\n\n');
  const unreadable: Interaction = { kind: 'unreadable', functionName, arguments: text };
  yield { do: 'ask', interactions: [unreadable] };
  return undefined;
}

function* asksOnce(opening: string, elicitation: Elicitation): Script {
  yield* say(opening);
  yield* tell(yield { do: 'ask', interactions: [elicitation] });
  return undefined;
}

/** Describes the answer: the option, or the names and JSON types of the values, never the values. */
function* tell(answer: Answer | undefined): Script {
  switch (answer?.kind) {
    case 'chosen': {
      const allowed = answer.option.startsWith('reject') ? 'so I left it alone' : 'so I did it';
      yield* say(`You chose \`${answer.option}\`, ${allowed}.\n\n`);
      break;
    }
    case 'accepted': {
      const rows = Object.entries(answer.content).map(([name, value]) => {
        return `| ${name} | ${jsonType(value)} |\n`;
      });
      const table = rows.length === 0 ? '' : `\n| Field | Type |\n|---|---|\n${rows.join('')}`;
      yield* say(`You accepted, with ${rows.length} values.\n${table}\n`);
      break;
    }
    case 'declined':
      yield* say('You declined, so I go on without it.\n\n');
      break;
    case 'cancelled':
      yield* say('You cancelled the question, so I stopped there.\n\n');
      break;
    case undefined:
      break;
  }
  return undefined;
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
