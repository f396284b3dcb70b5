import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Account, Accounts } from '../../../../src/host/auth/account.ts';
import { ChatLinks } from '../../../../src/host/chat/chatLinks.ts';
import type { InternModel } from '../../../../src/host/interns/internModel.ts';
import { accountOf } from '../support/fakeAccounts.ts';
import { useStubs } from '../support/stubEditor.ts';

/** What the user was shown and what was run for them. */
interface Seen {
  readonly asked: { readonly question: string; readonly modal: unknown; readonly detail: string }[];
  readonly warned: string[];
  readonly ran: unknown[][];
  readonly added: string[];
}

describe('a link to a chat', () => {
  const stub = useStubs();
  let seen: Seen;
  let active: Account | undefined;
  let whenLoaded: Promise<void>;
  let links: ChatLinks;
  /** What the user clicks. */
  let click: string | undefined;

  beforeEach(() => {
    seen = { asked: [], warned: [], ran: [], added: [] };
    active = accountOf('account-1');
    whenLoaded = Promise.resolve();
    click = 'Open Chat';
    const accounts = {
      get active() {
        return active;
      },
      get whenLoaded() {
        return whenLoaded;
      },
    } as Accounts;
    const interns = {
      get: (id: string) =>
        Promise.resolve(id === 'i1' ? { id, intern: { name: 'ada' } } : undefined),
      add: (id: string) => Promise.resolve(seen.added.push(id)),
    } as unknown as InternModel;
    links = new ChatLinks(accounts, interns);
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
        return Promise.resolve();
      },
    });
  });

  const follow = (path: string, query: string): Promise<void> => links.handleUri({ path, query });
  const opened = [['interns.openChat', { intern: 'i1' }]];

  it('asks every time, in a dialog that names the intern, before it opens anything', async () => {
    await follow('/chat', 'intern=i1');
    click = undefined;
    await follow('/chat', 'intern=i1');
    assert.deepEqual(
      seen.asked.map(({ question, modal }) => [question, modal]),
      Array.from({ length: 2 }, () => ['Open a chat with the intern ada?', true]),
    );
    assert.deepEqual(seen.ran, opened);
    assert.deepEqual(seen.added, []);
  });

  it('says of an intern that is not in the list that it would be added, and adds none unasked', async () => {
    click = undefined;
    await follow('/chat', 'intern=i9');
    assert.match(seen.asked[0]?.detail ?? '', /not in your list/);
    assert.deepEqual([seen.added, seen.ran], [[], []]);
    click = 'Open Chat';
    await follow('/chat', 'intern=i9');
    assert.deepEqual(seen.added, ['i9']);
  });

  it('that leads nowhere is refused without a question', async () => {
    const tooLong = `intern=${'x'.repeat(257)}`;
    for (const [path, query] of [
      ['/chat', ''],
      ['/chat', 'intern='],
      ['/chat', tooLong],
      ['/command', 'intern=i1'],
      ['/', 'intern=i1'],
    ] as const) {
      await follow(path, query);
    }
    assert.equal(seen.warned.length, 5);
    assert.deepEqual([seen.asked, seen.ran], [[], []]);
  });

  it('that starts the extension waits for the accounts, and asks nobody to sign in who is', async () => {
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

  it('goes on to its question after the sign-in that it had to begin with, and ends where there was none', async () => {
    const account = active;
    active = undefined;
    await follow('/chat', 'intern=i1');
    assert.deepEqual([seen.ran, seen.asked], [[['interns.signIn']], []]);
    stub(vscode.commands, {
      executeCommand: (...given: unknown[]) => {
        seen.ran.push(given);
        active = account;
        return Promise.resolve();
      },
    });
    await follow('/chat', 'intern=i1');
    assert.deepEqual(seen.ran.slice(1), [['interns.signIn'], ...opened]);
    assert.equal(seen.asked.length, 1);
  });
});
