import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { INTERACTION_DEADLINE_MS } from '../../src/base/limits.ts';
import type { Conversation } from '../../src/conversation/conversation.ts';
import { COUNTED_MS } from '../../src/conversation/questions/pendingQuestions.ts';
import type { QuestionPart } from '../../src/conversation/messages.ts';
import type { Service } from '../service/service.ts';
import type { FakeClock } from '../unit/support/fakeClock.ts';
import {
  useQuestionStage,
  type QuestionStage,
  type QuestionWindow,
} from './support/questionWindow.ts';
import type { Screen } from './support/screen.ts';
import { eventually } from '../harness/until.ts';

describe('a window that goes away', () => {
  let folder: string;
  let service: Service;
  let screen: Screen;
  let clock: FakeClock;
  let window: QuestionWindow;
  let open: QuestionStage['open'];
  useQuestionStage(
    { keepaliveMs: 200 },
    (stage) => ({ folder, service, screen, clock, window, open } = stage),
  );

  /** The window is closed, so many ms pass, and the next one has read what there is. */
  async function reload(awayMs = 0): Promise<void> {
    await window.close();
    clock.advance(awayMs);
    window = open('w2');
    await window.questions.pendingQuestions.synchronize();
  }

  async function again({ id }: Conversation): Promise<Conversation> {
    const found = await window.conversations.open(window.account, id);
    assert.ok(found);
    return found.conversation;
  }

  const question = ({ transcript }: Conversation) =>
    transcript.lastReply!.parts.find((part): part is QuestionPart => part.kind === 'question')!;

  const allow = (words: RegExp) => window.answer(words, 'Allow once');

  it('while a question is pending: it is asked with the time that is left, and the answer goes on with the stream', async () => {
    const before = await window.ask('ask permission');
    await reload(100_000);
    assert.match(screen.statusItems.at(-1)!.text, /1 question · 3:20$/);
    await allow(/run_shell” · less than 4 minutes left$/m);
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

  it('until the time is up: that is said, and an answer may still be tried', async () => {
    const before = await window.ask('ask permission');
    await reload(INTERACTION_DEADLINE_MS + 1_000);
    assert.equal(window.stands(before), 'open, late');
    assert.match(screen.messages.at(-1)!.text, /You can still try/);
    await allow(/run_shell” · time is up/);
    const conversation = await again(before);
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  it('until the time was up long ago: nothing tells of it, and its card can still answer', async () => {
    const before = await window.ask('ask permission');
    const told = screen.messages.length;
    await reload(2 * COUNTED_MS);
    const conversation = await again(before);
    assert.equal(conversation.state.phase.kind, 'paused');
    assert.equal(screen.messages.length, told);
    assert.equal(window.badge, undefined);
    const { intern } = conversation.transcript;
    const named = { intern, conversation: conversation.id, question: question(conversation).id };
    await window.run('interns.answer', named);
    await window.choose(/run_shell” · time is up/, 'Allow once');
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  for (const isReceived of [true, false])
    it(`while it sends an answer that the service ${isReceived ? 'takes' : 'never gets'}: the question is asked again, and the service decides`, async () => {
      const before = await window.ask('ask permission');
      service.faults.next('chat', isReceived ? { kind: 'cut', afterBytes: 0 } : { kind: 'hang' });
      await allow(/run_shell/);
      await eventually(() => question(before).stage === 'sending');
      // The request is on its way: one that is cut off before would leave its fault for the next answer.
      await eventually(() => service.faults.size === 0);
      if (isReceived)
        await eventually(() => service.state.session(before.transcript.session!)?.run !== 'paused');
      const owner = await ownerFile();
      await window.close();
      await eventually(async () => (await owners()).length === 0);
      await forgeDeath(owner);
      window = open('w2');
      await window.questions.pendingQuestions.synchronize();
      await allow(/run_shell/);
      const conversation = await again(before);
      if (isReceived) {
        await window.passUntil(() => screen.messages.length > 0);
        assert.match(screen.messages[0]!.text, /may have been received/);
        assert.equal(question(conversation).ending, 'maybe-answered');
      } else {
        await eventually(() => window.textOf(conversation).includes('`allow_once`'));
        assert.deepEqual(screen.messages, []);
      }
      const heads = () => window.conversations.list(window.account);
      await eventually(async () => (await heads()).every((head) => head.question === undefined));
      await eventually(async () => (await owners()).length === 0);
    });

  const owners = async () =>
    (await readdir(join(folder, 'conversations'))).filter((name) => name.endsWith('.run'));

  /** Has the owner be a process that is gone, as those of a window that was killed are: this test's own lives on. */
  async function forgeDeath(owner: {
    readonly name: string;
    readonly text: string;
  }): Promise<void> {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const dead = { ...(JSON.parse(owner.text) as object), pid };
    await writeFile(join(folder, 'conversations', owner.name), JSON.stringify(dead));
  }

  /** The owner of the one conversation, as its file tells. */
  async function ownerFile(): Promise<{ readonly name: string; readonly text: string }> {
    const [name, ...others] = await owners();
    assert.ok(name !== undefined && others.length === 0);
    return { name, text: await readFile(join(folder, 'conversations', name), 'utf8') };
  }
});
