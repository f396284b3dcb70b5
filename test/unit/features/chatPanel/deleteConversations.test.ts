import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  createDeletion,
  type DeleteConversations,
  type DeletionPorts,
} from '../../../../src/features/chatPanel/commands/deleteConversations.ts';
import type { ConversationHead } from '../../../../src/features/conversations/heads.ts';
import { accountOf } from '../../support/fakeAccounts.ts';
import { useStubs } from '../../support/stubEditor.ts';

describe('createDeletion', () => {
  const stub = useStubs();
  let messages: string[];
  /** The conversations and drafts that were deleted and not restored. */
  let deleted: Set<string>;
  let deleteConversations: DeleteConversations;

  beforeEach(() => {
    [messages, deleted] = [[], new Set()];
    deleteConversations = createDeletion(ports);
    stub(vscode.window, {
      showInformationMessage: (message: string, undo: string) => {
        messages.push(message);
        return Promise.resolve(undo);
      },
    });
  });

  function remove(what: string): Promise<() => Promise<void>> {
    if (what === 'record b' || what === 'draft d') return Promise.reject(new Error('unreadable'));
    deleted.add(what);
    return Promise.resolve(() => {
      if (what === 'record full') return Promise.reject(new Error('disk full'));
      return Promise.resolve(void deleted.delete(what));
    });
  }

  const ports: DeletionPorts = {
    conversations: { delete: (_, id) => remove(`record ${id}`) },
    pages: { close: () => undefined },
    contexts: { forget: () => undefined },
    drafts: { forget: (_, id) => remove(`draft ${id}`) },
  };

  const run = (...ids: readonly string[]) => {
    const heads = ids.map((id): ConversationHead => {
      return { id, intern: 'i', title: id, createdAt: 0, at: 0, state: 'idle' };
    });
    return deleteConversations(accountOf('account-1'), heads);
  };

  it('the user restores all deleted conversations with their drafts', async () => {
    await run('a', 'c');
    assert.deepEqual(messages, ['Deleted 2 conversations.']);
    assert.equal(deleted.size, 0);
  });

  it('a second press of Delete leaves the undo of the first', async () => {
    await Promise.all([run('c', 'a'), run('a'), run('c')]);
    assert.deepEqual(messages.toSorted(), ['Deleted “a”.', 'Deleted “c”.']);
    assert.equal(deleted.size, 0);
  });

  it('the user restores the others if one conversation cannot be restored', async () => {
    await assert.rejects(run('full', 'a'), /disk full/);
    assert.deepEqual([...deleted], ['record full', 'draft full']);
  });

  it('the user restores a conversation whose draft cannot be deleted', async () => {
    await assert.rejects(run('d'), /unreadable/);
    await new Promise(setImmediate);
    assert.deepEqual([messages, deleted.size], [['Deleted “d”.'], 0]);
  });

  it('the user restores what was deleted before a conversation that cannot be deleted', async () => {
    await assert.rejects(run('a', 'b', 'c'), /unreadable/);
    await new Promise(setImmediate);
    assert.deepEqual(messages, ['Deleted “a”.']);
    assert.equal(deleted.size, 0);
  });
});
