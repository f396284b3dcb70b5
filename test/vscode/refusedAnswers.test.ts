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
import type { Screen } from './support/screen.ts';
import { eventually } from '../harness/until.ts';

const badRequest: Fault = {
  kind: 'respond',
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    error: {
      code: 400,
      message: 'These are the words of the service.',
      metadata: { reason: 'bad_request' },
    },
  }),
};

// For all responses see test/unit/conversation/answerFates.test.ts.
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

  it('no file contains the key or a value of an answer, even if the service quotes it', async () => {
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
    assert.doesNotMatch(texts.join(), /hunter2|admin|test-key/);
    assert.doesNotMatch(window.log.lines.join(), /hunter2|admin|test-key/);
  });

  it('an answer uses the new key after the key of the run was revoked', async () => {
    const conversation = await window.ask('ask permission');
    service.state.keys.revoke(window.key);
    await window.answer(/ada asks to use/, 'Allow once');
    await screen.waitForClosed();
    await eventually(() => screen.messages.length > 0);
    const [message] = screen.messages;
    assert.deepEqual(message!.buttons, ['Sign In', 'Answer', 'Show Conversation']);
    assert.equal(window.stands(conversation), 'refused');
    window.key = 'test-key-rotated';
    message!.press('Answer');
    await window.choose(/run_shell/, 'Allow once');
    await eventually(() => window.textOf(conversation).includes('`allow_once`'));
  });

  it('a dialog reopens with reason and values for a user who watches the chat', async () => {
    const conversation = await window.ask('ask name');
    window.watch(conversation);
    window.clock.advance(60_000);
    await screen.waitFor(/^name$/m);
    await screen.submit('Ada');
    await screen.waitFor(/What is your name\?/);
    service.faults.next('chat', badRequest);
    await window.choose(/./, 'Accept');
    // The refusal takes longer than the dialog would wait to open again.
    window.clock.advance(2_000);
    await eventually(() => screen.boxes.length > 2);
    await screen.waitFor(/What is your name\?.* · less than 4 minutes left$/m);
    assert.deepEqual(screen.rows.slice(1), [
      'Accept Sends these values to ada.',
      'name Ada',
      'Decline Declines ada’s question. No values are sent.',
      'Cancel the question Tells the intern not to expect an answer.',
    ]);
    assert.match(screen.rows[0]!, /These are the words of the service/);
    assert.deepEqual(screen.messages, []);
    await window.choose(/./, 'Accept');
    await eventually(() => window.textOf(conversation).includes('| name | string |'));
  });
});
