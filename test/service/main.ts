import { exitOnSignals } from '../harness/processes.ts';
import { parseArgs } from 'node:util';
import { PROMPTS } from './scripts/prompts.ts';
import { SIMULATING_KEYS, startService, type Exchange, type ServiceOptions } from './service.ts';

type NumberOption = readonly [option: keyof ServiceOptions, value: number, means: string];

/** The options that take a number: option of the service, default, description. */
const NUMBERS: Readonly<Record<string, NumberOption>> = {
  port: ['port', 0, 'port to listen on; 0 asks for a free one'],
  'deadline-ms': ['interactionDeadlineMs', 300_000, 'how long a question waits'],
  'keepalive-ms': ['keepaliveMs', 30_000, 'silence before a keepalive or a noticed disconnect'],
  'provisioning-ms': ['provisioningMs', 4_000, 'from create until an intern runs'],
  'budget-ms': ['requestBudgetMs', 60_000, 'until a silent intern gives 504'],
  'chunk-ms': ['chunkMs', 15, 'pause before each piece of text'],
  'retention-bytes': ['retentionBytes', 262_144, 'output kept of a paused run; more gives 410'],
  'max-paused': ['maxPausedRuns', 100, 'runs an intern holds open across a question; else 503'],
  'turns-per-minute': ['turnsPerMinute', 600, 'turns of a user or organization; more give 429'],
};

const DEFAULT_KEY = 'test-key-owner';

function usage(): string {
  const numbers = Object.entries(NUMBERS).map(([flag, [, value, means]]) =>
    row(`--${flag} N`, `${means} (${value})`),
  );
  return `Runs an intern service on this machine, all in memory.

Usage: npm run service -- [options]

${row('--key KEY', `API key of a member; may be given several times (${DEFAULT_KEY})`)}
${row('--idempotency-header NAME', 'header that carries the idempotency key (idempotency-key)')}
${numbers.join('\n')}
${row('--log', 'prints a line for each response: method, path and status')}
${row('--help', 'this text')}

Keys that always work:

${SIMULATING_KEYS.map(({ key, simulates }) => row(key, simulates)).join('\n')}

Interns: intern_ada and intern_bea run; intern_carl and others do not. Prompts that they understand:

${PROMPTS.map(([prompt, does]) => row(prompt, does)).join('\n')}
`;
}

function row(left: string, right: string): string {
  return `  ${left.padEnd(30)} ${right}`;
}

/** @throws TypeError with a message for the user */
function readCommand(args: string[]): { help: boolean; options: ServiceOptions } {
  const { values } = parseArgs({
    args,
    options: {
      key: { type: 'string', multiple: true, default: [DEFAULT_KEY] },
      'idempotency-header': { type: 'string' },
      log: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      ...Object.fromEntries(
        Object.keys(NUMBERS).map((flag) => [flag, { type: 'string' } as const]),
      ),
    },
  });
  const numbers: Record<string, number> = {};
  for (const [flag, [option, value]] of Object.entries(NUMBERS))
    numbers[option] = readNumber(flag, (values as Record<string, unknown>)[flag], value);

  const idempotencyHeader = values['idempotency-header'];
  return {
    help: values.help,
    options: {
      ...numbers,
      keys: values.key,
      ...(idempotencyHeader === undefined ? {} : { choices: { idempotencyHeader } }),
      ...(values.log ? { observer: { onResponse: logResponse } } : {}),
    },
  };
}

function readNumber(flag: string, text: unknown, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (typeof text !== 'string' || !/^\d+$/.test(text))
    throw new TypeError(`--${flag} takes a whole number.`);

  return Number(text);
}

function logResponse({ method, path, status, outcome }: Exchange): void {
  console.log(`${method} ${path} ${status ?? 'no status'} ${outcome}`);
}

async function main(): Promise<void> {
  const { help, options } = readCommand(process.argv.slice(2));
  if (help) {
    console.log(usage());
    return;
  }
  const service = await startService(options);
  console.log(`Intern service listening on ${service.url}`);
  exitOnSignals(0);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  console.error('See npm run service -- --help');
  process.exitCode = 1;
});
