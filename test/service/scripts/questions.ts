import {
  OPTION_KINDS,
  TOOL_NAME,
  type Answer,
  type FieldDescriptor,
  type Permission,
} from '../core/interactions.ts';
import type { Script, Step, Turn } from '../core/script.ts';
import { isInStreamReason } from '../core/problems.ts';
import { say, unknownReason } from './text.ts';
import { failsSilently } from './trouble.ts';

type Play = (turn: Turn, words: readonly string[]) => Script;

type Asked = Omit<Extract<Step, { do: 'ask' }>, 'do'>;

function permission(
  operation: string | null,
  options: readonly string[] = OPTION_KINDS,
): Permission {
  return { kind: 'permission', operation, options };
}

const shell = [permission('run_shell')];

function form(message: string, ...fields: readonly FieldDescriptor[]): Asked {
  return { interactions: [{ kind: 'elicitation', message, fields }] };
}

function field(name: string, type: string, extra: Partial<FieldDescriptor> = {}): FieldDescriptor {
  return { name, type, required: true, options: [], ...extra };
}

/** Asks, and describes the answer. */
function* asks(opening: string, asked: Asked): Script {
  yield* say(opening);
  yield* say(wordsFor(yield { do: 'ask', ...asked }));
}

/** Asks in a manual run. In self-drive, the service consents for the user. */
export function asksPermission(operation: string): Play {
  return function* (turn): Script {
    yield* say(`I would like to use \`${operation}\`.\n\n`);
    yield* approve(turn, operation);
  };
}

/** Asks in manual and self-drive runs. */
export function asksAlways(operation: string | null, options?: readonly string[]): Play {
  const interactions = [permission(operation, options)];
  return () => asks('I need a permission, whatever the mode.\n\n', { interactions });
}

const deployment = form(
  'How shall I deploy the service?',
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
);

export const asksForm: Play = () => asks('I have some questions first.\n\n', deployment);

export const asksEmptyForm: Play = () =>
  asks('May I go on?\n\n', form('Nothing to fill in: shall I go on?'));

/** Fields with more attributes: some explain themselves, others no client knows. */
const described = form(
  'Where shall I deploy to?',
  field('branch', 'string', { description: 'What is deployed', default: 'main' }),
  field('replicas', 'integer', { default: 2, minimum: 1, maximum: 8 }),
  field('region', 'string', { options: ['north', 'south'], default: 'south' }),
  field('notify', 'boolean', { title: 'Tell the team?', default: true }),
  field('note', 'string', { required: false, description: null, default: { odd: [] } }),
);

export const asksDescribed: Play = () => asks('I have proposals.\n\n', described);

export const asksName: Play = () =>
  asks('Who are you?\n\n', form('What is your name?', field('name', 'string')));

/**
 * A URL field. An invalid URL is refused with 400; one with `nowhere` in it fails the turn. Both messages quote the
 * value.
 */
export function* asksUrl(): Script {
  yield* say('Where is the database?\n\n');
  const answer = yield { do: 'ask', ...form('Which database?', field('dsn', 'url')) };
  yield* say(wordsFor(answer));
  const dsn = answer?.kind === 'accepted' ? String(answer.content['dsn']) : '';
  if (!dsn.includes('nowhere')) return;
  const message = `There is no database at ${dsn}.`;
  yield { do: 'fail', reason: 'turn_failed', message, early: false };
}

/** The same field name twice. Clients ask once, for the first descriptor. */
export const asksRepeated: Play = () => {
  const first = field('pick', 'integer', { options: ['1', '2', '3'] });
  const second = field('pick', 'string', { required: false });
  return asks('Which one?\n\n', form('Pick a number.', first, second));
};

export function* asksTwice(turn: Turn): Script {
  yield* approve(turn, 'read_file');
  yield* approve(turn, 'write_file');
}

function* approve({ mode }: Turn, operation: string): Script {
  if (mode === 'manual') yield* asks('', { interactions: [permission(operation)] });
  else yield* say(`The run is in self-drive, so \`${operation}\` went ahead unasked.\n\n`);
}

/** Two tool calls in one chunk, which the interface does not promise. Answering one withdraws the other. */
export const asksTogether: Play = () =>
  asks('Two questions at once.\n\n', { interactions: [permission('read_file'), ...shell] });

/** The interface does not promise index 0. */
export const asksAtIndex: Play = (_turn, [index = '0']) =>
  asks('One question, not the first.\n\n', { interactions: shell, firstIndex: Number(index) });

export const asksNoisily: Play = (_turn, [kilobytes = '1']) => {
  const line = 'built one more module; nothing to see here.................\n';
  const meanwhile = line.repeat(Math.ceil((Number(kilobytes) * 1024) / line.length));
  return asks('', { interactions: shell, meanwhile });
};

export const asksRefused: Play = (_turn, [reason = '', times = '1']) => {
  if (!isInStreamReason(reason)) return say(unknownReason(reason));
  const refusals = Array.from({ length: Number(times) }, () => reason);
  return asks('', { interactions: shell, refusals });
};

export function* asksThenFails(_turn: Turn, [reason = '']: readonly string[]): Script {
  yield { do: 'ask', interactions: shell };
  yield* failsSilently(reason);
}

export function* asksThenBreaksOff(): Script {
  yield { do: 'ask', interactions: shell };
  yield { do: 'break off' };
}

export function* asksOrEnds(): Script {
  const answer = yield { do: 'ask', interactions: shell };
  if (answer?.kind === 'cancel') {
    const message = 'The question was canceled, so the intern ended the run.';
    yield { do: 'fail', reason: 'run_ended', message, early: false };
  }
  yield* say(wordsFor(answer));
}

export const asksUnknownTool = asksUnreadable(
  'service.unheard_of',
  '{"kind":"permission","operation":"x","options":[]}',
);
export const asksUnknownKind = asksUnreadable(
  TOOL_NAME,
  '{"kind":"riddle","text":"What has keys but no locks?"}',
);
export const asksBadArguments = asksUnreadable(TOOL_NAME, '{"kind":"permission","operation":');

function asksUnreadable(functionName: string, text: string): Play {
  return function* (): Script {
    yield* say('This will be hard to understand.\n\n');
    yield { do: 'ask', interactions: [{ kind: 'unreadable', functionName, arguments: text }] };
  };
}

/** Describes the answer: the option, or the names and JSON types of the values, never the values. */
function wordsFor(answer: Answer | undefined): string {
  switch (answer?.kind) {
    case 'chosen': {
      const done = answer.option.startsWith('reject') ? 'left it alone' : 'did it';
      return `You chose \`${answer.option}\`, so I ${done}.\n\n`;
    }
    case 'accepted': {
      const rows = Object.entries(answer.content).map(
        ([name, value]) => `| ${name} | ${jsonType(value)} |\n`,
      );
      const table = rows.length === 0 ? '' : `\n| Field | Type |\n|---|---|\n${rows.join('')}`;
      return `You accepted, with ${rows.length} values.\n${table}\n`;
    }
    case 'decline':
      return 'You declined, so I go on without it.\n\n';
    case 'cancel':
      return 'You canceled the question, so I stopped there.\n\n';
    case undefined:
      return '';
  }
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
