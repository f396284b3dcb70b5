import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import type { Account, Accounts } from '../../../../src/features/accounts/account.ts';
import {
  openChatLink,
  messageLink,
} from '../../../../src/features/chatPanel/commands/chatLinks.ts';
import type { Conversations } from '../../../../src/features/conversations/conversations.ts';
import type { InternModel } from '../../../../src/features/interns/internModel.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { useStubs } from '../../support/stubEditor.ts';

/** The dialogs that were shown and the commands that were run. */
interface Seen {
  readonly asked: { readonly question: string; readonly modal: unknown; readonly detail: string }[];
  readonly warned: string[];
  readonly ran: unknown[][];
  readonly added: string[];
}

describe('links to chats', () => {
  const stub = useStubs();
  let seen: Seen;
  let active: Account | undefined;
  let whenLoaded: Promise<void>;
  let ports: Parameters<typeof openChatLink>[0];
  /** The button that the user clicks. */
  let click: string | undefined;
  /** Called when a command runs. */
  let onCommand: () => void;

  beforeEach(() => {
    seen = { asked: [], warned: [], ran: [], added: [] };
    active = accountOf('account-1');
    whenLoaded = Promise.resolve();
    click = 'Open Chat';
    onCommand = () => undefined;
    const accounts = {
      all: [accountOf('account-1'), accountOf('account-2')],
      get active() {
        return active;
      },
      get whenLoaded() {
        return whenLoaded;
      },
    } as unknown as Accounts;
    const interns = {
      get: (id: string, account = active) =>
        Promise.resolve(
          id === 'i1' || account?.id === 'account-2' ? { id, intern: { name: 'ada' } } : undefined,
        ),
      add: (id: string) => Promise.resolve(seen.added.push(id)),
    } as unknown as InternModel;
    const heads = {
      'account-1': [{ id: 'c1', intern: 'i1' }],
      'account-2': [{ id: 'c2', intern: 'i2' }],
    };
    const list = ({ id }: Account) => Promise.resolve(heads[id as keyof typeof heads]);
    ports = { accounts, interns, conversations: { list } as unknown as Conversations };
    stub(vscode.window, {
      showWarningMessage: (message: string) => Promise.resolve(seen.warned.push(message)),
      showInformationMessage: (
        question: string,
        { modal, detail }: { readonly modal: unknown; readonly detail: string },
      ) => {
        seen.asked.push({ question, modal, detail });
        return Promise.resolve(click);
      },
    });
    stub(vscode.commands, {
      executeCommand: (...given: unknown[]) => {
        seen.ran.push(given);
        onCommand();
        return Promise.resolve();
      },
    });
  });

  /** Decodes the query like VS Code. */
  const follow = (path: string, query: string): Promise<void> =>
    openChatLink(ports, { path, query: decodeURIComponent(query) });
  const modals = () => seen.asked.map(({ question, modal }) => [question, modal]);
  const opened = [['interns.openChat', { intern: 'i1' }]];

  it('a link asks every time, in a dialog that names the intern, before it opens a chat', async () => {
    await follow('/chat', 'intern=i1');
    click = undefined;
    await follow('/chat', 'intern=i1');
    const question = ['Open a chat with the intern ada?', true];
    assert.deepEqual(modals(), [question, question]);
    assert.deepEqual(seen.ran, opened);
    assert.deepEqual(seen.added, []);
  });

  it('a link adds an unlisted intern only after the user agreed to that', async () => {
    click = undefined;
    await follow('/chat', 'intern=i9');
    assert.match(seen.asked[0]?.detail ?? '', /isn’t in your list/);
    assert.deepEqual([seen.added, seen.ran], [[], []]);
    click = 'Open Chat';
    await follow('/chat', 'intern=i9');
    assert.deepEqual(seen.added, ['i9']);
  });

  it('an invalid link shows a warning without a question', async () => {
    const tooLong = `intern=${'x'.repeat(257)}`;
    const longMessage = `intern=i1&message=${'x'.repeat(257)}`;
    const longPrompt = `intern=i1&prompt=${'x'.repeat(32_001)}`;
    for (const query of ['', 'intern=', tooLong, longMessage, longPrompt])
      await follow('/chat', query);
    for (const path of ['/command', '/']) await follow(path, 'intern=i1');
    assert.equal(seen.warned.length, 7);
    assert.deepEqual([seen.asked, seen.ran], [[], []]);
  });

  it('a link shows all characters of its prompt before it fills the composer', async () => {
    click = undefined;
    const ids = 'intern=i1&conversation=c1&message=m1';
    await follow('/chat', `${ids}&prompt=${encodeURIComponent('water\u202e the\u200f plants')}`);
    assert.match(seen.asked[0]?.detail ?? '', /isn’t sent until.*“water the<U\+200F> plants”/);
    assert.deepEqual(seen.ran, [], 'the user has not agreed yet');
    click = 'Open Chat';
    await follow('/chat', `${ids}&prompt=${encodeURIComponent('water\u202e\n the plants')}`);
    const named = { intern: 'i1', conversation: 'c1', message: 'm1' };
    assert.deepEqual(seen.ran, [['interns.openChat', { ...named, prompt: 'water\n the plants' }]]);
  });

  it('a link opens a conversation only with the intern that it names', async () => {
    await follow('/chat', 'intern=i1&conversation=c2');
    assert.deepEqual(seen.warned, ['This chat link isn’t valid.']);
    assert.deepEqual([seen.asked, seen.ran], [[], []]);
    await follow('/chat', 'intern=i2&conversation=c2');
    assert.equal(seen.ran.length, 1);
    assert.deepEqual(seen.added, [], 'its intern is in the list of the other account');
  });

  it('a link to a conversation that is not available here adds no intern', async () => {
    await follow('/chat', 'intern=i9&conversation=c9');
    assert.match(seen.warned[0] ?? '', /isn’t available here/);
    assert.deepEqual([seen.asked, seen.ran, seen.added], [[], [], []]);
  });

  it('a link keeps its prompt as written, even with the special characters of links', async () => {
    const prompt = 'Compare a & b in C++ at 50%25: is x=1&intern=i9 so?';
    const other = prompt.replace('&intern', '&in');
    await follow('/chat', `intern=i1&prompt=${encodeURIComponent(prompt)}`);
    await follow('/chat', `prompt=${encodeURIComponent(other)}&intern=i1`);
    const [first, second] = seen.ran.map(([, opens]) => opens);
    assert.deepEqual(first, { intern: 'i1', prompt });
    assert.deepEqual(second, { intern: 'i1', prompt: other });
  });

  it('a copied link leads to its message and has the URI scheme of the editor', async () => {
    const shared = { at: 1, mode: 'manual' } as const;
    const transcript = Transcript.fold([
      { ...shared, type: 'opened', id: 'o', intern: 'i1' },
      { ...shared, type: 'prompt', id: 'm-1', run: 'r1', text: '' },
    ]);
    const conversation = { id: 'c1', transcript };
    stub(vscode.env, { uriScheme: 'vscodium' });
    for (const [named, message] of [
      ['m-1', 'm-1'],
      [null, 'r1'],
    ] as const) {
      const link = new URL(messageLink(conversation, named));
      assert.equal(`${link.protocol}//${link.host}`, 'vscodium://intern-service.interns');
      await follow(link.pathname, link.search.slice(1));
      const [, opens] = seen.ran.pop() ?? [];
      assert.deepEqual(opens, { intern: 'i1', conversation: 'c1', message });
    }
  });

  it('a link that starts the extension waits for the accounts before it asks to sign in', async () => {
    const account = active;
    active = undefined;
    let markLoaded = (): void => undefined;
    whenLoaded = new Promise((resolve) => (markLoaded = resolve));
    const following = follow('/chat', 'intern=i1');
    await new Promise((resolve) => setImmediate(resolve));
    active = account;
    markLoaded();
    await following;
    assert.deepEqual(seen.ran, opened);
  });

  it('a link asks before the sign-in and again before it opens the chat', async () => {
    const account = active;
    active = undefined;
    click = undefined;
    await follow('/chat', 'intern=i1');
    assert.deepEqual(modals(), [['Sign in to open a chat?', true]]);
    assert.deepEqual(seen.ran, []);
    click = 'Sign In';
    await follow('/chat', 'intern=i1');
    assert.deepEqual(seen.ran, [['interns.signIn']]);
    assert.equal(seen.asked.length, 2, 'the user did not sign in');
    onCommand = () => {
      active = account;
      click = 'Open Chat';
    };
    await follow('/chat', 'intern=i1');
    assert.deepEqual(seen.ran.slice(1), [['interns.signIn'], ...opened]);
    assert.equal(seen.asked.length, 4);
  });
});
