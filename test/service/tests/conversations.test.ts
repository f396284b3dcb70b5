import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Conversations } from '../core/conversations.ts';
import type { Intern } from '../core/interns.ts';
import { Problem } from '../core/problems.ts';
import { seededRandom } from '../core/random.ts';
import type { Attachment } from '../core/responseStream.ts';
import type { RunState } from '../core/runState.ts';
import { scriptedBrain } from '../scripts/prompts.ts';
import { FakeClock } from '../service.ts';

const SESSION = 'session_mine';
const KEEPALIVE_MS = 30_000;
const DEADLINE_MS = 300_000;

/** A client that keeps what it is sent, until it goes away. */
class FakeClient implements Attachment {
  isConnected = true;
  readonly isFull = false;
  sent = '';
  ended = false;

  readonly begin = (): void => assert.equal(this.sent, '');
  readonly drained = (): Promise<void> => Promise.resolve();

  write(text: string): void {
    assert.ok(!this.ended, 'nothing is written after the end');
    this.sent += text;
  }

  end(): void {
    assert.ok(this.sent.endsWith('data: [DONE]\n\n'));
    this.ended = true;
  }

  destroy(): void {
    this.isConnected = false;
  }
}

/** What the session must be in, by the interface's table alone. */
interface Model {
  run: RunState | undefined;
  connected: boolean;
  /** Ms until the deadline of the question. */
  left: number;
}

const STEPS = [
  'stall',
  'ask permission',
  'hello',
  'answer',
  'nonsense',
  'leave',
  'end',
  'wait',
] as const;
type StepName = (typeof STEPS)[number];

class Walk {
  readonly clock = new FakeClock();
  readonly conversations = new Conversations({
    clock: this.clock,
    random: seededRandom('walk'),
    limits: {
      keepaliveMs: KEEPALIVE_MS,
      interactionDeadlineMs: DEADLINE_MS,
      requestBudgetMs: 60_000,
      retentionBytes: 1_000,
      chunkMs: 0,
    },
    maxPausedRuns: 10,
    unknownSession: 'started',
    brain: scriptedBrain,
    canUseSecret: () => false,
  });
  readonly intern = { id: 'intern_ada', name: 'ada', status: 'running', model: null } as Intern;
  readonly model: Model = { run: undefined, connected: true, left: 0 };
  #client = new FakeClient();
  #call = 'call_none';

  async take(step: StepName): Promise<void> {
    const { model } = this;
    switch (step) {
      case 'stall':
      case 'ask permission':
      case 'hello':
        return this.#prompt(step);
      case 'answer':
      case 'nonsense':
        return this.#reply(step);
      case 'leave':
        this.#client.destroy();
        model.connected = false;
        return;
      case 'end':
        this.conversations.findRun(SESSION)?.end();
        if (this.#isOpen()) model.run = 'ended';
        return;
      case 'wait':
        this.clock.advance(KEEPALIVE_MS);
        model.left -= KEEPALIVE_MS;
        if (model.run === 'streaming' && !model.connected) model.run = 'cancelled';
        if (model.run === 'paused' && model.left <= 0) model.run = 'cancelled';
    }
  }

  check(): void {
    const session = this.conversations.list()[0];
    assert.equal(session?.run, this.model.run);
    assert.equal(session?.pending.length ?? 0, this.model.run === 'paused' ? 1 : 0);
    assert.equal(this.clock.waiting, this.#isOpen() ? 1 : 0, 'one timer an open run, else none');
  }

  #isOpen(): boolean {
    return this.model.run === 'streaming' || this.model.run === 'paused';
  }

  async #prompt(text: 'stall' | 'ask permission' | 'hello'): Promise<void> {
    const client = new FakeClient();
    const request = { kind: 'prompt', sessionId: SESSION, mode: 'manual', text } as const;
    const refusal = await this.#try(this.conversations.prompt(this.intern, request, client));
    if (this.#isOpen()) {
      assert.equal(refusal, 'busy');
      assert.equal(client.sent, '');
      return;
    }
    assert.equal(refusal, undefined);
    this.#client = client;
    this.model.connected = true;
    this.model.run = text === 'hello' ? 'completed' : text === 'stall' ? 'streaming' : 'paused';
    if (this.model.run !== 'paused') return;
    this.model.left = DEADLINE_MS;
    this.#call = this.conversations.list()[0]!.pending[0]!;
  }

  async #reply(step: 'answer' | 'nonsense'): Promise<void> {
    const client = new FakeClient();
    const content = step === 'answer' ? 'allow_once' : 'nonsense';
    const request = { kind: 'reply', sessionId: SESSION, toolCallId: this.#call, content } as const;
    const refusal = await this.#try(this.conversations.reply(this.intern, request, client));
    if (this.model.run === 'paused' && step === 'answer') {
      assert.equal(refusal, undefined);
      assert.ok(client.ended);
      this.model.run = 'completed';
    } else {
      const unknown =
        this.#call === 'call_none' ? 'interaction_unknown' : 'interaction_not_pending';
      assert.equal(refusal, this.model.run === 'paused' ? 'bad_request' : unknown);
      assert.equal(client.sent, '');
    }
  }

  /** The reason of a refusal, or undefined once the response is over or goes on by itself. */
  async #try(work: Promise<void>): Promise<string | undefined> {
    const goesOn = new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));
    try {
      await Promise.race([work, goesOn]);
      return undefined;
    } catch (error) {
      assert.ok(error instanceof Problem);
      return error.reason;
    }
  }
}

describe('service conversations', () => {
  it('follow the table of a run through any order of prompts, answers, disconnects and waits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 30 }), async (steps) => {
        const walk = new Walk();
        for (const step of steps) {
          await walk.take(step);
          walk.check();
        }
        walk.conversations.dispose();
        assert.equal(walk.clock.waiting, 0);
      }),
    );
  });
});
