import assert from 'node:assert/strict';
import type { Account } from '../../../../src/features/accounts/account.ts';
import { signOut } from '../../../../src/features/accounts/signOut.ts';
import { LEAVE, ScriptedDialogs } from '../../support/scriptedDialogs.ts';

function accountNamed(label: string): Account {
  const record = { label, workspaceId: 'w', root: 'https://interns.example.com/api/v1' };
  return { id: label, state: 'ready', record } as Account;
}

async function run(
  labels: readonly string[],
  script: readonly (string | symbol)[],
  chosen?: string,
  activity = { runs: 2, questions: 1 },
) {
  const dialogs = new ScriptedDialogs(script as readonly string[]);
  const events: string[] = [];
  const all = labels.map(accountNamed);
  const ports = {
    dialogs,
    accounts: {
      all,
      active: all.at(-1),
      get: (id: string) => all.find((account) => account.id === id),
      signOut: (id: string, { forgetData }: { forgetData: boolean }) => {
        events.push(`signed out of ${id}, ${forgetData ? 'deleted' : 'kept'}`);
        return Promise.resolve();
      },
    },
    forgetDrafts: ({ id }: Account) => {
      events.push(`forgot the drafts of ${id}`);
      return Promise.resolve();
    },
    runs: {
      activity: () => Promise.resolve(activity),
      stop: ({ id }: Account) => {
        events.push(`stopped ${id}`);
        return Promise.resolve();
      },
    },
  };
  await signOut(ports, chosen);
  return { events, shown: dialogs.shown };
}

describe('Sign Out…', () => {
  it('sign-out stops runs before it keeps or deletes the data', async () => {
    const kept = await run(['Owner'], ['Sign out and keep']);
    assert.deepEqual(kept.events, ['stopped Owner', 'signed out of Owner, kept']);
    const deleted = await run(['Owner'], ['Sign out and delete']);
    assert.deepEqual(deleted.events, [
      'stopped Owner',
      'forgot the drafts of Owner',
      'signed out of Owner, deleted',
    ]);
  });

  it('sign-out says what it stops', async () => {
    const { shown } = await run(['Owner'], [LEAVE]);
    assert.match(shown[0]?.placeholder ?? '', /stops active runs \(2\) and open questions \(1\)/);
    const idle = await run(['Owner'], [LEAVE], undefined, { runs: 0, questions: 0 });
    assert.doesNotMatch(idle.shown[0]?.placeholder ?? '', /stops/);
  });

  it('sign-out asks for the account only if there are several', async () => {
    assert.equal((await run(['Owner'], ['Sign out and keep'])).shown.length, 1);
    const { events } = await run(['Owner', 'Second'], ['Second', 'Sign out and keep']);
    assert.deepEqual(events, ['stopped Second', 'signed out of Second, kept']);
  });

  it('sign-out proposes the active account and not the oldest one', async () => {
    const { shown } = await run(['Oldest', 'Active'], [LEAVE]);
    assert.deepEqual(shown[0]?.rows, ['Oldest · w', 'Active · w']);
    assert.equal(shown[0].value, 'Active · w');
  });

  it('sign-out does nothing when the user leaves', async () => {
    assert.deepEqual((await run(['Owner'], [LEAVE])).events, []);
    assert.deepEqual((await run(['Owner', 'Second'], ['Owner', LEAVE])).events, []);
  });

  it('sign-out in the Accounts menu keeps the data if the user leaves the dialog', async () => {
    const { events } = await run(['Owner'], [LEAVE], 'Owner');
    assert.deepEqual(events, ['stopped Owner', 'signed out of Owner, kept']);
    assert.deepEqual((await run(['Owner'], [], 'gone')).events, []);
  });
});
