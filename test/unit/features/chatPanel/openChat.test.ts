import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import type { Account } from '../../../../src/features/accounts/account.ts';
import { chatCommands } from '../../../../src/features/chatPanel/commands/chatCommands.ts';
import type { ChatCommandPorts } from '../../../../src/features/chatPanel/commands/conversationCommands.ts';
import type { CommandRegistrar } from '../../../../src/platform/commands/registrar.ts';
import { UnreadableFileError } from '../../../../src/platform/storage/unreadable.ts';
import { FakeAccounts } from '../../support/fakeAccounts.ts';
import { useStubs } from '../../support/stubEditor.ts';

/** Conversations on record, newest first. The run is the ID of the reply. */
const records: Readonly<Record<string, { account: string; run: string }>> = {
  'c-new': { account: 'account-1', run: 'r-new' },
  'c-old': { account: 'account-1', run: 'r-old' },
  'c-other': { account: 'account-2', run: 'r-other' },
};

describe('Open Chat', () => {
  const stub = useStubs();
  let registrar: CommandRegistrar;
  /** Chats that were shown or started, and messages to their pages. */
  let done: unknown[];
  let errors: string[];
  let archived: string;
  /** The conversations of the interns, newest first. */
  let ids: readonly string[];
  /** The conversation whose head cannot be read. */
  let damaged: string | undefined;
  /** The conversation of the current chat, and its account if that is not active. */
  let current: string | undefined;
  let ofOther: boolean;
  /** The interns whose runs are open in this window. */
  let running: readonly string[];
  /** The phase of a conversation that is opened. */
  let opened: string;
  /** Called before a dialog takes its first row. Without it, the user leaves the dialog. */
  let onAccept: (() => void) | undefined;

  beforeEach(() => {
    done = [];
    errors = [];
    archived = '';
    ids = ['c-new', 'c-old'];
    damaged = undefined;
    current = undefined;
    ofOther = false;
    running = [];
    opened = 'idle';
    onAccept = undefined;
    const fake = new FakeAccounts();
    const { accounts } = fake;
    ({ registrar } = fake);
    const pageOf = (conversation: string) => {
      done.push(conversation);
      return { postToPage: (type: string, body: unknown) => done.push([type, body]) };
    };
    const show = ({ id }: Account, conversation: string) =>
      records[conversation]?.account === id ? pageOf(conversation) : undefined;
    const transcript = (run: string) =>
      Transcript.fold([{ type: 'prompt', id: 'p', at: 1, run, text: 'Hello', mode: 'manual' }]);
    const ports = {
      accounts,
      dialogs: {
        pick: ({ rows }: { rows: { label: string; description?: string; value: unknown }[] }) => {
          done.push(...rows.map(({ label, description = '' }) => `${label}: ${description}`));
          onAccept?.();
          return Promise.resolve({ kind: onAccept ? 'value' : 'left', value: rows[0]?.value });
        },
      },
      view: { selection: [] },
      deleteConversations: (_account: Account, heads: readonly unknown[]) =>
        Promise.resolve(void done.push(...heads)),
      interns: {
        name: (intern: string, account?: Account) => (account === fake.other ? 'bea' : intern),
      },
      picker: {
        pick: ([target]: { intern: string }[]) => Promise.resolve(target?.intern ?? 'picked'),
      },
      conversations: {
        list: () =>
          Promise.resolve(
            ids.map((id) => ({
              ...{ id, title: id, intern: 'i', at: 0 },
              listed: id === archived ? 'archived' : undefined,
            })),
          ),
        listAs: (account: Account, id: string, as: string) =>
          id === damaged
            ? Promise.reject(new UnreadableFileError(id))
            : Promise.resolve(void done.push([account === fake.other ? `bea’s ${id}` : id, as])),
        get live() {
          return running.map((intern) => {
            const state = { phase: { kind: 'requesting' } };
            const transcript = { title: 'Hello', intern };
            return { account: accounts.active, conversation: { id: intern, transcript, state } };
          });
        },
        open: (_account: Account, id: string) => {
          const send = ({ type }: { type: string }) => done.push(`${type} ${id} ${opened}`);
          const conversation = { id, state: { phase: { kind: opened } }, send };
          return Promise.resolve({ conversation });
        },
        read: (_account: Account, id: string) => Promise.resolve(transcript(records[id]!.run)),
      },
      pages: {
        get activePage() {
          const account = ofOther ? fake.other : accounts.active;
          return current && { open: { account, conversation: { id: current } } };
        },
        show: (account: Account, id: string) => Promise.resolve(show(account, id)),
        showFromAnyAccount: (id: string) =>
          Promise.resolve(accounts.all.map((account) => show(account, id)).find(Boolean)),
        start: (_account: Account, intern: string) => pageOf(`new with ${intern}`),
      },
    };
    registrar.register(chatCommands, ports as unknown as ChatCommandPorts);
    stub(vscode.window, {
      showErrorMessage: (text: string) => Promise.resolve(void errors.push(text)),
    });
  });

  it('opening a chat shows the named message in its conversation, of any account', async () => {
    await registrar.run('interns.openChat', [
      { intern: 'i', conversation: 'c-other', message: 'r' },
    ]);
    assert.deepEqual(done.splice(0), ['c-other', ['reveal', { message: 'r' }]]);
    await registrar.run('interns.openChat', [{ intern: 'i', message: 'r-old' }]);
    assert.deepEqual(done.splice(0), ['c-old', ['reveal', { message: 'r-old' }]]);
    await registrar.run('interns.openChat', [{ intern: 'i' }]);
    assert.deepEqual(done, ['c-new']);
  });

  it('opening a chat starts a conversation if the intern has none', async () => {
    ids = [];
    await registrar.run('interns.openChat', [{ intern: 'i' }]);
    assert.deepEqual(done, ['new with i']);
  });

  it('opening a chat twice, as by a double click, starts one conversation', async () => {
    ids = [];
    // It has no messages yet. Its ID is that of its intern here.
    running = ['c-new'];
    await registrar.run('interns.openChat', [{ intern: 'c-new' }]);
    await registrar.run('interns.openChat', [{ intern: 'i' }]);
    assert.deepEqual(done, ['c-new', 'new with i']);
  });

  it('opening a chat with a prompt fills the composer and never sends', async () => {
    const composed = ['compose', { text: 'Hello', where: 'append' }];
    await registrar.run('interns.openChat', [{ prompt: 'Hello' }]);
    await registrar.run('interns.newConversation', [{ intern: 'i', prompt: 'Hello' }]);
    await registrar.run('interns.newConversation', [{ intern: 'i', prompt: '' }]);
    assert.deepEqual(done, ['c-new', composed, 'new with i', composed, 'new with i']);
  });

  it('opening a chat skips an archived conversation unless its message is named', async () => {
    archived = 'c-new';
    await registrar.run('interns.openChat', [{ intern: 'i' }]);
    assert.deepEqual(done.splice(0), ['c-old']);
    await registrar.run('interns.openChat', [{ intern: 'i', message: 'r-new' }]);
    assert.equal(done[0], 'c-new');
  });

  it('stopping the run of a row stops it though its chat is not open in this window', async () => {
    for (const phase of ['elsewhere', 'paused', 'idle']) {
      opened = phase;
      await registrar.run('interns.stop', [{ intern: 'i', conversation: 'c-old' }]);
    }
    assert.deepEqual(done, ['stop c-old elsewhere', 'stop c-old paused']);
    assert.deepEqual(errors, ['No run of this conversation is active in this window.']);
  });

  it('stopping one of several runs lets the user select it by its intern', async () => {
    running = ['ada', 'bea'];
    await registrar.run('interns.stop', []);
    assert.deepEqual(done, ['Hello: ada', 'Hello: bea']);
  });

  it('conversations to select from name the interns of the account that the chat belongs to', async () => {
    ids = ['c-new', 'c-old', 'c-other'];
    [archived, current, ofOther] = ['c-new', 'c-new', true];
    await registrar.run('interns.archiveConversation', []);
    const shown = done.map((row) => String(row).split(' · ')[0]);
    assert.deepEqual(shown, ['c-old: bea', 'c-other: bea']);
  });

  it('a conversation is archived in the account it was selected from, whatever chat comes next', async () => {
    ids = ['c-new', 'c-other', 'c-old'];
    [archived, current, ofOther] = ['c-new', 'c-new', true];
    onAccept = () => (ofOther = false);
    await registrar.run('interns.archiveConversation', []);
    assert.deepEqual(done.at(-1), ['bea’s c-other', 'archived']);
  });

  it('pinning and archiving record a change without opening a chat', async () => {
    archived = 'c-old';
    const both = ['c-new', 'c-old'].map((conversation) => ({ intern: 'i', conversation }));
    await registrar.run('interns.archiveConversation', [both[0], both]);
    await registrar.run('interns.unpinConversation', [both[0]]);
    await registrar.run('interns.pinConversation', [both[1]]);
    // Without a target, the command applies to the only conversation that is archived.
    await registrar.run('interns.unarchiveConversation', []);
    assert.deepEqual(done, [
      ['c-new', 'archived'],
      ['c-old', 'pinned'],
      ['c-old', 'plain'],
    ]);
    // It does not apply to the current conversation, which is not archived.
    current = 'c-new';
    await registrar.run('interns.unarchiveConversation', []);
    await registrar.run('interns.pinConversation', []);
    assert.deepEqual(done.slice(3), [
      ['c-old', 'plain'],
      ['c-new', 'pinned'],
    ]);
    current = undefined;
    archived = '';
    await registrar.run('interns.unarchiveConversation', []);
    assert.match(errors[0] ?? '', /No conversation is available/);
  });

  it('archiving several conversations archives the others if one cannot be read', async () => {
    damaged = 'c-new';
    const both = ['c-new', 'c-old'].map((conversation) => ({ intern: 'i', conversation }));
    await registrar.run('interns.archiveConversation', [both[0], both]);
    assert.deepEqual(done, [['c-old', 'archived']]);
    assert.equal(errors.length, 1);
  });

  it('a second Delete does nothing while the list still shows the deleted row', async () => {
    await registrar.run('interns.deleteSession', [{ intern: 'i', conversation: 'gone' }]);
    assert.deepEqual([done, errors], [[], []]);
  });

  it('the keys of a list whose focused row is gone do not change the active chat', async () => {
    current = 'c-new';
    await registrar.run('interns.deleteSession', [undefined]);
    await registrar.run('interns.renameSession', [undefined]);
    assert.deepEqual([done, errors], [[], []]);
  });

  it('opening a conversation that is gone opens no other one in its place', async () => {
    await registrar.run('interns.openChat', [{ intern: 'i', conversation: 'gone' }]);
    assert.deepEqual(done, []);
    assert.match(errors[0] ?? '', /isn’t available here/);
  });
});
