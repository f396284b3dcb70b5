import type { LoggedProblem } from './hostLog.ts';

/** What Copy Diagnostics tells of an account: how much there is of what, nothing of whom. */
export interface AccountFacts {
  readonly state: string;
  readonly active: boolean;
  readonly interns: Count;
  readonly secrets: Count;
  readonly conversations: Count;
}

/** How many there are; `unreadable` where the disk does not say. */
export type Count = number | 'unreadable';

/** What Copy Diagnostics puts together. */
export interface Diagnostics {
  /** Versions and the like, by name. */
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
  readonly accounts: readonly AccountFacts[];
  readonly problems: readonly LoggedProblem[];
}

/**
 * Diagnostics as Markdown in English, ready for an issue that everyone can read.
 *
 * @param redact Goes over the whole once more.
 */
export function formatDiagnostics(
  { environment, settings, accounts, problems }: Diagnostics,
  redact: (text: string) => string,
): string {
  const accountLines = accounts.map(
    ({ state, active, interns, secrets, conversations }) =>
      `- ${state}${active ? ', active' : ''}: ${interns} interns, ${secrets} secrets, ${conversations} conversations`,
  );
  const problemLines = problems.map(
    ({ at, level, line }) => `- ${new Date(at).toISOString()} ${level}: ${firstLines(line)}`,
  );
  const text = [
    '## Interns diagnostics',
    ...bullets(environment),
    section('Settings', bullets(settings)),
    section('Accounts', accountLines),
    section('Last warnings and errors', problemLines),
  ].join('\n');
  return `${redact(text)}\n`;
}

/** What is told of a setting that holds an address: nothing but whether it is set. */
export function settingFact(value: string): string {
  return value === '' ? 'not set' : 'set';
}

function section(title: string, lines: readonly string[]): string {
  return ['', `### ${title}`, ...(lines.length > 0 ? lines : ['- none'])].join('\n');
}

function bullets(facts: Readonly<Record<string, string>>): string[] {
  return Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`);
}

/** The beginning of a stack trace, indented as a part of its bullet. */
function firstLines(text: string): string {
  return text.split('\n').slice(0, 6).join('\n  ');
}
