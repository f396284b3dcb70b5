import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '../../src/chat/conversation.ts';
import { EXPIRED_KEPT_MS } from '../../src/chat/questions/broker.ts';
import { ANSWER_TIME_MS } from '../../src/chat/questions/countdown.ts';
import type { QuestionPart } from '../../src/chat/transcript.ts';
import { GUARD_MS } from '../../src/host/questions/guardedPick.ts';
import { startService, type Service } from '../service/service.ts';
import { FakeClock } from '../unit/support/fakeClock.ts';
import { QuestionWindow } from './support/questionWindow.ts';
import { Screen } from './support/screen.ts';
import { eventually } from './support/workspace.ts';

describe('a window that goes away', () => {
  let folder: string;
  let service: Service;
  let screen: Screen;
  let clock: FakeClock;
  let window: QuestionWindow;

  const open = (id: string) => {
    window = new QuestionWindow({ service, folder, window: id, clock });
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'interns-'));
    service = await startService({ keepaliveMs: 200 });
    screen = new Screen();
    clock = new FakeClock(Date.now());
    open('w1');
  });

  afterEach(async () => {
    await screen.dispose();
    await window.close();
    service.faults.clear();
    await service.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** The window is closed, so many ms pass, and the next one has read what there is. */
  async function reload(awayMs = 0): Promise<void> {
    await window.close();
    clock.advance(awayMs);
    open('w2');
    await window.questions.broker.synchronize();
  }

  async function again({ id }: Conversation): Promise<Conversation> {
    const found = await window.conversations.get(window.account, id);
    assert.ok(found);
    return found.conversation;
  }

  const question = ({ transcript }: Conversation) =>
    transcript.lastReply!.parts.find((part): part is QuestionPart => part.kind === 'question')!;

  async function allow(words: RegExp): Promise<void> {
    await window.run('interns.answer');
    await screen.waitFor(words);
    clock.advance(GUARD_MS);
    await screen.choose('Allow once');
  }

  it('while a question is pending: it is asked with the time that is left, and the answer goes on with the stream', async () => {
    const before = await window.ask('ask permission');
    await reload(100_000);
    assert.match(screen.statusItems.at(-1)!.text, /1 question · 3:20$/);
    await allow(/run_shell · 3:20$/m);
    const conversation = await again(before);
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  it('while a dialog is open: it does not outlive its window, and the question is asked again', async () => {
    const before = await window.ask('ask permission');
    await window.run('interns.answer');
    await screen.waitFor(/run_shell/);
    await reload();
    await screen.waitForClosed();
    await allow(/run_shell/);
    const conversation = await again(before);
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  it('after a refused answer: the question is asked again', async () => {
    const before = await window.ask('ask permission');
    const error = { error: { code: 400, message: 'No.', metadata: { reason: 'bad_request' } } };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(error);
    service.faults.next('chat', { kind: 'respond', status: 400, headers, body });
    await allow(/run_shell/);
    await eventually(() => screen.messages.length > 0);
    await reload();
    await allow(/run_shell/);
    const conversation = await again(before);
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  it('until the time is up: that is said, and an answer may still be tried', async () => {
    const before = await window.ask('ask permission');
    await reload(ANSWER_TIME_MS + 1_000);
    assert.equal(window.of(before)?.state, 'expired');
    assert.match(screen.messages.at(-1)!.text, /You can still try/);
    await allow(/run_shell · time is up/);
    const conversation = await again(before);
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  it('until the time was up long ago: nothing is asked, and the conversation says so', async () => {
    const before = await window.ask('ask permission');
    await reload(ANSWER_TIME_MS + EXPIRED_KEPT_MS);
    const conversation = await again(before);
    await eventually(() => question(conversation).why === 'expired');
    assert.equal(conversation.state.phase.kind, 'idle');
    assert.deepEqual(window.questions.broker.open(), []);
  });

  for (const isReceived of [true, false])
    it(`while it sends an answer that the service ${isReceived ? 'takes' : 'never gets'}: the question is asked again, and the service decides`, async () => {
      const before = await window.ask('ask permission');
      service.faults.next('chat', isReceived ? { kind: 'cut', afterBytes: 0 } : { kind: 'hang' });
      await allow(/run_shell/);
      await eventually(() => question(before).state === 'answering');
      if (isReceived)
        await eventually(() => service.state.session(before.state.session!)?.run !== 'paused');
      await window.close();
      await forgeDeath();
      open('w2');
      await window.questions.broker.synchronize();
      await allow(/run_shell/);
      const conversation = await again(before);
      if (isReceived) {
        await window.passUntil(() => screen.messages.length > 0);
        assert.match(screen.messages[0]!.text, /was probably received/);
        assert.equal(question(conversation).why, 'maybe-answered');
      } else {
        await eventually(() => window.textOf(conversation).includes('`allow_once`'));
        assert.deepEqual(screen.messages, []);
      }
      const isLeft = (name: string) => name.endsWith('.json') || name.endsWith('.claim');
      await eventually(async () => !(await readdir(join(folder, 'questions'))).some(isLeft));
    });

  /** Has the claims name a process that is gone, as those of a window that was killed do: this test's own lives on. */
  async function forgeDeath(): Promise<void> {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const claims = (await readdir(join(folder, 'questions'))).filter((name) =>
      name.endsWith('.claim'),
    );
    assert.equal(claims.length, 1, 'the claim of the window that was answering is left');
    const path = join(folder, 'questions', claims[0]!);
    const owner = JSON.parse(await readFile(path, 'utf8')) as object;
    await writeFile(path, JSON.stringify({ ...owner, pid }));
  }
});
