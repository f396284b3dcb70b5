import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Emitter } from '../../../../src/base/disposable.ts';
import type { PendingQuestion } from '../../../../src/conversation/questions/types.ts';
import { createAgentTools } from '../../../../src/features/agents/agentTools.ts';
import type { AccountManager } from '../../../../src/features/accounts/accountManager.ts';
import {
  Conversations,
  type OpenConversation,
} from '../../../../src/features/conversations/conversations.ts';
import { InternModel } from '../../../../src/features/interns/internModel.ts';
import type { PickOptions, Dialogs } from '../../../../src/platform/dialogs/dialogs.ts';
import { rootOf } from '../../api/support/fakeFetch.ts';
import { startService, type Service } from '../../../service/service.ts';
import { eventually } from '../../../harness/until.ts';
import { internOf } from '../../support/fakeAccounts.ts';
import { nodeWatcher, useTemporaryFolder } from '../../support/folders.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { LEAVE, ScriptedDialogs } from '../../support/scriptedDialogs.ts';
import { AccountWindow } from '../../support/accountWindow.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('tools of agents', () => {
  let service: Service;
  let accounts: AccountManager;
  let interns: InternModel;
  let conversations: Conversations;
  let asked: PendingQuestion[];
  /** Only the tools use this clock. */
  let clock: FakeClock;
  let tools: ReturnType<typeof createAgentTools>;
  let dialogs: Pick<Dialogs, 'pick'>;
  /** The prompts that opened as text. */
  let opened: string[];
  let closed: number;
  /** Apply to conversations of the user. */
  let settings: { approvalMode: 'self-drive'; costLimit: number; dailyCostLimit: number };
  /** Set if the user scrolls to the end of a prompt. */
  let isRead: boolean;

  // Runs before the folder is deleted, because records are written until then.
  afterEach(async () => {
    await conversations.flush();
    conversations.dispose();
    interns.dispose();
    accounts.dispose();
    await service.close();
  });

  const folder = useTemporaryFolder();
  const stub = useStubs();

  beforeEach(async () => {
    stub(vscode.workspace, { isTrusted: true });
    service = await startService({ keepaliveMs: 50 });
    const { ports } = await AccountWindow.signedIn(folder.path, service);
    ({ accounts } = ports);
    interns = new InternModel(ports);
    await interns.add('intern_ada');
    asked = [];
    clock = new FakeClock();
    settings = { approvalMode: 'self-drive', costLimit: 0, dailyCostLimit: 0 };
    conversations = new Conversations({
      ...{ ...ports, interns, settings, watch: nodeWatcher },
      reportUnreadable: () => undefined,
      window: 'window-1',
    });
    conversations.pendingQuestions.onDidChange(({ question, stage }) => {
      if (stage === 'open') asked.push(question);
    });
    dialogs = new ScriptedDialogs([]);
    opened = [];
    closed = 0;
    isRead = true;
    const agentPrompts = {
      show: (_id: string, _title: string, text: string) => Promise.resolve(void opened.push(text)),
      wasReadToEnd: () => isRead,
      forget: () => Promise.resolve(void (closed += 1)),
    };
    const pick = <T>(options: PickOptions<T>) => dialogs.pick(options);
    tools = createAgentTools({
      ...{ accounts, interns, conversations, clock, agentPrompts },
      dialogs: { pick },
    });
  });

  function open(): OpenConversation {
    const [first, ...others] = conversations.live;
    assert.ok(first && others.length === 0, 'one conversation');
    return first;
  }

  /** The two steps of a call. */
  function stepsOf(input: object, token = cancellation().token, name = 'interns_ask') {
    const tool = tools(name);
    const options = { input } as never;
    return {
      prepare: async () => await tool.prepareInvocation(options, token),
      invoke: async () => await tool.invoke(options, token),
    };
  }

  /** Calls a tool after the user confirmed it, and returns its text. */
  async function call(...given: Parameters<typeof stepsOf>): Promise<string> {
    const { prepare, invoke } = stepsOf(...given);
    await prepare();
    const result = await invoke();
    return (result?.content ?? []).map((part) => (part as { value: string }).value).join('');
  }

  const ask = (prompt: string, token?: vscode.CancellationToken) =>
    call({ intern: 'intern_ada', prompt }, token);

  /** Returns the text of the confirmation. */
  async function confirmation(prompt: string, intern = 'intern_ada'): Promise<string> {
    const prepared = await stepsOf({ intern, prompt }).prepare();
    return (prepared!.confirmationMessages!.message as vscode.MarkdownString).value;
  }

  it('interns_ask returns the reply of a new conversation in manual mode', async () => {
    assert.match(await ask('echo Remember the milk'), /Remember the milk/);
    await conversations.flush();
    const [head] = await conversations.list(accounts.active!, 'intern_ada');
    assert.equal(head?.title, 'echo Remember the milk');
    const [notice] = open().conversation.transcript.messages;
    assert.equal(notice?.kind === 'notice' && notice.notice, 'by-agent');
    const { transcript, state } = open().conversation;
    assert.deepEqual([transcript.lastReply?.mode, state.mode], ['manual', 'manual']);
  });

  it('interns_ask returns the reply without the question that the user answered', async () => {
    const reply = ask('ask permission');
    await eventually(() => asked.length === 1);
    const { conversation } = open();
    await conversation.answer(asked[0]!.id, { kind: 'permission', choice: 'reject_once' });
    const text = await reply;
    const said = conversation.transcript.lastReply?.parts.filter(({ kind }) => kind === 'text');
    assert.deepEqual(text, said?.map((part) => part.kind === 'text' && part.text).join('\n\n'));
  });

  it('an expired question fails the call of an agent but stays open for the user', async () => {
    const reply = ask('ask permission');
    await eventually(() => asked.length === 1);
    clock.advance(300_000 + 30_000);
    await assert.rejects(reply, /wasn’t answered\. The run may be canceled/);
    assert.equal(open().conversation.state.phase.kind, 'paused');
    assert.equal(clock.waiting, 0);
  });

  it('a canceled call stops its run, even while a question is open', async () => {
    for (const [prompt, isUnderWay] of [
      ['stall', () => open().conversation.transcript.lastReply?.parts.length === 1],
      ['ask permission', () => asked.length === 1],
    ] as const) {
      const { token, cancel } = cancellation();
      const reply = ask(prompt, token);
      await eventually(() => conversations.live.length === 1 && isUnderWay());
      cancel();
      await assert.rejects(reply, vscode.CancellationError);
      const { account, conversation } = open();
      assert.equal(conversation.transcript.lastReply?.state, 'stopped');
      await conversations.delete(account, conversation.id);
    }
    const { token, cancel } = cancellation();
    cancel();
    await assert.rejects(ask('echo Late', token), vscode.CancellationError);
    assert.deepEqual(conversations.live, []);
  });

  it('interns_ask fails with the sentence that a chat would show', async () => {
    service.state.setIntern('intern_ada', { status: 'stopped' });
    await assert.rejects(ask('echo Hello'), /isn’t running/i);
  });

  it('interns_ask says after a lost connection that the intern may still be working', async () => {
    service.faults.next('chat', { kind: 'cut', afterBytes: 0 });
    await assert.rejects(ask('echo Hello'), /connection was lost.*may already be working on it/);
  });

  it('interns_ask starts no conversation once the cost limit of the day is reached', async () => {
    await ask('echo Hi');
    const before = conversations.live;
    assert.ok(before[0]!.conversation.transcript.spent > 0);
    settings.dailyCostLimit = 1e-9;
    await assert.rejects(ask('echo Hi again'), /Today’s cost limit is reached/);
    assert.deepEqual(conversations.live, before);
  });

  it('interns_ask fails if the user deletes the conversation', async () => {
    const reply = assert.rejects(ask('stall'), /stopped before it ended/);
    await eventually(() => conversations.live.length === 1);
    await conversations.delete(accounts.active!, open().conversation.id);
    await reply;
  });

  it('the confirmation of a call shows intern, account, mode and prompt as inert text', async () => {
    const intern = internOf({ id: 'intern_evil', name: 'ev\u202eil\n[x](command:y)' });
    await interns.recordIntern(intern, 'created', null, accounts.active!);
    const shown = await confirmation('Say \u200bhi\u00ad\u2028now', 'intern_evil');
    const [named, account, mode] = shown.split('\n\n');
    assert.equal(named, 'Intern: evil [x]\u200b(command:y) (intern_evil)');
    assert.match(account ?? '', /^Account: .+ · .+/);
    assert.match(mode ?? '', /^Approval mode: Manual\./);
    assert.ok(shown.endsWith('Say hi<U+2028>now'), shown);
    const cut = await confirmation(`${'x'.repeat(2_000)}y`);
    assert.match(cut, /The full prompt opens before it’s sent/);
    assert.doesNotMatch(shown, /The full prompt opens/);
    assert.match(cut, /first 2,000 of 2,001 characters\):\n\nx+$/);
    for (const end of ['\n', '\r'])
      assert.match(await confirmation(`a${end}`.repeat(30)), /first 39 of 60 characters\)/);
  });

  describe('prompts that the confirmation cuts', () => {
    const long = `echo ${'x'.repeat(2_000)}\u200f`;
    const isNotSent = async (reply: Promise<string>) => {
      await assert.rejects(reply, vscode.CancellationError);
      assert.deepEqual(conversations.live, []);
      assert.equal(closed, opened.length);
    };

    it('a cut prompt goes out once the user has read all of it and agrees again', async () => {
      const scripted = new ScriptedDialogs(['Send']);
      dialogs = scripted;
      assert.match(await ask(long), /x{2000}/);
      assert.deepEqual(opened, [`echo ${'x'.repeat(2_000)}<U+200F>`]);
      const titles = scripted.shown.map(({ title }) => title);
      assert.deepEqual(titles, ['Send all 2,006 characters to intern_ada?']);
      assert.equal(closed, 1);
    });

    it('a cut prompt does not go out if the user leaves or disagrees', async () => {
      for (const move of [LEAVE, 'Don’t Send'] as const) {
        dialogs = new ScriptedDialogs([move]);
        await isNotSent(ask(long));
      }
    });

    it('a cut prompt does not go out before its end was visible', async () => {
      isRead = false;
      const scripted = new ScriptedDialogs(['Send', LEAVE]);
      dialogs = scripted;
      await assert.rejects(ask(long), vscode.CancellationError);
      assert.deepEqual(scripted.shown[0]?.refusals, ['Scroll to the end of the prompt first.']);
      assert.deepEqual(conversations.live, []);
    });

    it('a prompt that is long only by its lines opens in full', async () => {
      dialogs = new ScriptedDialogs([LEAVE]);
      await isNotSent(ask(`${'\n'.repeat(25)}evil`));
      assert.equal(opened.length, 1);
    });

    it('an opened prompt closes when the call is canceled', async () => {
      const { token, cancel } = cancellation();
      dialogs = {
        pick: ({ signal }) =>
          new Promise((resolve) => {
            signal?.addEventListener('abort', () => resolve({ kind: 'left' }));
            cancel();
          }),
      };
      await isNotSent(ask(long, token));
      assert.equal(closed, 1);
    });

    it('interns_ask asks the user about one cut prompt after the other', async () => {
      let open = 0;
      dialogs = agreeingAfter(async () => {
        open += 1;
        assert.equal(open, 1);
        await new Promise((resolve) => setImmediate(resolve));
        open -= 1;
      });
      await Promise.all([ask(long), ask(`${long}y`)]);
      assert.equal(conversations.live.length, 2);
    });

    it('a cut prompt does not go out if the account was signed out meanwhile', async () => {
      dialogs = agreeingAfter(() => accounts.signOut(accounts.active!.id, { forgetData: false }));
      await assert.rejects(ask(long), /was signed out/);
      assert.deepEqual(conversations.live, []);
    });
  });

  it('a call uses the account of its confirmation though another became active', async () => {
    const { prepare, invoke } = stepsOf({ intern: 'intern_ada', prompt: 'echo Hi' });
    const confirmed = accounts.active!.id;
    await prepare();
    await accounts.signIn(rootOf(service.url), 'test-key-second');
    assert.notEqual(accounts.active!.id, confirmed);
    await invoke();
    assert.equal(open().account.id, confirmed);
    await accounts.activate(confirmed);
    await prepare();
    await accounts.signOut(confirmed, { forgetData: false });
    await assert.rejects(invoke(), /was signed out/);
  });

  it('each confirmed call runs once, unless it was confirmed for two accounts', async () => {
    const { prepare, invoke } = stepsOf({ intern: 'intern_ada', prompt: 'echo Hi' });
    const isRefused = () => assert.rejects(invoke(), vscode.CancellationError);
    await isRefused();
    for (const step of [prepare, prepare, invoke, invoke, isRefused, prepare]) await step();
    const other = await accounts.signIn(rootOf(service.url), 'test-key-second');
    await interns.add('intern_ada');
    for (const step of [prepare, isRefused, isRefused, prepare]) await step();
    // The second account has no such intern.
    await assert.rejects(invoke(), /Unknown intern/);
    const ofOther = conversations.live.map(({ account }) => account.id === other.id);
    assert.deepEqual(ofOther, [false, false, true]);
  });

  it('a call that cannot run fails with its reason before the confirmation', async () => {
    const named = (id: string, name: string) =>
      interns.recordIntern(internOf({ id, name }), 'created', null, accounts.active!);
    await named('intern_1', 'twin');
    await named('intern_2', 'twin');
    await named('intern_3', 'Twin');
    await assert.rejects(confirmation('Hi', 'twin'), /2 interns are named “twin”/);
    await assert.rejects(confirmation('Hi', 'TWIN'), /3 interns are named “TWIN”/);
    assert.match(await confirmation('Hi', 'Twin'), /intern_3/);
    assert.match(await confirmation('Hi', 'intern_1'), /twin \(intern_1\)/);
    await assert.rejects(confirmation('Hi', 'nobody'), /no intern “nobody” in its list/);
    await assert.rejects(confirmation('  '), /Couldn’t send the prompt\. This can’t be empty/);
    await assert.rejects(confirmation('x'.repeat(32_001)), /at most 32,000/);
    await assert.rejects(call({ intern: 7 }), /Name an intern/);
    const { prepare, invoke } = stepsOf({ intern: 'intern_1', prompt: 'echo Hi' });
    await prepare();
    await interns.remove(['intern_1']);
    await assert.rejects(invoke(), /intern_1/);
    stub(vscode.workspace, { isTrusted: false });
    await assert.rejects(confirmation('Hi'), /Restricted Mode/);
    await accounts.signOut(accounts.active!.id, { forgetData: false });
    await assert.rejects(call({}, undefined, 'interns_list'), /Sign in first/);
    assert.deepEqual(conversations.live, []);
  });

  it('interns_list gives only names and last statuses', async () => {
    const intern = internOf({ id: 'intern_1', name: 'ada\n2', status: 'running' });
    await interns.recordIntern(intern, 'created', null, accounts.active!);
    assert.deepEqual(JSON.parse(await call({}, undefined, 'interns_list')), [
      { name: 'ada 2', lastSeen: 'running' },
      { name: 'intern_ada', lastSeen: 'not_known' },
    ]);
    assert.deepEqual(await readdir(join(folder.path, 'conversations')).catch(() => []), []);
  });
});

/** Dialogs whose user agrees after `before`. */
function agreeingAfter(before: () => Promise<unknown>): Pick<Dialogs, 'pick'> {
  return {
    pick: async (options) => {
      await before();
      return new ScriptedDialogs(['Send']).pick(options);
    },
  };
}

function cancellation(): { readonly token: vscode.CancellationToken; readonly cancel: () => void } {
  const requested = new Emitter<void>();
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: requested.event as unknown as vscode.Event<void>,
  };
  const cancel = (): void => {
    token.isCancellationRequested = true;
    requested.fire();
  };
  return { token, cancel };
}
