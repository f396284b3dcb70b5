import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { composePrompt, type ContextItem } from '../../../../src/conversation/attachments.ts';
import type { OpenConversation } from '../../../../src/features/conversations/conversations.ts';
import type { Drafts } from '../../../../src/features/chatPanel/prompts/drafts.ts';
import { PromptSender } from '../../../../src/features/chatPanel/prompts/promptSender.ts';
import type { PromptContext } from '../../../../src/features/context/promptContext.ts';
import { Stage } from '../../conversation/conversationStage.ts';

const item: ContextItem = { source: 'src/a.ts', language: 'ts', text: 'const a = 1;\n' };

/** A conversation with what stands around its composer. */
function desk(): {
  readonly stage: Stage;
  readonly sender: PromptSender;
  readonly attached: ContextItem[];
  readonly composed: string[];
  readonly drafts: Drafts;
  readonly context: Partial<PromptContext>;
  readonly open: { isDeleted: boolean };
  /** The composer of the next page of the same conversation. */
  readonly next: () => PromptSender;
} {
  const stage = new Stage();
  const attached: ContextItem[] = [];
  const composed: string[] = [];
  const kept = { text: '', editing: 'no' };
  const drafts = {
    get: () => kept,
    set: (_conversation: string, change: object) => Object.assign(kept, change),
  } as unknown as Drafts;
  const open = { conversation: stage.conversation, isDeleted: false };
  const context: Partial<PromptContext> = {
    add: (added) => attached.push(added) > 0,
    clear: () => attached.splice(0),
    compose: (text) => composePrompt(text, attached),
    settled: () => Promise.resolve(),
  };
  const next = () =>
    new PromptSender({
      open: open as unknown as OpenConversation,
      context: context as PromptContext,
      drafts,
      internName: () => 'ada',
      compose: (text) => composed.push(text),
    });
  return { stage, sender: next(), attached, composed, drafts, context, open, next };
}

/** How many prompts were recorded as edited forms of those before. */
function editsOf({ conversation }: Stage): number {
  return conversation.transcript.messages.filter(
    (message) => message.kind === 'notice' && message.notice === 'edited',
  ).length;
}

describe('the composer of a conversation', () => {
  it('gets back the last prompt with what was attached to it, and sends both again', async () => {
    const { stage, sender, attached, composed } = desk();
    attached.push(item);
    await sender.submit('Why?');
    stage.last.open().finish();
    await stage.settle();
    assert.deepEqual(attached, []);
    sender.editLast();
    assert.deepEqual(attached, [item]);
    assert.deepEqual(composed, ['Why?']);
    await sender.submit('Why not?');
    assert.deepEqual(
      stage.last.chat.kind === 'prompt' && stage.last.chat.text,
      composePrompt('Why not?', [item]).sent,
    );
  });

  it('sends what is attached once, though the next prompt was sent while it was still being read', async () => {
    const { stage, sender, attached, context } = desk();
    let done = (): void => undefined;
    const reading = new Promise<void>((resolve) => (done = resolve));
    context.settled = () => reading;
    attached.push(item);
    const sent = [sender.submit('First'), sender.submit('Second')];
    done();
    await Promise.all(sent);
    const { messages } = stage.conversation.transcript;
    const [queued] = stage.conversation.state.queue;
    assert.deepEqual(
      messages.filter(({ kind }) => kind === 'prompt').map((each) => 'sent' in each && each.sent),
      [composePrompt('First', [item]).sent],
    );
    assert.equal(queued?.sent, 'Second');
  });

  it('tells the intern that nobody had answered, once, beside what is attached to the next prompt', async () => {
    const { stage, sender, attached } = desk();
    attached.push(item);
    await sender.submit('Go');
    stage.conversation.record({ type: 'unanswered', then: 'refuse' });
    stage.last.open().ask();
    await stage.settle();
    const { id } = stage.asked[0]!;
    void stage.conversation.answerForNobody(id, () => Promise.resolve(true));
    await stage.settle();
    stage.last.open().say({ kind: 'text', text: 'Well' });
    await stage.settle();
    attached.push(item);
    await Promise.all([sender.tellOfNobody(id), sender.tellOfNobody(id)]);
    assert.equal(stage.state.queue.length, 1, 'it waits for the end of the run');
    await stage.finish();
    assert.match(
      stage.last.chat.kind === 'prompt' ? stage.last.chat.text : '',
      /^Nobody was at the editor .*“shell”.* refused automatically, not by the user/,
    );
    assert.deepEqual(attached, [item]);
    stage.reload();
    assert.equal(stage.conversation.transcript.question(id)?.isTold, true);
    await sender.tellOfNobody(id);
    assert.equal(stage.state.queue.length, 0);
  });

  it('waits for a file that is still being read when its prompt is sent', async () => {
    const { stage, sender, attached, context } = desk();
    context.settled = () => Promise.resolve().then(() => void attached.push(item));
    await sender.submit('Why?');
    assert.deepEqual(
      stage.last.chat.kind === 'prompt' && stage.last.chat.text,
      composePrompt('Why?', [item]).sent,
    );
  });

  it('goes on as an edit though the page has told its emptied composer in the same moment', async () => {
    const { stage, sender } = desk();
    await sender.submit('one');
    stage.last.open().finish();
    await stage.settle();
    sender.editLast();
    sender.draft('one');
    sender.draft('two');
    const sent = sender.submit('two');
    sender.draft('');
    await sent;
    stage.last.open().finish();
    await stage.settle();
    assert.equal(editsOf(stage), 1);
    await sender.submit('three');
    stage.last.open().finish();
    await stage.settle();
    assert.equal(editsOf(stage), 1, 'only the prompt that was edited');
  });

  it('goes on as an edit where the chat moves to another place meanwhile', async () => {
    const { stage, sender, next } = desk();
    await sender.submit('one');
    stage.last.open().finish();
    await stage.settle();
    sender.editLast();
    sender.draft('one, or t');
    const moved = next();
    moved.draft('one, or two?');
    await moved.submit('one, or two?');
    assert.equal(editsOf(stage), 1);
  });

  it('keeps a prompt as the draft while its user is asked about self-drive, lest the host die meanwhile', async () => {
    const { stage, sender, drafts } = desk();
    const { conversation } = stage;
    const draft = (): string => drafts.get(conversation.id).text;
    let choose: (row: string) => void = () => undefined;
    const chosen = new Promise<string>((resolve) => {
      choose = resolve;
    });
    Object.assign(vscode.workspace, { isTrusted: true });
    Object.assign(vscode.window, { showWarningMessage: () => chosen });
    conversation.send({ type: 'set-mode', mode: 'self-drive' });
    const sent = sender.submit('rebuild it');
    assert.equal(draft(), 'rebuild it');
    choose('Stay with Manual');
    await sent;
    assert.equal(draft(), '');
    sender.draft('while it runs');
    assert.equal(draft(), 'while it runs');
    assert.equal(stage.exchanges.length, 1);
  });

  it('asks for how long each time that self-drive is chosen, and leaves the mode where nothing is chosen', async () => {
    const { stage, sender } = desk();
    const { conversation } = stage;
    const asked: (readonly string[])[] = [];
    const choices = [
      undefined,
      'Stay with Manual',
      'This Prompt Only',
      '30 Minutes',
      'Until Switched Off',
    ];
    const showWarningMessage = (_text: string, _options: object, ...buttons: string[]) => {
      asked.push(buttons);
      return Promise.resolve(choices.shift());
    };
    Object.assign(vscode.workspace, { isTrusted: true });
    Object.assign(vscode.window, { showWarningMessage });
    const set: boolean[] = [];
    const limits: unknown[] = [];
    for (let time = 0; time < 5; time++) {
      set.push(await sender.setMode('self-drive'));
      limits.push(stage.state.selfDriveLimit);
    }
    assert.deepEqual(set, [false, false, true, true, true]);
    assert.deepEqual(limits.toSpliced(3, 1), [null, null, 'this-prompt', null]);
    assert.equal(typeof limits[3], 'number');
    const buttons = ['Stay with Manual', 'This Prompt Only', '30 Minutes', 'Until Switched Off'];
    assert.deepEqual(
      asked,
      Array.from({ length: 5 }, () => buttons),
    );
    await sender.submit('one');
    assert.equal(asked.length, 5, 'what was agreed to is not asked again at each prompt');
    assert.equal(stage.reply.mode, 'self-drive');
    assert.equal(conversation.transcript.consented, true);
  });

  it('asks at the first prompt where new conversations start in self-drive, and sends nothing where nothing is chosen', async () => {
    const { stage, sender, composed } = desk();
    const choices = [undefined, 'This Prompt Only', 'This Prompt Only'];
    let asked = 0;
    Object.assign(vscode.workspace, { isTrusted: true });
    Object.assign(vscode.window, {
      showWarningMessage: () => Promise.resolve(choices[asked++]),
    });
    stage.setMode('self-drive');
    await sender.submit('one');
    assert.deepEqual([composed, stage.exchanges.length], [['one'], 0]);
    await sender.submit('one');
    await stage.settle();
    await stage.finish();
    await sender.submit('two');
    await stage.finish();
    const sent = stage.exchanges.map(({ chat }) => chat.kind === 'prompt' && chat.approvalMode);
    assert.deepEqual([sent, asked], [['self-drive', 'manual'], 2]);
  });

  it('asks each time once the cost limit is reached: for a new prompt, for Retry and for those that wait', async () => {
    const { stage, sender, composed } = desk();
    const { conversation } = stage;
    const asked: string[] = [];
    const choices = [undefined, 'Send Anyway'];
    const showWarningMessage = (
      _text: string,
      { detail }: vscode.MessageOptions,
      button: string,
    ) => {
      asked.push(detail ?? '');
      assert.equal(button, 'Send Anyway');
      return Promise.resolve(choices[(asked.length - 1) % 2]);
    };
    Object.assign(vscode.window, { showWarningMessage });
    conversation.record({ type: 'cost-limit', usd: 1 });
    await sender.submit('one');
    await sender.submit('two');
    await stage.finish('session-1', 1.5);
    assert.deepEqual([asked, stage.exchanges.length], [[], 1]);
    const tries = [
      () => sender.submit('three'),
      () => sender.retry(undefined),
      () => sender.release('sendNow'),
    ];
    for (const [index, attempt] of tries.entries()) {
      await attempt();
      assert.deepEqual([asked.length, stage.exchanges.length], [2 * index + 1, index + 1]);
      await attempt();
      assert.deepEqual([asked.length, stage.exchanges.length], [2 * index + 2, index + 2]);
      await stage.finish('session-1', 0.25);
    }
    assert.deepEqual(composed, ['three']);
    assert.match(asked[0] ?? '', /\$1\.50 of \$1\.00.*known only when a run ends/u);
  });

  it('tries a prompt again once, though Retry was clicked twice', async () => {
    const { stage, sender } = desk();
    await sender.submit('one');
    stage.last.fail({ kind: 'turn-failed', status: 502, reason: 'turn_failed' });
    await stage.settle();
    const before = stage.exchanges.length;
    await Promise.all([sender.retry(undefined), sender.retry(undefined)]);
    await sender.retry(undefined);
    assert.equal(stage.exchanges.length, before + 1);
    assert.deepEqual(stage.state.queue, []);
  });

  it('keeps a prompt of an agent an agent’s when its user tries it again', async () => {
    const { stage, sender } = desk();
    stage.conversation.record({ type: 'notice', notice: 'by-agent' });
    await sender.submit('of an agent');
    stage.last.fail({ kind: 'turn-failed', status: 502, reason: 'turn_failed' });
    await stage.settle();
    await sender.retry(undefined);
    assert.equal(stage.exchanges.length, 2);
    assert.deepEqual(stage.conversation.transcript.ownPrompts, []);
  });

  it('asks before it tries a prompt again that may be running in self-drive, and not in manual', async () => {
    const told: string[] = [];
    const choices: (string | undefined)[] = [undefined, 'Send Again'];
    const showWarningMessage = (text: string) => {
      told.push(text);
      return Promise.resolve(choices.shift());
    };
    Object.assign(vscode.workspace, { isTrusted: true });
    Object.assign(vscode.window, { showWarningMessage });
    const { stage, sender } = desk();
    const { conversation } = stage;
    await sender.submit('one');
    stage.last.fail({ kind: 'timeout', status: 504, reason: 'timeout' });
    await stage.settle();
    await sender.retry(undefined);
    conversation.send({ type: 'send-now' });
    assert.deepEqual(told, []);
    assert.equal(stage.exchanges.length, 2);

    conversation.record({ type: 'consented' });
    stage.stop();
    conversation.send({ type: 'set-mode', mode: 'self-drive' });
    await sender.submit('two');
    stage.last.open().finish();
    await stage.settle();
    await sender.submit('three');
    stage.last.fail({ kind: 'timeout', status: 504, reason: 'timeout' });
    await stage.settle();
    await sender.retry(undefined);
    assert.deepEqual(told, ['Send the prompt to ada again?']);
    assert.equal(stage.exchanges.length, 4);
    await sender.retry(undefined);
    assert.equal(stage.exchanges.length, 5);
    assert.equal(stage.conversation.transcript.lastPrompt?.text, 'three');
  });

  it('asks nothing before it tries a prompt again in self-drive that the intern rejected', async () => {
    Object.assign(vscode.workspace, { isTrusted: true });
    const { stage, sender } = desk();
    stage.conversation.record({ type: 'consented' });
    stage.setMode('self-drive');
    await sender.submit('one');
    await stage.fail({ kind: 'rejected', status: 502, reason: 'intern_rejected' });
    await sender.retry(undefined);
    assert.equal(stage.exchanges.length, 2);
  });

  it('sends a prompt that is too long in UTF-16 units alone, and warns of it', async () => {
    const { stage, sender, composed } = desk();
    const told: string[] = [];
    Object.assign(vscode.window, { showWarningMessage: (text: string) => told.push(text) });
    await sender.submit('🙂'.repeat(32_000));
    assert.equal(stage.exchanges.length, 1);
    assert.match(told.join(), /count some characters of the prompt twice/u);
    await sender.submit('🙂'.repeat(32_001));
    assert.equal(composed.length, 1);
  });

  it('gives back the edit of a waiting prompt that is too long, or that went out meanwhile', async () => {
    const { stage, sender, composed } = desk();
    Object.assign(vscode.window, { showWarningMessage: () => Promise.resolve() });
    await sender.submit('one');
    await sender.submit('two');
    const id = stage.state.queue[0]?.id ?? '';
    const tooLong = 'x'.repeat(32_001);
    sender.editQueued(id, tooLong);
    sender.editQueued('gone', 'two, edited');
    sender.editQueued(id, 'two, better');
    assert.deepEqual(composed, [tooLong, 'two, edited']);
    assert.equal(stage.state.queue[0]?.text, 'two, better');
  });

  it('keeps a prompt that is meant for a conversation which another window has deleted', async () => {
    const { stage, sender, composed, open } = desk();
    open.isDeleted = true;
    await sender.submit('Anybody there?');
    await sender.release('sendNow');
    assert.equal(stage.exchanges.length, 0);
    assert.deepEqual(composed, ['Anybody there?']);
  });
});
