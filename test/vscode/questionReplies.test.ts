import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { INTERACTION_DEADLINE_MS } from '../../src/base/limits.ts';
import type { Conversation } from '../../src/conversation/conversation.ts';
import type { QuestionPart } from '../../src/conversation/messages.ts';
import { questionView } from '../../src/features/conversations/questionView.ts';
import type { Fault, Service } from '../service/service.ts';
import {
  useQuestionStage,
  type QuestionStage,
  type QuestionWindow,
} from './support/questionWindow.ts';
import type { Screen, ShownMessage } from './support/screen.ts';
import { eventually } from '../harness/until.ts';

/** A refusal of the service's, with the sentence that it gives. */
const sentence = 'These are the words of the service.';

function refusal(status: number, reason?: string): Fault {
  const metadata = reason === undefined ? {} : { metadata: { reason } };
  return {
    kind: 'respond',
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error: { code: status, message: sentence, ...metadata } }),
  };
}

describe('an answer that the service does not take', () => {
  let folder: string;
  let service: Service;
  let screen: Screen;
  let window: QuestionWindow;
  let open: QuestionStage['open'];
  useQuestionStage(
    { keepaliveMs: 200 },
    (stage) => ({ folder, service, screen, window, open } = stage),
  );

  /** Answers the permission that is asked, and waits until its user is told what became of that. */
  async function allow(label = 'Allow once'): Promise<ShownMessage> {
    await window.answer(/ada asks to use/, label);
    await screen.waitForClosed();
    await window.passUntil(() => screen.messages.length > 0);
    return screen.messages.shift()!;
  }

  /** The service refuses every answer. */
  const refuseAll = (status: number, reason?: string) => {
    service.faults.clear();
    service.faults.next('chat', ...Array.from({ length: 100 }, () => refusal(status, reason)));
  };

  // Every other response is in test/unit/support/answerFates.ts.
  it('is told in words of its own, and the question stays until it is answered', async () => {
    const conversation = await window.ask('ask permission');
    refuseAll(400, 'bad_request');
    const message = await allow();
    assert.equal(message.kind, 'error');
    assert.match(message.text, /These are the words of the service/);
    assert.deepEqual(message.buttons, ['Answer', 'Show Conversation']);
    assert.equal(window.stands(conversation), 'refused');
    service.faults.clear();
    message.press('Answer');
    await window.choose(/run_shell/, 'Reject once');
    await eventually(() => window.textOf(conversation).includes('`reject_once`'));
    assert.equal(window.questions.pendingQuestions.open().length, 0);
  });

  it('is told in words of its own, with a way to be asked again, if the question is over', async () => {
    const conversation = await window.ask('ask permission');
    refuseAll(409, 'interaction_not_pending');
    const message = await allow();
    assert.equal(message.kind, 'warning');
    assert.match(message.text, /answered already/);
    assert.equal(window.of(conversation), undefined);
    assert.equal(conversation.state.phase.kind, 'idle');
    message.press('Ask Again');
    await eventually(() => window.composed.length > 0);
    assert.match(window.composed[0]!, /run_shell/);
  });

  function questionOf({ transcript }: Conversation): QuestionPart {
    const { parts } = transcript.lastReply!;
    return parts.find((part): part is QuestionPart => part.kind === 'question')!;
  }

  const SAY_WHY = 'Reject and say why…';
  /** The prompts of a conversation, oldest first. */
  const prompts = ({ transcript }: Conversation) =>
    transcript.messages.flatMap((message) => (message.kind === 'prompt' ? [message.text] : []));

  it('rejects with a reason from any window: it is the next prompt, and nothing is sent where its box is left', async () => {
    const conversation = await window.ask('ask permission');
    const other = open('w2');
    await eventually(() => other.of(conversation) !== undefined);
    await other.answer(/run_shell/, SAY_WHY);
    await screen.waitFor(/^Reject “run_shell” and say why · less than/);
    screen.write('Use the tests');
    await screen.back();
    await screen.waitFor(/asks to use/);
    await screen.enter();
    await other.choose(/./, SAY_WHY);
    await screen.waitFor(/say why/);
    await screen.escape();
    await screen.waitForClosed();
    assert.equal(other.stands(conversation), 'open');
    await other.answer(/run_shell/, SAY_WHY);
    await screen.waitFor(/say why/);
    assert.equal(screen.value, 'Use the tests');
    screen.write('echo Use the tests');
    await screen.enter();
    await eventually(() => prompts(conversation).at(-1) === 'echo Use the tests');
    const [, first] = conversation.transcript.messages;
    assert.match(JSON.stringify(first), /You chose `reject_once`/);
    await eventually(() => conversation.transcript.lastReply?.state === 'done');
    assert.equal(prompts(conversation).length, 2);
  });

  it('never has its values on disk, although the service quotes them in what it says', async () => {
    const conversation = await window.ask('ask url');
    await window.run('interns.answer');
    await screen.waitFor(/^dsn$/m);
    screen.write('admin hunter2 at db.example');
    await screen.enter();
    await window.choose(/Which database/, 'Accept');
    await eventually(() => screen.messages.length > 0);
    const [refused] = screen.messages;
    assert.match(refused!.text, /is not a URL: "admin hunter2 at db\.…"/, 'its user reads why');
    refused!.press('Answer');
    await screen.waitFor(/Which database/);
    await window.choose(/./, 'dsn');
    await screen.waitFor(/^dsn$/m);
    screen.write('sql://admin:hunter2@nowhere');
    await screen.enter();
    await window.choose(/Which database/, 'Accept');
    await eventually(() => conversation.transcript.lastReply?.state === 'failed');
    await window.conversations.flush();
    const list = () => readdir(folder, { recursive: true, withFileTypes: true });
    // The mark of who owns the conversation goes once all is on disk.
    await eventually(async () => !(await list()).some(({ name }) => name.endsWith('.run')));
    const files = await list();
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
    assert.equal(texts.join().match(/withheld: it repeats what was sent/g)?.length, 2);
    assert.doesNotMatch(texts.join(), /hunter2|admin/);
    assert.doesNotMatch(window.log.lines.join(), /hunter2|admin/);
  });

  it('keeps the reason for a rejection that is refused: it stands in the box again, and is not sent with another answer', async () => {
    const conversation = await window.ask('ask permission');
    refuseAll(400, 'bad_request');
    await window.answer(/run_shell/, SAY_WHY);
    await screen.waitFor(/say why/);
    screen.write('Use the tests');
    await screen.enter();
    await window.passUntil(() => screen.messages.length > 0);
    assert.deepEqual(conversation.state.queue, []);
    service.faults.clear();
    screen.messages.shift()!.press('Answer');
    await window.choose(/run_shell/, SAY_WHY);
    await screen.waitFor(/say why/);
    assert.equal(screen.value, 'Use the tests');
    await screen.back();
    await window.choose(/asks to use/, 'Allow once');
    await eventually(() => conversation.transcript.lastReply?.state === 'done');
    assert.deepEqual(prompts(conversation), ['ask permission']);
  });

  it('is accepted with the key that its user signs in with after the run’s own was revoked', async () => {
    const conversation = await window.ask('ask permission');
    service.state.keys.revoke(window.key);
    const message = await allow();
    assert.deepEqual(message.buttons, ['Sign In', 'Answer', 'Show Conversation']);
    assert.equal(window.stands(conversation), 'refused');
    window.key = 'test-key-rotated';
    message.press('Answer');
    await window.choose(/run_shell/, 'Allow once');
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  it('is accepted with the key that its user signs in with after a reload lost the account’s', async () => {
    const { id } = await window.ask('ask permission');
    await window.close();
    window = open('w2');
    const opened = await window.conversations.open(window.account, id);
    const { conversation } = opened!;
    await eventually(() => window.of(conversation) !== undefined);
    window.key = '';
    const message = await allow();
    assert.match(message.text, /needs its API key again/);
    window.key = 'test-key-owner';
    message.press('Answer');
    await window.choose(/run_shell/, 'Allow once');
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  for (const [reason, isListed] of [
    ['turn_failed', true],
    ['busy', false],
  ] as const)
    it(`is ${isListed ? '' : 'not '}listed as one that may allow after ${reason} in its stream`, async () => {
      const conversation = await window.ask(`ask refused ${reason} 100`);
      const message = await allow('Allow always');
      assert.deepEqual(message.buttons, ['Answer', 'Show Conversation']);
      assert.equal(window.stands(conversation), 'refused');
      assert.equal(message.text.includes('may have been received'), isListed);
      await eventually(
        async () => (await window.questions.allowed.list()).length === (isListed ? 1 : 0),
      );
    });

  it('may have been received when the run ends on it, and is listed as that', async () => {
    const conversation = await window.ask('ask then fail run_ended');
    const message = await allow('Allow always');
    assert.match(message.text, /^Your answer to ada may have been received\./);
    assert.match(questionView(questionOf(conversation), true).stateText, /may have been received/);
    const allowed = await window.questions.allowed.list();
    assert.deepEqual(
      allowed.map(({ operation, isUnclear }) => [operation, isUnclear]),
      [['run_shell', true]],
    );
  });

  it('is listed as received once the service has taken it', async () => {
    const conversation = await window.ask('ask permission');
    await window.answer(/ada asks to use/, 'Allow always');
    await eventually(() => conversation.transcript.lastReply?.state === 'done');
    await eventually(async () => {
      const allowed = await window.questions.allowed.list();
      return allowed.length === 1 && allowed[0]?.isUnclear === undefined;
    });
  });

  it('is not listed when a later answer to the same question is taken', async () => {
    const conversation = await window.ask('ask permission always');
    refuseAll(500);
    const message = await allow('Allow always');
    assert.equal((await window.questions.allowed.list()).length, 1);
    service.faults.clear();
    message.press('Answer');
    await screen.waitFor(/asks to use/);
    assert.match(
      screen.rows.join('\n'),
      /Your earlier answer \(Allow always\) may have been received/,
    );
    await window.choose(/asks to use/, 'Reject once');
    await eventually(() => conversation.transcript.lastReply?.state === 'done');
    await eventually(async () => (await window.questions.allowed.list()).length === 0);
  });

  it('says why a stopped intern refuses the cancellation, and lets a prompt pass', async () => {
    const conversation = await window.ask('ask permission');
    service.state.setIntern('intern_ada', { status: 'stopped' });
    window.clock.advance(INTERACTION_DEADLINE_MS);
    conversation.send({ type: 'submit', prompt: { text: 'help', sent: 'help', attachments: [] } });
    conversation.send({ type: 'cancel-and-send' });
    await eventually(() => conversation.state.questions[0]?.failure?.kind === 'not-ready');
    conversation.send({ type: 'give-up-and-send' });
    await eventually(() => prompts(conversation).at(-1) === 'help');
  });

  it('comes back by itself before a user who watches, with the reason, the values, and the time that is left', async () => {
    const conversation = await window.ask('ask name');
    window.watch(conversation);
    window.clock.advance(60_000);
    await screen.waitFor(/^name$/m);
    screen.write('Ada');
    await screen.enter();
    await screen.waitFor(/What is your name\?/);
    refuseAll(400, 'bad_request');
    await window.choose(/./, 'Accept');
    // The refusal takes longer than the dialog would wait to open again.
    window.clock.advance(2_000);
    await window.passUntil(() => screen.boxes.length > 2);
    await screen.waitFor(/What is your name\?.* · less than 4 minutes left$/m);
    assert.deepEqual(screen.rows.slice(1), [
      'Accept Sends these values to ada.',
      'name Ada',
      'Decline Tells ada no. No value is sent.',
      'Cancel the question Tells the intern that there will be no answer.',
    ]);
    assert.match(screen.rows[0]!, /These are the words of the service/);
    assert.deepEqual(screen.messages, []);
    service.faults.clear();
    await window.choose(/./, 'Accept');
    await eventually(() => window.textOf(conversation).includes('| name | string |'));
  });

  it('leaves the question to be tried again where the network stays away past its time', async () => {
    const conversation = await window.ask('ask permission');
    window.offline = true;
    const isOffline = ({ text }: ShownMessage) => text.includes('There is no connection');
    const first = await allow();
    await window.passUntil(() => [first, ...screen.messages].some(isOffline));
    const message = [first, ...screen.messages].find(isOffline)!;
    window.clock.advance(INTERACTION_DEADLINE_MS);
    assert.equal(window.stands(conversation), 'refused, late');
    window.offline = false;
    message.press('Answer');
    await window.choose(/time is up/, 'Allow once');
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  it('is told apart from an earlier one that may have been received, which stays listed', async () => {
    const conversation = await window.ask('ask permission always');
    service.faults.next('chat', { kind: 'cut', afterBytes: 0 }, refusal(400, 'bad_request'));
    const refused = await allow('Allow always');
    assert.match(refused.text, /^Your answer to ada may have been received/);
    const message = await allow('Reject once');
    assert.match(
      message.text,
      /Your earlier answer to ada \(Allow always\) may have been received/,
    );
    assert.doesNotMatch(message.text, /does not count/);
    assert.equal(window.of(conversation), undefined);
    await eventually(async () => (await window.questions.allowed.list()).length === 1);
  });
});
