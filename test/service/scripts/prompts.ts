import type { Brain, Report, Script, Turn } from '../core/script.ts';
import * as questions from './questions.ts';
import { HOSTILE_SAMPLE, longSection, MARKDOWN_SAMPLE, REASONING_SAMPLE } from './samples.ts';
import { NOTHING_REPORTED, say, think, tokens, TOKENS_ONLY } from './text.ts';
import * as trouble from './trouble.ts';

type Prompt = readonly [
  usage: string,
  does: string,
  play: (turn: Turn, words: readonly string[]) => Script,
];

/**
 * The prompts that interns understand, as `help` and the README list them. Words in capitals are placeholders. The first
 * match is played.
 */
export const PROMPTS: readonly Prompt[] = [
  ['help', 'streams this table', () => say(helpText())],
  [
    'markdown',
    'headings, lists, a table, code in five languages, a diff, links, a picture',
    () => say(MARKDOWN_SAMPLE),
  ],
  ['hostile', 'hostile markup that must have no effect', () => say(HOSTILE_SAMPLE)],
  ['think', 'reasoning, then text', thinksFirst],
  [
    'long N',
    'N kilobytes of mixed Markdown',
    (_turn, [kilobytes = '16']) => saysAtLength(Number(kilobytes) * 1024),
  ],
  [
    'slow N',
    'words at a steady pace for N seconds',
    (_turn, [seconds = '10']) => saysSlowly(Number(seconds)),
  ],
  ['remember', 'what was said in this session before', ({ earlier }) => say(recall(earlier))],
  [
    'null usage',
    'text, then neither usage nor model',
    () => saysAndReports('Nobody counted the tokens of this reply.', NOTHING_REPORTED),
  ],
  [
    'bare usage',
    'text, then usage without cost and cached tokens',
    () => saysAndReports('Only the required numbers come with this reply.', TOKENS_ONLY),
  ],
  [
    'finish REASON',
    'some words, then a finish chunk with that reason, which the API does not list',
    (_turn, [reason = '']) =>
      saysAndReports('This ends in a way of its own.', { ...TOKENS_ONLY, finish: reason }),
  ],
  ['silence', 'a reply without text', () => say('')],
  [
    'use secret NAME at HOST',
    'whether the vault would release the secret to that host',
    ({ canUseSecret }, [name = '', host = '']) =>
      say(
        canUseSecret(name, host)
          ? `The vault releases \`${name}\` to \`${host}\`.`
          : `The vault does not release \`${name}\` to \`${host}\`.`,
      ),
  ],
  [
    'ask permission always',
    'asks in self-drive too, for a tool without a name (operation null)',
    questions.asksAlways(null),
  ],
  [
    'ask permission odd',
    'asks with an option that the API does not list',
    questions.asksAlways('run_shell', ['allow_once', 'allow_for_a_week', 'reject_once']),
  ],
  [
    'ask permission without options',
    'asks and offers no option: only `cancel` is accepted',
    questions.asksAlways('run_shell', []),
  ],
  [
    'ask permission',
    "asks for run_shell in a manual run; doesn't ask in self-drive",
    questions.asksPermission('run_shell'),
  ],
  ['ask form', 'asks ten questions, one of each type, two of them optional', questions.asksForm],
  [
    'ask described form',
    'asks with descriptions, defaults and attributes that the API does not list',
    questions.asksDescribed,
  ],
  ['ask empty form', 'asks with no fields at all', questions.asksEmptyForm],
  ['ask name', 'asks one question', questions.asksName],
  [
    'ask url',
    'asks for a URL; a refusal or failure quotes it; a URL that contains `nowhere` makes the run fail',
    questions.asksUrl,
  ],
  ['ask repeated', 'asks with the same field twice', questions.asksRepeated],
  ['ask twice', 'asks two permissions, one after the other, in a manual run', questions.asksTwice],
  [
    'ask together',
    'asks two permissions in one chunk; answering one withdraws the other',
    questions.asksTogether,
  ],
  [
    'ask at index N',
    'asks with a tool call of that index; the echo in the answer must have the same index',
    questions.asksAtIndex,
  ],
  [
    'ask noisily N',
    'asks, and produces N kilobytes while it waits; if they are too many, the run cannot be resumed (410)',
    questions.asksNoisily,
  ],
  [
    'ask refused REASON N',
    'asks; the first N answers are refused in the stream',
    questions.asksRefused,
  ],
  ['ask refused REASON', 'asks; the first answer is refused in the stream', questions.asksRefused],
  [
    'ask then fail REASON',
    'asks; the answer is accepted, and then the run fails in the stream before any text',
    questions.asksThenFails,
  ],
  [
    'ask then break off',
    'asks; the answer is accepted, and then the connection breaks before any text',
    questions.asksThenBreaksOff,
  ],
  ['ask or end', 'asks; `cancel` ends the run (run_ended)', questions.asksOrEnds],
  ['ask unknown tool', 'calls a tool that the API does not list', questions.asksUnknownTool],
  ['ask unknown kind', 'asks a question of an unknown kind', questions.asksUnknownKind],
  ['ask bad arguments', 'asks in broken JSON', questions.asksBadArguments],
  [
    'fail early in stream REASON',
    'fails in the stream, before a session was reported',
    trouble.failsEarly,
  ],
  ['fail in stream REASON', 'fails in the stream, after some words', trouble.failsInStream],
  ['fail REASON STATUS', 'is refused before streaming', trouble.fails],
  ['fail REASON', 'is refused before streaming', trouble.fails],
  ['refuse STATUS', 'is refused with that status and no reason', trouble.refuses],
  ['ignore', 'no response until the request budget is spent (504)', trouble.ignores],
  ['stall', 'some words, then keepalives only', trouble.stalls],
  ['dead', 'some words, then not even keepalives', trouble.playsDead],
  ['break off', 'the connection breaks in the middle of a word', trouble.breaksOff],
  [
    'echo TEXT',
    'says TEXT, and everything after it',
    ({ prompt }) => say(prompt.trimStart().slice('echo '.length)),
  ],
];

/** Plays the entry that matches the first line of the prompt, in any case, else greets the user. */
export const scriptedBrain: Brain = (turn) => {
  const words = firstLine(turn.prompt).split(/\s+/);
  for (const [usage, , play] of PROMPTS) {
    const captured = match(usage.split(' '), words);
    if (captured !== undefined) return play(turn, captured);
  }
  return say(greeting(turn));
};

function firstLine(prompt: string): string {
  return prompt.trim().split('\n', 1)[0] ?? '';
}

/** Returns the words for the placeholders, or undefined if the pattern does not match. `TEXT` matches the rest. */
function match(pattern: readonly string[], words: readonly string[]): string[] | undefined {
  const open = pattern.at(-1) === 'TEXT';
  if (open ? words.length < pattern.length : words.length !== pattern.length) return undefined;
  const captured: string[] = [];
  for (const [index, expected] of pattern.entries()) {
    const word = words[index] ?? '';
    if (/^[A-Z]+$/.test(expected)) captured.push(word);
    else if (word.toLowerCase() !== expected) return undefined;
  }
  return captured;
}

function helpText(): string {
  const rows = PROMPTS.map(([usage, does]) => `| \`${usage}\` | ${does} |\n`);
  return `## What I understand\n\n| Prompt | What happens |\n|---|---|\n${rows.join('')}\nAnything else: I say it back.\n`;
}

function greeting({ internName, prompt, earlier }: Turn): string {
  const count = earlier.length === 0 ? 'first' : `number ${earlier.length + 1}`;
  const quoted = firstLine(prompt).slice(0, 200);
  return `Hello, I am **${internName}**, a scripted intern. You said, as the ${count} prompt of this session:\n\n> ${quoted}\n\nTry \`help\` to see what I can do, \`markdown\` for a long reply, or \`ask permission\` to be asked something.\n`;
}

function recall(earlier: readonly string[]): string {
  if (earlier.length === 0) return 'This is the first prompt of this session.';
  const lines = earlier.map((prompt, index) => `${index + 1}. ${firstLine(prompt).slice(0, 80)}\n`);
  return `You said before:\n\n${lines.join('')}`;
}

function* thinksFirst(): Script {
  yield* think(REASONING_SAMPLE);
  yield* say('I thought about it: the slower way is the better one.');
}

function* saysAndReports(text: string, report: Report): Script {
  yield* say(text);
  yield { do: 'report', report };
}

const LONG_TOKEN_CHARACTERS = 200;

function* saysAtLength(size: number): Script {
  let written = 0;
  for (let number = 1; written < size; number++) {
    const section = longSection(number).slice(0, size - written);
    written += section.length;
    for (const text of tokens(section, LONG_TOKEN_CHARACTERS)) yield { do: 'say', text };
  }
}

const WORDS_PER_SECOND = 4;

function* saysSlowly(seconds: number): Script {
  for (let second = 1; second <= seconds; second++) {
    for (let word = 1; word <= WORDS_PER_SECOND; word++) {
      yield { do: 'say', text: word === WORDS_PER_SECOND ? `${second} s.\n` : 'steady ' };
      yield { do: 'wait', ms: 1000 / WORDS_PER_SECOND };
    }
  }
}
