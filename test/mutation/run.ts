/**
 * `npm run mutate [-- --only conversation/machine] [-- --every 1]`: changes src/api and src/conversation in one place at a time and runs
 * the unit tests of that folder against each change: some 3,600, half an hour. `--every 4` makes every fourth of them, and
 * `--only` those of the files whose paths contain the word; both leave the list alone.
 *
 * A mutant that no test notices has survived. Survivors are listed in survivors.jsonl, each with a word that says why it may;
 * the run fails below a score of 92 %, or where a survivor has no word yet.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutantsOf, type Mutant } from './mutants.ts';
import type { Job, Verdict } from './worker.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SURVIVORS = fileURLToPath(new URL('survivors.jsonl', import.meta.url));
const LEAST_SCORE = 0.92;
/** A mutant that takes longer runs in circles; that is noticed, too. */
const JOB_TIMEOUT_MS = 60_000;
/** Tests that take long for what quicker ones prove too. */
const slowTests = /(\.(property|service)|\/interleavings)\.test\.ts$/;
/** Modules are never unloaded: a worker is replaced after so many mutants. */
const JOBS_A_WORKER = 40;

/** A survivor as it is listed, one a line; where it stands changes too often to be kept. */
interface Survivor extends Omit<Mutant, 'start' | 'line'> {
  /** Why no test can or need notice it. */
  readonly word: string;
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, every: { type: 'string', default: '1' } },
});

const folders = ['api', 'conversation'];
const files = folders
  .flatMap((folder) => filesOf(`src/${folder}`))
  .filter((file) => file.includes(values.only ?? ''));
const mutants = files
  .flatMap((file) => mutantsOf(`${ROOT}${file}`, file))
  .filter((_mutant, index) => index % Number(values.every) === 0);
await checkBaseline();
console.log(`${mutants.length} mutants of ${kindsOf(mutants)} kinds in ${files.length} files`);
const survivors = await hunt(mutants);
report(mutants, survivors);

/** Tests fail without a mutant on a machine that lacks something, and would then kill them all. */
async function checkBaseline(): Promise<void> {
  const worker = startWorker();
  const tests = folders.flatMap((folder) => testsFor(`src/${folder}/`));
  const { failed } = await ask(worker, { mutant: null, tests });
  worker.kill();
  if (failed !== null) throw new Error(`Fails without a mutant: ${failed}`);
}

/** The TypeScript files below a folder, relative to the root of the project. */
function filesOf(folder: string): string[] {
  return readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}

/** The tests that may notice a change of a file, its own first; the slow ones that prove the same are left out. */
function testsFor(file: string): string[] {
  const [, folder = '', name = ''] = /^src\/(\w+)\/(?:.*\/)?(.*?)(?:\.ts)?$/.exec(file) ?? [];
  const rank = (test: string): number =>
    test.endsWith(`/${name}.test.ts`) ? 0 : test.endsWith('/sockets.test.ts') ? 2 : 1;
  return filesOf(`test/unit/${folder}`)
    .filter((test) => test.endsWith('.test.ts') && !slowTests.test(test))
    .sort((a, b) => rank(a) - rank(b))
    .map((test) => ROOT + test);
}

/** Judges every mutant, on as many workers as there are cores, and answers with those that survived. */
async function hunt(all: readonly Mutant[]): Promise<Mutant[]> {
  const left = [...all];
  const alive: Mutant[] = [];
  const hunter = async (): Promise<void> => {
    let worker = startWorker();
    for (let jobs = 1; ; jobs++) {
      const mutant = left.shift();
      if (mutant === undefined) break;
      const tests = testsFor(mutant.file);
      const { failed } = await ask(worker, { mutant, tests });
      if (failed === null) alive.push(mutant);
      if (worker.exitCode !== null || worker.killed || jobs % JOBS_A_WORKER === 0) {
        worker.kill();
        worker = startWorker();
      }
      if (left.length % 50 === 0) console.error(`  ${left.length} left, ${alive.length} survived`);
    }
    worker.kill();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, hunter));
  return alive.sort((a, b) => all.indexOf(a) - all.indexOf(b));
}

function startWorker(): ChildProcess {
  return fork(fileURLToPath(new URL('worker.ts', import.meta.url)), { stdio: 'ignore' });
}

function ask(worker: ChildProcess, job: Job): Promise<Verdict> {
  return new Promise((resolve) => {
    const settle = (verdict: Verdict): void => {
      clearTimeout(timer);
      worker.off('message', settle);
      worker.off('exit', onExit);
      resolve(verdict);
    };
    const onExit = (): void => settle({ failed: 'the process ended' });
    const timer = setTimeout(() => worker.kill('SIGKILL'), JOB_TIMEOUT_MS);
    worker.on('message', settle);
    worker.on('exit', onExit);
    worker.send(job);
  });
}

function report(all: readonly Mutant[], alive: readonly Mutant[]): void {
  const score = 1 - alive.length / all.length;
  console.log(`${(score * 100).toFixed(1)} % killed, ${alive.length} survived`);
  const known = readSurvivors();
  const listed = alive.map((mutant): Survivor => {
    const { file, line, kind, from, to } = mutant;
    const word = known.find((one) => isSame(one, mutant))?.word ?? '';
    const mark = word === '' ? '  (no word yet)' : '';
    console.log(`${file}:${line} ${kind}: ${from} -> ${to}${mark}`);
    return { file, kind, from, to, word };
  });
  if (values.only === undefined && values.every === '1')
    writeFileSync(SURVIVORS, listed.map((one) => `${JSON.stringify(one)}\n`).join(''));
  if (score < LEAST_SCORE || listed.some(({ word }) => word === '')) process.exitCode = 1;
}

function readSurvivors(): readonly Survivor[] {
  const lines = readFileSync(SURVIVORS, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Survivor);
}

function isSame(one: Survivor, other: Mutant): boolean {
  return (
    one.file === other.file &&
    one.kind === other.kind &&
    one.from === other.from &&
    one.to === other.to
  );
}

function kindsOf(all: readonly Mutant[]): number {
  return new Set(all.map(({ kind }) => kind)).size;
}
