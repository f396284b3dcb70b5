import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { startService, type Service } from '../../../service/service.ts';
import { eventually } from '../../../harness/until.ts';
import { useTemporaryFolder } from '../../support/folders.ts';
import type { Command, Done } from './questionProcess.ts';

const program = fileURLToPath(new URL('questionProcess.ts', import.meta.url));
/** Loads a stub of VS Code. */
const hook = new URL('../../support/vscodeHook.ts', import.meta.url).href;

type Order = Command extends infer C ? (C extends Command ? Omit<C, 'id'> : never) : never;

/** A window in a process of its own. */
class Process {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (done: Done | undefined) => void>();
  readonly ready: Promise<Done | undefined>;
  #commands = 0;

  constructor(folder: string, service: string, window: string) {
    this.ready = new Promise((resolve) => this.#waiting.set(0, resolve));
    this.#child = fork(program, [folder, service, window], { execArgv: ['--import', hook] });
    this.#child.on('message', (done: Done) => this.#settle(done.id, done));
    this.#child.on('exit', () => {
      for (const id of [...this.#waiting.keys()]) this.#settle(id, undefined);
    });
  }

  /** Resolves with undefined if the process dies first. */
  do(order: Order): Promise<Done | undefined> {
    this.#commands += 1;
    const id = this.#commands;
    const done = new Promise<Done | undefined>((resolve) => this.#waiting.set(id, resolve));
    this.#child.send({ id, ...order });
    return done;
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  #settle(id: number, done: Done | undefined): void {
    this.#waiting.get(id)?.(done);
    this.#waiting.delete(id);
  }
}

const STEPS = 1_000;
const which = fc.nat(1);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('ask'), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer'), which, question: fc.nat() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('both answer'), question: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('settle') }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('two processes over one disk', () => {
  const folder = useTemporaryFolder();
  let service: Service;
  const processes: Process[] = [];
  let opened = 0;
  /** The outcomes of answers by question; `lost` if the process died first. */
  const outcomes = new Map<string, (Done['outcome'] | 'lost')[]>();
  let underWay: Promise<unknown>[];

  const open = async (): Promise<Process> => {
    opened += 1;
    const each = new Process(folder.path, service.url, `window-${opened}`);
    assert.ok(await each.ready, 'the process has started');
    return each;
  };

  beforeEach(async () => {
    const limits = { turnsPerMinute: 1_000_000, maxPausedRuns: 1_000_000 };
    service = await startService({ keepaliveMs: 200, ...limits });
    processes.push(await open(), await open());
    outcomes.clear();
    underWay = [];
  });

  afterEach(async () => {
    await Promise.all(processes.splice(0).map((each) => each.kill()));
    await service.close();
  });

  const look = async (each: Process) => (await each.do({ do: 'look' }))?.open ?? [];

  const answer = (each: Process, question: string): void => {
    const answered = each.do({ do: 'answer', question }).then((done) => {
      const all = outcomes.get(question) ?? [];
      outcomes.set(question, [...all, done === undefined ? 'lost' : done.outcome]);
    });
    underWay.push(answered);
  };

  const take = async (next: Step): Promise<void> => {
    switch (next.do) {
      case 'ask':
        underWay.push(processes[next.which]!.do({ do: 'ask' }));
        return;
      case 'answer':
      case 'both answer': {
        const known = await look(processes[0]!);
        const question = known[next.question % Math.max(known.length, 1)];
        if (question === undefined) return;
        const chosen = next.do === 'answer' ? [processes[next.which]!] : processes;
        for (const each of chosen) answer(each, question.id);
        return;
      }
      case 'settle':
        await Promise.all(underWay.splice(0));
    }
  };

  /** Answers all questions until neither the processes nor the disk have one. */
  const comeToRest = async (): Promise<void> => {
    await Promise.all(underWay.splice(0));
    await eventually(async () => {
      const [first, second] = await Promise.all(processes.map(look));
      for (const { id } of first!) answer(processes[0]!, id);
      await Promise.all(underWay.splice(0));
      return first!.length === 0 && second!.length === 0;
    });
    await eventually(async () => {
      const names = await readdir(folder.path, { recursive: true });
      const heads = names.filter((name) => name.endsWith('.json'));
      const texts = await Promise.all(
        heads.map((name) => readFile(join(folder.path, name), 'utf8')),
      );
      const isOpen = texts.some((text) => (JSON.parse(text) as { question?: object }).question);
      return !isOpen && !names.some((name) => name.endsWith('.run'));
    });
  };

  it(`two processes answer each question once in ${STEPS} steps`, async function () {
    this.timeout(0);
    const steps = fc.array(step, { minLength: STEPS, maxLength: STEPS });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        for (const next of all) await take(next);
        await comeToRest();
        for (const [question, each] of outcomes) {
          const sent = each.filter((outcome) => outcome !== 'none');
          assert.deepEqual(sent, ['answered'], question);
        }
        assert.ok(outcomes.size > 0);
        assert.ok(service.state.sessions().every(({ run }) => run !== 'paused'));
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });

  it('a question opens again if the process that sent an answer dies', async function () {
    this.timeout(0);
    for (let round = 0; round < 4; round += 1) {
      await processes[0]!.do({ do: 'ask' });
      await eventually(async () => (await look(processes[1]!)).length === 1);
      const [{ id } = { id: '' }] = await look(processes[1]!);
      if (round % 2 === 0) service.faults.next('chat', { kind: 'hang' });
      answer(processes[0]!, id);
      if (round % 2 === 0) await eventually(() => service.faults.size === 0);
      await processes[0]!.kill();
      processes[0] = await open();
      await comeToRest();
      const [first, second] = outcomes.get(id)!;
      assert.ok(first === 'lost' || first === 'answered', first);
      if (round % 2 === 0) assert.deepEqual([first, second], ['lost', 'answered']);
    }
  });
});
