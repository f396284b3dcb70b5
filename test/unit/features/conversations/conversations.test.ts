import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import { recordNames } from '../../../../src/features/conversations/conversationRecord.ts';
import type { InternModel } from '../../../../src/features/interns/internModel.ts';
import { eventually } from '../../../harness/until.ts';
import { ALLOW } from '../../conversation/questions/fakes.ts';
import {
  type ConversationWindow,
  isIdle,
  openIn,
  startIn,
  submit,
  talk,
  useConversationWindows,
} from '../../support/conversationWindows.ts';
import { readTexts } from '../../support/folders.ts';

describe('conversations on disk', () => {
  const { folder, windows, openWindow, startWindow, session, setStatus } = useConversationWindows();

  /** Closes a window, and opens a conversation in the next one. */
  async function reopen(window: ConversationWindow, { id }: Conversation): Promise<Conversation> {
    await Promise.all([window.conversations.flush(), window.drafts.flush()]);
    window.conversations.dispose();
    return openIn(openWindow('a'), id);
  }

  /** Returns the paths of the files that contain a text. */
  async function filesWith(text: string): Promise<readonly string[]> {
    const texts = [...(await readTexts(folder.path))];
    return texts.filter(([, read]) => read.includes(text)).map(([path]) => path);
  }

  /** Returns the names of the files of conversations with an ending. */
  const filesOf = async (ending: RegExp): Promise<readonly string[]> => {
    const names = await readdir(join(folder.path, 'conversations'), { recursive: true });
    return names.filter((name) => ending.test(name));
  };

  /** Returns whether a window reads a run. The file goes when the record of the run is written. */
  const hasLease = async (): Promise<boolean> => (await filesOf(/\.run$/)).length > 0;

  const textOf = ({ transcript }: Conversation): string =>
    (transcript.lastReply?.parts ?? [])
      .map((part) => (part.kind === 'text' ? part.text : ''))
      .join('');

  it('a conversation in which nothing was said leaves no file', async () => {
    const window = openWindow('a');
    startIn(window);
    await window.conversations.flush();
    assert.deepEqual(await readdir(folder.path), []);
  });

  it('a conversation that one window archives is archived in all windows', async () => {
    const [first, second] = [openWindow('a'), openWindow('b')];
    const conversation = startIn(first);
    await talk(conversation, 'echo One', first.conversations);
    const heads = ({ conversations, account }: ConversationWindow) => conversations.list(account);
    const [before] = await heads(second);
    (await openIn(second, conversation.id)).record({ type: 'listed', as: 'archived' });
    await second.conversations.flush();
    await eventually(() => conversation.transcript.listedAs === 'archived');
    await first.conversations.flush();
    assert.deepEqual(await heads(first), [{ ...before, listed: 'archived' }]);
  });

  it('one window reads a run while another follows it to its end', async () => {
    const { window: first, conversation } = startWindow();
    submit(conversation, 'ask permission');
    await eventually(() => first.asked.length === 1);
    await first.conversations.flush();
    const second = openWindow('b');
    const follower = await openIn(second, conversation.id);
    assert.equal(follower.state.phase.kind, 'paused');
    const [question] = second.asked;
    assert.ok(question);
    const outcome = await second.conversations.answerer.answer(question, ALLOW);
    assert.equal(outcome?.kind, 'answered');
    await eventually(isIdle(follower));
    await second.conversations.flush();
    await eventually(isIdle(conversation));
    assert.equal(textOf(conversation), textOf(follower));
    assert.deepEqual(first.ended, [question.id], 'the question closes in the first window');
  });

  it('a question names its intern in a window that has listed no interns yet', async () => {
    const { window: first, conversation } = startWindow();
    submit(conversation, 'ask permission');
    await eventually(() => first.asked.length === 1);
    await first.conversations.flush();
    let areNamesKnown = false;
    const interns = {
      list: () => Promise.resolve(void (areNamesKnown = true)),
      name: (id: string) => (areNamesKnown ? 'ada' : id),
    } as unknown as InternModel;
    const second = openWindow('b', { interns });
    await openIn(second, conversation.id);
    assert.deepEqual(
      second.asked.map(({ internName }) => internName),
      ['ada'],
    );
  });

  it('a run is under way for every window while the one that reads it lives', async () => {
    const [first, second] = [openWindow('a'), openWindow('b')];
    const conversation = startIn(first);
    submit(conversation, 'fail rate_limited');
    await eventually(() => conversation.state.phase.kind === 'backing-off');
    await eventually(hasLease);
    const isUnderWay = async ({ conversations, account }: ConversationWindow) =>
      (await conversations.inUse(account, [conversation.id])).has(conversation.id);
    assert.deepEqual(await Promise.all([first, second].map(isUnderWay)), [true, true]);
    first.conversations.dispose();
    await eventually(async () => !(await isUnderWay(second)));
  });

  it('waiting prompts last until they are sent, even in the next window', async () => {
    const { window, conversation } = startWindow();
    submit(conversation, 'stall');
    submit(conversation, 'echo Later');
    await eventually(() => textOf(conversation) !== '');
    const again = await reopen(window, conversation);
    assert.equal(again.state.queueHeld, true);
    again.send({ type: 'remove-queued', id: again.state.queue[0]!.id });
    assert.deepEqual((await reopen(windows.at(-1)!, again)).state.queue, []);
  });

  it('the next window knows reason, author and end of self-drive of each waiting prompt', async () => {
    const { window, conversation } = startWindow();
    submit(conversation, 'stall');
    const prompt = { text: 'Why', sent: 'Why', attachments: [], mode: 'manual' } as const;
    const queue = [
      { ...prompt, id: 'r', reasonFor: 'q' },
      { ...prompt, id: 's', limit: Date.now() + 1_800_000 },
      { ...prompt, id: 't', limit: 'this-prompt' as const },
      { ...prompt, id: 'u', isByAgent: true },
    ];
    conversation.send({ type: 'requeue', queue, isHeld: false });
    assert.deepEqual((await reopen(window, conversation)).state.queue, queue);
  });

  for (const [what, isTrusted, agreed, mode] of [
    ['stays in self-drive in a trusted window', true, 'always', 'self-drive'],
    ['stays in self-drive that the user limited', true, '30-minutes', 'self-drive'],
    ['becomes manual in an untrusted window', false, 'always', 'manual'],
    ['becomes manual if the user did not agree to self-drive', true, 'no', 'manual'],
  ] as const)
    it(`a waiting prompt ${what}`, async () => {
      Object.assign(vscode.workspace, { isTrusted: true });
      const window = openWindow('a');
      const conversation = startIn(window);
      if (agreed === 'always') conversation.record({ type: 'consented' });
      submit(conversation, 'stall');
      const lasts = agreed === '30-minutes' ? { lasts: agreed } : {};
      conversation.send({ type: 'set-mode', mode: 'self-drive', ...lasts });
      submit(conversation, 'echo Later');
      conversation.send({ type: 'set-mode', mode: 'manual' });
      await eventually(() => textOf(conversation) !== '');
      Object.assign(vscode.workspace, { isTrusted });
      const again = await reopen(window, conversation);
      const queue = again.state.queue.map((each) => [each.text, each.mode]);
      assert.deepEqual(queue, [['echo Later', mode]]);
      again.send({ type: 'send-now' });
      // The interrupted run may go on for a while.
      assert.equal(again.state.phase.kind, 'holding');
      again.send({ type: 'send-now' });
      assert.equal(again.transcript.lastReply?.mode, mode);
    });

  it('a waiting prompt is sent once though its window dies before it saves the queue', async () => {
    const { window, conversation } = startWindow();
    submit(conversation, 'echo One');
    submit(conversation, 'echo Two');
    await window.drafts.flush();
    await eventually(() => conversation.transcript.lastPrompt?.text === 'echo Two');
    await window.conversations.flush();
    window.drafts.dispose();
    window.conversations.dispose();
    const again = await openIn(openWindow('a'), conversation.id);
    assert.deepEqual(again.state.queue, []);
  });

  it('a waiting prompt that another window of the workspace has sent waits no longer', async () => {
    const [first, second] = [openWindow('a'), openWindow('a')];
    const here = startIn(first);
    await talk(here, 'echo One', first.conversations);
    const prompt = { attachments: [], mode: 'manual' } as const;
    const wait = (...texts: readonly string[]) =>
      here.send({
        type: 'requeue',
        queue: texts.map((text) => ({ ...prompt, id: `waiting ${text}`, text, sent: text })),
        isHeld: false,
      });
    const waiting = ({ state }: Conversation) => state.queue.map(({ text }) => text);
    wait('stall', 'echo Three');
    await first.drafts.flush();
    const there = await openIn(second, here.id);
    wait('echo Four');
    here.send({ type: 'send-now' });
    await Promise.all([first.conversations.flush(), first.drafts.flush()]);
    await eventually(() => there.transcript.lastPrompt?.text === 'stall');
    await second.drafts.flush();
    assert.deepEqual(waiting(there), ['echo Three']);
    const next = await openIn(openWindow('a'), here.id);
    assert.deepEqual(waiting(next), ['echo Three', 'echo Four']);
  });

  it('waiting prompts of two windows of a workspace are all kept', async () => {
    const [first, second] = [openWindow('a'), openWindow('a')];
    const here = startIn(first);
    submit(here, 'stall');
    await eventually(() => textOf(here) !== '');
    await first.conversations.flush();
    const there = await openIn(second, here.id);
    submit(here, 'echo Two');
    await first.drafts.flush();
    submit(there, 'echo Three');
    await second.drafts.flush();
    const queued = async () => {
      const again = await openIn(openWindow('a'), here.id);
      return again.state.queue.map(({ text }) => text).sort();
    };
    assert.deepEqual(await queued(), ['echo Three', 'echo Two']);
    here.send({ type: 'remove-queued', id: here.state.queue[0]!.id });
    await first.drafts.flush();
    assert.deepEqual(await queued(), ['echo Three']);
  });

  it('a draft belongs to one workspace', async () => {
    const [here, there] = [openWindow('a'), openWindow('b')];
    const { id } = startIn(here);
    submit(await openIn(here, id), 'echo One');
    here.drafts.set(id, { text: 'typed here', attached: [{ source: 'a.ts', text: 'attached' }] });
    await here.conversations.flush();
    await here.drafts.flush();
    await openIn(there, id);
    assert.equal(there.drafts.get(id).text, '');
    const again = openWindow('a');
    await openIn(again, id);
    assert.deepEqual(again.drafts.get(id), here.drafts.get(id));
  });

  it('a window keeps its draft though another window of the workspace sends a prompt', async () => {
    const [first, second] = [openWindow('a'), openWindow('a')];
    const here = startIn(first);
    const { id } = here;
    await talk(here, 'echo one', first.conversations);
    const there = await openIn(second, id);
    second.drafts.set(id, { text: 'typed in the second' });
    await second.drafts.flush();
    first.drafts.set(id, { text: 'echo two' });
    await first.drafts.flush();
    submit(here, 'echo two');
    first.drafts.set(id, { text: '' });
    await first.drafts.flush();
    await eventually(() => there.transcript.lastPrompt?.text === 'echo two');
    await second.drafts.flush();
    first.drafts.set(id, { scroll: { message: 'm1', offset: 3 } });
    await first.drafts.flush();
    const again = openWindow('a');
    await openIn(again, id);
    const { text, scroll } = again.drafts.get(id);
    assert.deepEqual([text, scroll?.message], ['typed in the second', 'm1']);
  });

  for (const isRead of [true, false])
    it(`a restored conversation has its record and is ${isRead ? 'read' : 'unread'} as before`, async () => {
      const { window, conversation } = startWindow();
      const { conversations, account } = window;
      await talk(conversation, 'echo Water the plants', conversations);
      const [head] = await conversations.list(account);
      await conversations.readPositions.mark(account, head!, isRead);
      const restore = await conversations.delete(account, conversation.id);
      assert.deepEqual(await filesWith('Water the plants'), []);
      await restore();
      assert.deepEqual(await conversations.list(account), [head]);
      assert.match(textOf(await openIn(window, conversation.id)), /Water the plants/);
      const reads = await conversations.readPositions.list(account);
      assert.equal(reads.get(conversation.id)?.isUnread !== true, isRead);
    });

  it('a restored conversation has its draft and its waiting prompts again', async () => {
    const { window, conversation } = startWindow();
    const { conversations, drafts, account } = window;
    const { id } = conversation;
    await talk(conversation, 'echo One', conversations);
    const queue = [{ id: 'p', text: 'Two', sent: 'Two', attachments: [], mode: 'manual' } as const];
    conversation.send({ type: 'requeue', queue, isHeld: false });
    drafts.set(id, { text: 'Three', attached: [{ source: 'a.ts', text: 'attached' }] });
    const restore = await conversations.delete(account, id);
    const restoreDraft = await drafts.forget(account, id);
    await restore();
    await restoreDraft();
    const again = await openIn(window, id);
    assert.deepEqual(again.state.queue, queue);
    const { text, attached } = drafts.get(id);
    assert.deepEqual([text, attached.length], ['Three', 1]);
  });

  it('deleting a conversation deletes its drafts in every workspace for good', async () => {
    const [here, there] = [openWindow('a'), openWindow('b')];
    const { id } = startIn(here);
    submit(await openIn(here, id), 'echo One');
    await here.conversations.flush();
    await openIn(there, id);
    for (const { drafts } of [here, there]) drafts.set(id, { text: 'canary' });
    await Promise.all([here.drafts.flush(), there.drafts.flush()]);
    await here.conversations.delete(here.account, id);
    await here.drafts.forget(here.account, id);
    await eventually(() => there.conversations.live[0]?.isDeleted === true);
    for (const { drafts } of [here, there]) drafts.set(id, { text: 'canary again' });
    await Promise.all([here.drafts.flush(), there.drafts.flush()]);
    assert.deepEqual(await filesWith('canary'), []);
  });

  it('a deleted conversation stays deleted while another window has it open', async () => {
    const { window: first, conversation } = startWindow();
    submit(conversation, 'stall');
    await first.conversations.flush();
    const second = openWindow('b');
    await openIn(second, conversation.id);
    assert.equal((await recordNames(first.account)).length, 1);
    await second.conversations.delete(second.account, conversation.id);
    const [shown] = first.conversations.live;
    assert.ok(shown);
    await eventually(() => shown.isDeleted);
    await eventually(isIdle(conversation));
    submit(conversation, 'echo After all');
    await first.conversations.flush();
    assert.deepEqual(await recordNames(first.account), []);
    assert.deepEqual(await openWindow('c').conversations.list(first.account), []);
    assert.equal(conversation.transcript.title, 'stall', 'the tab still shows it');
  });

  it('a restored conversation works again in another window that has it open', async () => {
    const [first, second] = [openWindow('a'), openWindow('b')];
    const conversation = startIn(first);
    submit(conversation, 'stall');
    await first.conversations.flush();
    first.drafts.set(conversation.id, { text: 'a draft' });
    await first.drafts.flush();
    await openIn(second, conversation.id);
    const restore = await second.conversations.delete(second.account, conversation.id);
    const restoreDraft = await second.drafts.forget(second.account, conversation.id);
    const [shown] = first.conversations.live;
    await eventually(() => shown?.isDeleted === true);
    await restore();
    await restoreDraft();
    await eventually(() => shown?.isDeleted === false);
    await talk(conversation, 'echo After all', first.conversations);
    await first.drafts.flush();
    assert.equal(textOf(await openIn(second, conversation.id)), 'After all');
    const [head] = await openWindow('c').conversations.list(first.account);
    assert.deepEqual([head?.title, head?.state], ['stall', 'idle']);
    assert.equal((await filesWith('a draft')).length, 1);
  });

  for (const status of ['running', 'stopped'] as const)
    it(`deleting a conversation ends its question while the intern is ${status}`, async () => {
      const { window, conversation } = startWindow();
      submit(conversation, 'ask permission');
      await eventually(() => window.asked.length === 1);
      setStatus(status);
      await window.conversations.delete(window.account, conversation.id);
      const isCanceled = session(conversation.transcript.session!)?.run !== 'paused';
      assert.equal(isCanceled, status === 'running');
      assert.deepEqual(window.conversations.pendingQuestions.listOpen(), []);
      assert.deepEqual(await filesOf(/\.jsonl?$/), []);
      assert.equal(await window.conversations.open(window.account, conversation.id), undefined);
    });
});
