import type { Brain, Report, Script, Turn } from '../core/script.ts';
import {
  asksAlways,
  asksBadArguments,
  asksDescribed,
  asksEmptyForm,
  asksForm,
  asksName,
  asksNoisily,
  asksOrEnds,
  asksPermission,
  asksRefused,
  asksRepeated,
  asksTogether,
  asksTwice,
  asksUnknownKind,
  asksUnknownTool,
} from './questions.ts';
import { HOSTILE_SAMPLE, longSection, MARKDOWN_SAMPLE, REASONING_SAMPLE } from './samples.ts';
import { NOTHING_REPORTED, say, think, tokens, TOKENS_ONLY } from './text.ts';
import {
  breaksOff,
  fails,
  failsEarly,
  failsInStream,
  ignores,
  playsDead,
  refuses,
  stalls,
} from './trouble.ts';

/** A prompt that the interns understand. Words in capitals stand for a word of the user's. */
export interface PromptEntry {
  usage: string;
  does: string;
  play: (turn: Turn, words: readonly string[]) => Script;
}

/** Every prompt that is understood; `help` and the README show this table. The first row that matches is played. */
export const PROMPTS: readonly PromptEntry[] = [
  { usage: 'help', does: 'streams this table', play: () => say(helpText()) },
  {
    usage: 'markdown',
    does: 'headings, lists, a table, code in five languages, a diff, links, a picture',
    play: () => say(MARKDOWN_SAMPLE),
  },
  {
    usage: 'hostile',
    does: 'markup that must come to nothing',
    play: () => say(HOSTILE_SAMPLE),
  },
  {
    usage: 'think',
    does: 'reasoning, then text',
    play: thinksFirst,
  },
  {
    usage: 'long N',
    does: 'N kilobytes of mixed Markdown',
    play: (_turn, [kilobytes = '16']) => saysAtLength(Number(kilobytes) * 1024),
  },
  {
    usage: 'slow N',
    does: 'words at a steady pace for N seconds',
    play: (_turn, [seconds = '10']) => saysSlowly(Number(seconds)),
  },
  {
    usage: 'remember',
    does: 'what was said in this session before',
    play: ({ earlier }) => say(recall(earlier)),
  },
  {
    usage: 'null usage',
    does: 'text, then neither usage nor model',
    play: () => saysAndReports('Nobody counted the tokens of this reply.', NOTHING_REPORTED),
  },
  {
    usage: 'bare usage',
    does: 'text, then usage without cost and cached tokens',
    play: () => saysAndReports('Only the required numbers come with this reply.', TOKENS_ONLY),
  },
  {
    usage: 'silence',
    does: 'a turn without a word',
    play: () => say(''),
  },
  {
    usage: 'use secret NAME at HOST',
    does: 'whether the vault would release the secret to that host',
    play: ({ canUseSecret }, [name = '', host = '']) =>
      say(
        canUseSecret(name, host)
          ? `The vault releases \`${name}\` to \`${host}\`.`
          : `The vault does not release \`${name}\` to \`${host}\`.`,
      ),
  },
  {
    usage: 'ask permission always',
    does: 'asks in self-drive too, for a tool without a name (operation null)',
    play: asksAlways(null),
  },
  {
    usage: 'ask permission odd',
    does: 'asks with an option kind that the interface does not know',
    play: asksAlways('run_shell', ['allow_once', 'allow_for_a_week', 'reject_once']),
  },
  {
    usage: 'ask permission without options',
    does: 'asks and offers no option: only `cancel` is accepted',
    play: asksAlways('run_shell', []),
  },
  {
    usage: 'ask permission',
    does: 'asks for run_shell in a manual run; consents itself in self-drive',
    play: asksPermission('run_shell'),
  },
  {
    usage: 'ask form',
    does: 'asks ten questions, one of each type, two of them optional',
    play: asksForm,
  },
  {
    usage: 'ask described form',
    does: 'asks with descriptions, defaults and attributes that nobody knows',
    play: asksDescribed,
  },
  { usage: 'ask empty form', does: 'asks with no fields at all', play: asksEmptyForm },
  { usage: 'ask name', does: 'asks one question', play: asksName },
  { usage: 'ask repeated', does: 'asks with the same field twice', play: asksRepeated },
  {
    usage: 'ask twice',
    does: 'asks two permissions, one after the other, in a manual run',
    play: asksTwice,
  },
  {
    usage: 'ask together',
    does: 'asks two permissions in one chunk; answering one withdraws the other',
    play: asksTogether,
  },
  {
    usage: 'ask noisily N',
    does: 'asks, and produces N kilobytes while it waits; too many cannot be resumed (410)',
    play: asksNoisily,
  },
  {
    usage: 'ask refused REASON N',
    does: 'asks; the first N replies are refused in the stream',
    play: asksRefused,
  },
  {
    usage: 'ask refused REASON',
    does: 'asks; the first reply is refused in the stream',
    play: asksRefused,
  },
  { usage: 'ask or end', does: 'asks; `cancel` ends the run (run_ended)', play: asksOrEnds },
  { usage: 'ask unknown tool', does: 'calls a tool that nobody knows', play: asksUnknownTool },
  { usage: 'ask unknown kind', does: 'asks a kind of question that is new', play: asksUnknownKind },
  { usage: 'ask bad arguments', does: 'asks in broken JSON', play: asksBadArguments },
  {
    usage: 'fail early in stream REASON',
    does: 'fails in the stream, before a session was reported',
    play: failsEarly,
  },
  {
    usage: 'fail in stream REASON',
    does: 'fails in the stream, after some words',
    play: failsInStream,
  },
  { usage: 'fail REASON STATUS', does: 'is refused before streaming', play: fails },
  { usage: 'fail REASON', does: 'is refused before streaming', play: fails },
  { usage: 'refuse STATUS', does: 'is refused with that status and no reason', play: refuses },
  { usage: 'ignore', does: 'no answer until the request budget is spent (504)', play: ignores },
  { usage: 'stall', does: 'some words, then keepalives only', play: stalls },
  { usage: 'dead', does: 'some words, then not even keepalives', play: playsDead },
  { usage: 'break off', does: 'the connection breaks in the middle of a word', play: breaksOff },
  {
    usage: 'echo TEXT',
    does: 'says TEXT, and everything after it',
    play: ({ prompt }) => say(prompt.trimStart().slice('echo '.length)),
  },
];

/** Plays the row whose words the first line of the prompt has, in any case; else a friendly echo. */
export const scriptedBrain: Brain = (turn) => {
  const words = firstLine(turn.prompt).split(/\s+/);
  for (const entry of PROMPTS) {
    const captured = match(entry.usage.split(' '), words);
    if (captured !== undefined) return entry.play(turn, captured);
  }
  return say(greeting(turn));
};

function firstLine(prompt: string): string {
  return prompt.trim().split('\n', 1)[0] ?? '';
}

/** The user's words for the pattern's capitals, or undefined where it does not fit. `TEXT` takes all the rest. */
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
  const rows = PROMPTS.map(({ usage, does }) => `| \`${usage}\` | ${does} |\n`);
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
  return yield* say('I thought about it: the slower way is the better one.');
}

function* saysAndReports(text: string, report: Report): Script {
  yield* say(text);
  return report;
}

const LONG_TOKEN_CHARACTERS = 200;

function* saysAtLength(size: number): Script {
  let written = 0;
  for (let number = 1; written < size; number++) {
    const section = longSection(number).slice(0, size - written);
    written += section.length;
    for (const text of tokens(section, LONG_TOKEN_CHARACTERS)) yield { do: 'say', text };
  }
  return undefined;
}

const WORDS_PER_SECOND = 4;

function* saysSlowly(seconds: number): Script {
  for (let second = 1; second <= seconds; second++) {
    for (let word = 1; word <= WORDS_PER_SECOND; word++) {
      yield { do: 'say', text: word === WORDS_PER_SECOND ? `${second} s.\n` : 'steady ' };
      yield { do: 'wait', ms: 1000 / WORDS_PER_SECOND };
    }
  }
  return undefined;
}
