import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Conversation } from '../../src/conversation/conversation.ts';
import type { Fault, Service } from '../service/service.ts';
import {
  useQuestionStage,
  type QuestionStage,
  type QuestionWindow,
} from './support/questionWindow.ts';
import type { Screen, ShownMessage } from './support/screen.ts';
import { eventually } from '../harness/until.ts';

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

describe('answers that the service refuses', () => {
  let folder: string;
  let service: Service;
  let screen: Screen;
  let window: QuestionWindow;
  let open: QuestionStage['open'];
  useQuestionStage(
    { keepaliveMs: 200 },
    (stage) => ({ folder, service, screen, window, open } = stage),
  );

  /** Answers the permission, and returns the message on its outcome. */
  async function allow(label = 'Allow once'): Promise<ShownMessage> {
    await window.answer(/ada asks to use/, label);
    await screen.waitForClosed();
    await window.passUntil(() => screen.messages.length > 0);
    return screen.messages.shift()!;
  }

  /** Answers again by the button of a message, with another key. */
  async function answerWith(key: string, message: ShownMessage, conversation: Conversation) {
    window.key = key;
    message.press('Answer');
    await window.choose(/run_shell/, 'Allow once');
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  }

  const refuseAll = (status: number, reason?: string) => {
    service.faults.clear();
    service.faults.next('chat', ...Array.from({ length: 100 }, () => refusal(status, reason)));
  };

  // For all responses see test/unit/features/questions/answerFates.test.ts.
  it('a dialog offers to ask again if the question was already closed', async () => {
    const conversation = await window.ask('ask permission');
    refuseAll(409, 'interaction_not_pending');
    const message = await allow();
    assert.equal(message.kind, 'warning');
    assert.match(message.text, /already answered/);
    assert.equal(window.of(conversation), undefined);
    assert.equal(conversation.state.phase.kind, 'idle');
    message.press('Ask Again');
    await eventually(() => window.composed.length > 0);
    assert.match(window.composed[0]!, /run_shell/);
  });

  const SAY_WHY = 'Reject and say why…';
  /** The prompts of a conversation, oldest first. */
  const prompts = ({ transcript }: Conversation) =>
    transcript.messages.flatMap((message) => (message.kind === 'prompt' ? [message.text] : []));

  it('the reason of a rejection goes out as the next prompt', async () => {
    const conversation = await window.ask('ask permission');
    const other = open('w2');
    await eventually(() => other.of(conversation) !== undefined);
    await other.answer(/run_shell/, SAY_WHY);
    await screen.waitFor(/^Reject “run_shell” and say why · less than/);
    screen.write('Use the tests');
    await screen.escape();
    await screen.waitForClosed();
    assert.equal(other.stands(conversation), 'open');
    await other.answer(/run_shell/, SAY_WHY);
    await screen.waitFor(/say why/);
    assert.equal(screen.value, 'Use the tests');
    await screen.submit('echo Use the tests');
    await eventually(() => prompts(conversation).at(-1) === 'echo Use the tests');
    const [, first] = conversation.transcript.messages;
    assert.match(JSON.stringify(first), /You chose `reject_once`/);
    await eventually(() => conversation.transcript.lastReply?.state === 'done');
    assert.equal(prompts(conversation).length, 2);
  });

  it('no file contains a value of an answer, even if the service quotes it', async () => {
    const conversation = await window.ask('ask url');
    await window.openDialog(/^dsn$/m);
    await screen.submit('admin hunter2 at db.example');
    await window.choose(/Which database/, 'Accept');
    await eventually(() => screen.messages.length > 0);
    const [refused] = screen.messages;
    assert.match(refused!.text, /is not a URL: "admin hunter2 at db\.…"/);
    refused!.press('Answer');
    await screen.waitFor(/Which database/);
    await window.choose(/./, 'dsn');
    await screen.waitFor(/^dsn$/m);
    await screen.submit('sql://admin:hunter2@nowhere');
    await window.choose(/Which database/, 'Accept');
    await eventually(() => conversation.transcript.lastReply?.state === 'failed');
    await window.conversations.flush();
    const list = () => readdir(folder, { recursive: true, withFileTypes: true });
    // The owner file is removed once all is on disk.
    await eventually(async () => !(await list()).some(({ name }) => name.endsWith('.run')));
    const files = await list();
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
    assert.equal(texts.join().match(/withheld: it repeats what was sent/g)?.length, 2);
    assert.doesNotMatch(texts.join(), /hunter2|admin/);
    assert.doesNotMatch(window.log.lines.join(), /hunter2|admin/);
  });

  it('an answer uses the new key after the key of the run was revoked', async () => {
    const conversation = await window.ask('ask permission');
    service.state.keys.revoke(window.key);
    const message = await allow();
    assert.deepEqual(message.buttons, ['Sign In', 'Answer', 'Show Conversation']);
    assert.equal(window.stands(conversation), 'refused');
    await answerWith('test-key-rotated', message, conversation);
  });

  it('an answer uses the new key after a reload lost the key of the account', async () => {
    const { id } = await window.ask('ask permission');
    await window.close();
    window = open('w2');
    const opened = await window.conversations.open(window.account, id);
    const { conversation } = opened!;
    await eventually(() => window.of(conversation) !== undefined);
    window.key = '';
    const message = await allow();
    assert.match(message.text, /API key is missing/);
    await answerWith('test-key-owner', message, conversation);
  });

  it('the list removes an unclear answer once a later one is accepted', async () => {
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

  it('a dialog reopens with reason and values for a user who watches the chat', async () => {
    const conversation = await window.ask('ask name');
    window.watch(conversation);
    window.clock.advance(60_000);
    await screen.waitFor(/^name$/m);
    await screen.submit('Ada');
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
      'Decline Declines ada’s question. No values are sent.',
      'Cancel the question Tells the intern not to expect an answer.',
    ]);
    assert.match(screen.rows[0]!, /These are the words of the service/);
    assert.deepEqual(screen.messages, []);
    service.faults.clear();
    await window.choose(/./, 'Accept');
    await eventually(() => window.textOf(conversation).includes('| name | string |'));
  });

  it('the list keeps an unclear answer when a later one is refused', async () => {
    const conversation = await window.ask('ask permission always');
    service.faults.next('chat', { kind: 'cut', afterBytes: 0 }, refusal(400, 'bad_request'));
    const refused = await allow('Allow always');
    assert.match(refused.text, /^Your answer to ada may have been received/);
    const message = await allow('Reject once');
    assert.match(
      message.text,
      /Your earlier answer to ada \(Allow always\) may have been received/,
    );
    assert.doesNotMatch(message.text, /wasn’t used/);
    assert.equal(window.of(conversation), undefined);
    await eventually(async () => (await window.questions.allowed.list()).length === 1);
  });
});
