import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { composePrompt, type ContextItem } from '../../../../src/conversation/attachments.ts';
import { PromptSender } from '../../../../src/features/chatPanel/prompts/promptSender.ts';
import { selecting, SenderFixture } from '../../support/senderFixture.ts';

const item: ContextItem = { source: 'src/a.ts', language: 'ts', text: 'const a = 1;\n' };

const selfDriveTerms = ['This Prompt Only', '30 Minutes', 'Until Switched Off'];

describe('the composer of a conversation', () => {
  it('attachments that are still being read go out once, with the prompt that waits for them', async () => {
    const fixture = new SenderFixture();
    const { stage, sender } = fixture;
    let done = (): void => undefined;
    const reading = new Promise<void>((resolve) => (done = resolve));
    fixture.context.whenSettled = () => reading;
    const sent = [sender.submit('First'), sender.submit('Second')];
    fixture.attached.push(item);
    done();
    await Promise.all(sent);
    const { lastPrompt } = stage.conversation.transcript;
    assert.equal(lastPrompt?.sent, composePrompt('First', [item]).sent);
    assert.deepEqual(stage.queued, ['Second']);
  });

  it('the user tells the intern once that its question was not answered', async () => {
    const fixture = new SenderFixture();
    const { stage, sender, attached } = fixture;
    await sender.submit('Go');
    stage.conversation.record({ type: 'unanswered', then: 'refuse' });
    await stage.last.open().ask().taken();
    const { id } = stage.asked[0]!;
    void stage.conversation.applyUnansweredPolicy(id);
    await stage.settle();
    await stage.last.open().say({ kind: 'text', text: 'Well' }).taken();
    attached.push(item);
    await Promise.all([sender.reportUnanswered(id), sender.reportUnanswered(id)]);
    assert.equal(stage.state.queue.length, 1, 'it waits for the end of the run');
    await stage.finish();
    const told = /^Your question \(“shell”\) wasn’t answered\. It was rejected automatically/;
    assert.match(fixture.lastSent, told);
    assert.deepEqual(attached, [item]);
    stage.reload();
    assert.equal(stage.conversation.transcript.question(id)?.isReportedToIntern, true);
    await sender.reportUnanswered(id);
    assert.equal(stage.state.queue.length, 0);
  });

  it('a prompt stays the draft while the user is asked about self-drive', async () => {
    const { stage, sender, draft } = new SenderFixture();
    selecting('Keep Manual');
    stage.setMode('self-drive');
    const sent = sender.submit('rebuild it');
    assert.equal(draft.text, 'rebuild it');
    await sent;
    assert.equal(draft.text, '');
    sender.saveDraft('while it runs');
    assert.equal(draft.text, 'while it runs');
    assert.equal(stage.exchanges.length, 1);
  });

  it('a prompt leaves the draft that the user has written since', async () => {
    const fixture = new SenderFixture();
    const { sender } = fixture;
    fixture.today = { spent: 2, limit: 1 };
    selecting(undefined, undefined, 'Send Anyway');
    const sent = sender.submit('one');
    sender.saveDraft('mine');
    await sent;
    assert.deepEqual([fixture.composed, fixture.composedWhere], [['one'], 'append']);
    sender.saveDraft('');
    await sender.submit('two');
    assert.deepEqual([fixture.composed, fixture.composedWhere], [['one', 'two'], 'replace']);
    const last = sender.submit('three');
    sender.saveDraft('mine');
    await last;
    assert.deepEqual([fixture.lastSent, fixture.draft.text], ['three', 'mine']);
  });

  it('selecting self-drive asks each time how long it lasts', async () => {
    const { stage, sender } = new SenderFixture();
    const asked = selecting(undefined, 'Keep Manual', ...selfDriveTerms);
    const seen: unknown[] = [];
    for (let time = 0; time < 5; time++) {
      await sender.setMode('self-drive');
      const { mode, selfDriveLimit: limit } = stage.state;
      seen.push([mode, typeof limit === 'number' ? 'a moment' : limit]);
    }
    assert.deepEqual(seen, [
      ['manual', null],
      ['manual', null],
      ['self-drive', 'this-prompt'],
      ['self-drive', 'a moment'],
      ['self-drive', null],
    ]);
    for (const { buttons } of asked) assert.deepEqual(buttons, ['Keep Manual', ...selfDriveTerms]);
    await sender.submit('one');
    assert.equal(asked.length, 5, 'the prompt asks nothing again');
    assert.equal(stage.reply.mode, 'self-drive');
    assert.equal(stage.conversation.transcript.consented, true);
  });

  it('the first prompt asks about self-drive if new conversations start in it', async () => {
    const { stage, sender, composed } = new SenderFixture();
    const asked = selecting(undefined, 'This Prompt Only', 'This Prompt Only');
    stage.setMode('self-drive');
    await sender.submit('one');
    assert.deepEqual([composed, stage.exchanges.length], [['one'], 0]);
    await sender.submit('one');
    await stage.settle();
    await stage.finish();
    await sender.submit('two');
    await stage.finish();
    const sent = stage.exchanges.map(({ chat }) => chat.kind === 'prompt' && chat.approvalMode);
    assert.deepEqual([sent, asked.length], [['self-drive', 'manual'], 2]);
  });

  it('a prompt goes out in manual mode if the user keeps it or does not trust the folder', async () => {
    for (const isTrusted of [true, false]) {
      const { stage, sender } = new SenderFixture();
      const asked = selecting('Keep Manual');
      Object.assign(vscode.workspace, { isTrusted });
      stage.setMode('self-drive');
      await sender.submit('one');
      assert.deepEqual([stage.reply.mode, stage.state.mode], ['manual', 'manual']);
      if (isTrusted) assert.equal(asked.length, 1);
      else {
        await sender.setMode('self-drive');
        assert.deepEqual([stage.state.mode, asked.length], ['manual', 0]);
      }
    }
  });

  it('the user consents to self-drive until it is switched off only once', async () => {
    const { stage, run } = new SenderFixture();
    const asked = selecting('Until Switched Off');
    stage.setMode('self-drive');
    await run('one');
    await run('two');
    assert.deepEqual([stage.reply.mode, asked.length], ['self-drive', 1]);
  });

  it('new, repeated and queued prompts ask the user once the cost limit is reached', async () => {
    const { stage, sender, composed, requests } = new SenderFixture();
    const asked = selecting(...Array.from({ length: 3 }, () => [undefined, 'Send Anyway']).flat());
    stage.conversation.record({ type: 'cost-limit', usd: 1 });
    await sender.submit('one');
    await sender.submit('two');
    await stage.finish('session-1', 1.5);
    assert.deepEqual([asked.length, requests()], [0, 1]);
    const tries = [
      () => sender.submit('three'),
      () => sender.retry(undefined),
      () => sender.sendWaiting('send-now'),
    ];
    for (const [index, attempt] of tries.entries()) {
      await attempt();
      assert.deepEqual([asked.length, requests()], [2 * index + 1, index + 1]);
      await attempt();
      assert.deepEqual([asked.length, requests()], [2 * index + 2, index + 2]);
      await stage.finish('session-1', 0.25);
    }
    assert.deepEqual(composed, ['three']);
    const [first] = asked;
    assert.deepEqual(first?.buttons, ['Send Anyway']);
    assert.match(first.detail, /\$1\.50 of \$1\.00.*known only when a run ends/u);
  });

  it('a prompt asks the user once the cost limit of the day is reached', async () => {
    const fixture = new SenderFixture();
    const asked = selecting(undefined, 'Send Anyway');
    fixture.today = { spent: 5, limit: 5 };
    await fixture.sender.submit('one');
    assert.deepEqual([fixture.composed, fixture.requests()], [['one'], 0]);
    await fixture.sender.submit('one');
    assert.deepEqual([fixture.requests(), fixture.edits], [1, 0]);
    assert.match(asked[0]?.detail ?? '', /\$5\.00 of \$5\.00 today.*aren’t counted/u);
  });

  it('Stop and Send asks first if the intern would not remember the run', async () => {
    const { stage, sender, composed, requests } = new SenderFixture();
    const asked = selecting(undefined, 'Stop and Send');
    await sender.submit('one');
    await sender.submit('two', true);
    assert.deepEqual([composed, requests(), asked.length], [['two'], 1, 1]);
    await sender.submit('two', true);
    assert.deepEqual([requests(), asked.length], [2, 2]);
    await stage.finish();
    await sender.submit('three');
    await sender.submit('four', true);
    assert.deepEqual([requests(), asked.length], [4, 2]);
  });

  it('Stop and Send of a queued prompt asks first if the intern would not remember the run', async () => {
    const { stage, sender, requests } = new SenderFixture();
    const asked = selecting(undefined, 'Stop and Send');
    await sender.submit('one');
    await sender.submit('two');
    const id = stage.state.queue[0]!.id;
    await sender.stopAndSendQueued(id);
    assert.deepEqual([stage.queued, requests(), asked.length], [['two'], 1, 1]);
    await sender.stopAndSendQueued(id);
    assert.deepEqual([stage.queued, requests(), asked.length], [[], 2, 2]);
  });

  it('a question stays open if the user does not send the waiting prompt over the cost limit', async () => {
    const fixture = new SenderFixture();
    const { stage, sender, requests } = fixture;
    selecting();
    await sender.submit('one');
    await stage.last.open().ask().taken();
    await sender.submit('two');
    fixture.today = { spent: 5, limit: 5 };
    await sender.sendWaiting('cancel-and-send');
    await stage.settle();
    assert.deepEqual([stage.question.stage, requests()], ['open', 1]);
  });

  it('a failed prompt goes out again once if the user selects Retry twice', async () => {
    const { stage, sender, requests } = new SenderFixture();
    const shown: string[] = [];
    Object.assign(vscode.window, { setStatusBarMessage: (text: string) => shown.push(text) });
    stage.conversation.record({ type: 'notice', notice: 'by-agent' });
    await sender.submit('of an agent');
    await stage.fail({ kind: 'turn-failed', status: 502, reason: 'turn_failed' });
    await Promise.all([sender.retry(undefined), sender.retry(undefined)]);
    assert.deepEqual(shown, []);
    await sender.retry(undefined);
    assert.equal(requests(), 2);
    assert.deepEqual(shown, ['A run is active. Retry when it ends.']);
    assert.deepEqual(stage.state.queue, []);
    assert.deepEqual(stage.conversation.transcript.ownPrompts, []);
  });

  it('a held retry counts as a prompt of the agent, and one that is sent before it does not', async () => {
    const { stage, sender } = new SenderFixture();
    const { conversation } = stage;
    conversation.record({ type: 'notice', notice: 'by-agent' });
    await sender.submit('of an agent');
    await stage.fail({ kind: 'timeout', status: 504, reason: 'timeout' });
    await sender.retry(undefined);
    await sender.submit('mine', true);
    conversation.send({ type: 'send-now' });
    await stage.finish();
    const authors = conversation.transcript.messages.flatMap((message) =>
      message.kind === 'prompt' ? [[message.text, message.isByAgent]] : [],
    );
    assert.deepEqual(authors, [
      ['of an agent', true],
      ['mine', false],
      ['of an agent', true],
    ]);
  });

  it('a retry asks first if the prompt may be running in self-drive', async () => {
    const asked = selecting(undefined, 'Send Again');
    const { stage, sender, run, requests } = new SenderFixture();
    const { conversation } = stage;
    const timeout = { kind: 'timeout', status: 504, reason: 'timeout' } as const;
    await sender.submit('one');
    await stage.fail(timeout);
    await sender.retry(undefined);
    conversation.send({ type: 'send-now' });
    assert.deepEqual([asked.length, requests()], [0, 2]);

    conversation.record({ type: 'consented' });
    stage.stop();
    conversation.send({ type: 'set-mode', mode: 'self-drive' });
    await run('two');
    await sender.submit('three');
    await stage.fail(timeout);
    await sender.retry(undefined);
    assert.deepEqual([asked[0]?.text, requests()], ['Send the prompt to ada again?', 4]);
    await sender.retry(undefined);
    assert.equal(requests(), 5);
    assert.equal(conversation.transcript.lastPrompt?.text, 'three');
  });

  for (const [before, now] of [
    ['self-drive', 'manual'],
    ['manual', 'self-drive'],
  ] as const)
    it(`a retry in ${now} mode asks first if the run in ${before} mode may be active`, async () => {
      const asked = selecting();
      const { stage, sender, requests } = new SenderFixture();
      stage.conversation.record({ type: 'consented' });
      stage.setMode(before);
      await sender.submit('one');
      await stage.fail({ kind: 'timeout', status: 504, reason: 'timeout' });
      stage.setMode(now);
      await sender.retry(undefined);
      assert.deepEqual([asked.length, requests()], [1, 1]);
    });

  it('a retry in self-drive asks nothing if the intern rejected the prompt', async () => {
    const asked = selecting();
    const { stage, sender } = new SenderFixture();
    stage.conversation.record({ type: 'consented' });
    stage.setMode('self-drive');
    await sender.submit('one');
    await stage.fail({ kind: 'rejected', status: 502, reason: 'intern_rejected' });
    await sender.retry(undefined);
    assert.deepEqual([asked.length, stage.exchanges.length], [0, 2]);
  });

  it('a prompt that is too long only in UTF-16 units goes out with a warning', async () => {
    const fixture = new SenderFixture();
    const told = selecting();
    await fixture.sender.submit('🙂'.repeat(32_000));
    assert.equal(fixture.requests(), 1);
    assert.match(told[0]?.text ?? '', /may be too long for the service/u);
    await fixture.sender.submit('🙂'.repeat(32_001));
    assert.match(told[1]?.text ?? '', /32,001 characters\. The service accepts at most 32,000/u);
    assert.equal(fixture.composed.length, 1);
  });

  it('the composer gets back an edit of a waiting prompt that cannot be applied', async () => {
    const { stage, sender, composed, attached } = new SenderFixture();
    selecting();
    await sender.submit('one');
    attached.push(item);
    await sender.submit('two');
    const id = stage.state.queue[0]?.id ?? '';
    const tooLong = 'x'.repeat(32_001);
    sender.editQueued(id, tooLong);
    sender.editQueued('gone', 'two, edited');
    sender.editQueued(id, 'two, better');
    assert.deepEqual(composed, [tooLong, 'two, edited']);
    const [queued] = stage.state.queue;
    assert.deepEqual(
      [queued?.text, queued?.sent],
      ['two, better', composePrompt('two, better', [item]).sent],
    );
  });

  it('the composer keeps a prompt for a conversation that another window deleted', async () => {
    const { stage, sender, composed, open } = new SenderFixture();
    open.isDeleted = true;
    await sender.submit('Anybody there?');
    await sender.sendWaiting('send-now');
    assert.equal(stage.exchanges.length, 0);
    assert.deepEqual(composed, ['Anybody there?']);
  });

  for (const [what, send] of [
    ['Stop and Send', (sender: PromptSender) => sender.submit('two', true)],
    ['Retry', (sender: PromptSender) => sender.retry(undefined)],
  ] as const)
    it(`${what} sends nothing if another window deletes the conversation meanwhile`, async () => {
      const { stage, sender, open, requests } = new SenderFixture();
      selecting();
      stage.conversation.record({ type: 'consented' });
      stage.setMode('self-drive');
      await sender.submit('one');
      if (what === 'Retry') await stage.fail({ kind: 'timeout', status: 504, reason: 'timeout' });
      const showWarningMessage = (...given: readonly unknown[]) => {
        open.isDeleted = true;
        return Promise.resolve(given.at(-1));
      };
      Object.assign(vscode.window, { showWarningMessage });
      await send(sender);
      stage.conversation.send({ type: 'send-now' });
      assert.deepEqual([open.isDeleted, requests()], [true, 1]);
    });
});
