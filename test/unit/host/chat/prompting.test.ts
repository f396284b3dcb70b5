import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { composePrompt, type ContextItem } from '../../../../src/chat/attachments.ts';
import type { OpenConversation } from '../../../../src/host/chat/conversations.ts';
import { Drafts } from '../../../../src/host/chat/drafts.ts';
import { Prompting } from '../../../../src/host/chat/prompting.ts';
import type { PromptContext } from '../../../../src/host/context/promptContext.ts';
import { Stage } from '../../chat/conversationStage.ts';

const item: ContextItem = { source: 'src/a.ts', language: 'ts', text: 'const a = 1;\n' };

/** A conversation with what stands around its composer. */
function desk(): {
  readonly stage: Stage;
  readonly prompting: Prompting;
  readonly attached: ContextItem[];
  readonly composed: string[];
  readonly drafts: Drafts;
  readonly context: Partial<PromptContext>;
  readonly open: { isDeleted: boolean };
} {
  const stage = new Stage();
  const attached: ContextItem[] = [];
  const composed: string[] = [];
  const drafts = new Drafts(memento());
  const open = { conversation: stage.conversation, isDeleted: false };
  const context: Partial<PromptContext> = {
    add: (added) => attached.push(added) > 0,
    clear: () => attached.splice(0),
    compose: (text) => composePrompt(text, attached),
    settled: () => Promise.resolve(),
  };
  const prompting = new Prompting({
    open: open as unknown as OpenConversation,
    context: context as PromptContext,
    drafts,
    internName: () => 'ada',
    compose: (text) => composed.push(text),
  });
  return { stage, prompting, attached, composed, drafts, context, open };
}

function memento(): vscode.Memento {
  const values = new Map<string, unknown>();
  return {
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => Promise.resolve(values.set(key, value)),
  } as unknown as vscode.Memento;
}

/** How many prompts were recorded as edited forms of those before. */
function editsOf({ conversation }: Stage): number {
  return conversation.transcript.messages.filter(
    (message) => message.kind === 'notice' && message.notice === 'edited',
  ).length;
}

describe('the composer of a conversation', () => {
  it('gets back the last prompt with what was attached to it, and sends both again', async () => {
    const { stage, prompting, attached, composed } = desk();
    attached.push(item);
    await prompting.submit('Why?');
    stage.last.open().finish();
    await stage.settle();
    assert.deepEqual(attached, []);
    prompting.editLast();
    assert.deepEqual(attached, [item]);
    assert.deepEqual(composed, ['Why?']);
    await prompting.submit('Why not?');
    assert.deepEqual(
      stage.last.chat.kind === 'prompt' && stage.last.chat.text,
      composePrompt('Why not?', [item]).sent,
    );
  });

  it('waits for a file that is still being read when its prompt is sent', async () => {
    const { stage, prompting, attached, context } = desk();
    context.settled = () => Promise.resolve().then(() => void attached.push(item));
    await prompting.submit('Why?');
    assert.deepEqual(
      stage.last.chat.kind === 'prompt' && stage.last.chat.text,
      composePrompt('Why?', [item]).sent,
    );
  });

  it('goes on as an edit though the page has told its emptied composer in the same moment', async () => {
    const { stage, prompting } = desk();
    await prompting.submit('one');
    stage.last.open().finish();
    await stage.settle();
    prompting.editLast();
    prompting.draft('one');
    prompting.draft('two');
    const sent = prompting.submit('two');
    prompting.draft('');
    await sent;
    stage.last.open().finish();
    await stage.settle();
    assert.equal(editsOf(stage), 1);
    await prompting.submit('three');
    stage.last.open().finish();
    await stage.settle();
    assert.equal(editsOf(stage), 1, 'only the prompt that was edited');
  });

  it('keeps a prompt as the draft while its user is asked about self-drive, lest the host die meanwhile', async () => {
    const { stage, prompting, drafts } = desk();
    const { conversation } = stage;
    const draft = (): string => drafts.get(conversation.id).text;
    let choose: (row: string) => void = () => undefined;
    const chosen = new Promise<string>((resolve) => {
      choose = resolve;
    });
    Object.assign(vscode.workspace, { isTrusted: true });
    Object.assign(vscode.window, { showWarningMessage: () => chosen });
    conversation.send({ type: 'set-mode', mode: 'self-drive' });
    const sent = prompting.submit('rebuild it');
    assert.equal(draft(), 'rebuild it');
    choose('Stay with Manual');
    await sent;
    assert.equal(draft(), '');
    prompting.draft('while it runs');
    assert.equal(draft(), 'while it runs');
    assert.equal(stage.exchanges.length, 1);
  });

  it('tries a prompt again once, though Retry was clicked twice', async () => {
    const { stage, prompting } = desk();
    await prompting.submit('one');
    stage.last.fail({ kind: 'turn-failed', status: 502, reason: 'turn_failed' });
    await stage.settle();
    const before = stage.exchanges.length;
    await Promise.all([prompting.retry(undefined), prompting.retry(undefined)]);
    await prompting.retry(undefined);
    assert.equal(stage.exchanges.length, before + 1);
    assert.deepEqual(stage.state.queue, []);
  });

  it('sends a prompt that is too long in UTF-16 units alone, and warns of it', async () => {
    const { stage, prompting, composed } = desk();
    const told: string[] = [];
    Object.assign(vscode.window, { showWarningMessage: (text: string) => told.push(text) });
    await prompting.submit('🙂'.repeat(32_000));
    assert.equal(stage.exchanges.length, 1);
    assert.match(told.join(), /count some characters of the prompt twice/u);
    await prompting.submit('🙂'.repeat(32_001));
    assert.equal(composed.length, 1);
  });

  it('gives back the edit of a waiting prompt that is too long, or that went out meanwhile', async () => {
    const { stage, prompting, composed } = desk();
    Object.assign(vscode.window, { showWarningMessage: () => Promise.resolve() });
    await prompting.submit('one');
    await prompting.submit('two');
    const id = stage.state.queue[0]?.id ?? '';
    const tooLong = 'x'.repeat(32_001);
    prompting.editQueued(id, tooLong);
    prompting.editQueued('gone', 'two, edited');
    prompting.editQueued(id, 'two, better');
    assert.deepEqual(composed, [tooLong, 'two, edited']);
    assert.equal(stage.state.queue[0]?.text, 'two, better');
  });

  it('keeps a prompt that is meant for a conversation which another window has deleted', async () => {
    const { stage, prompting, composed, open } = desk();
    open.isDeleted = true;
    await prompting.submit('Anybody there?');
    await prompting.release('send-now');
    assert.equal(stage.exchanges.length, 0);
    assert.deepEqual(composed, ['Anybody there?']);
  });
});
