import assert from 'node:assert/strict';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import type { Account } from '../../../../src/features/accounts/account.ts';
import { searchConversations } from '../../../../src/features/conversations/searchConversations.ts';

describe('the search of all conversations', () => {
  it('the search finds archived conversations and marks them', async () => {
    const head = { id: 'c1', intern: 'i1', title: 'Garden', createdAt: 0, at: Date.now() };
    const heads = [
      { ...head, state: 'idle', listed: 'archived' },
      { ...head, id: 'c2', state: 'idle' },
    ] as const;
    let rows: readonly { readonly description?: string }[] = [];
    type Search = (query: string, signal: AbortSignal) => Promise<typeof rows>;
    await searchConversations({} as Account, {
      dialogs: {
        pick: async ({ search }: { search: Search }) => {
          rows = await search('garden', new AbortController().signal);
          return { kind: 'left' };
        },
      } as never,
      conversations: {
        list: () => Promise.resolve(heads),
        read: () => Promise.resolve(Transcript.fold([])),
      },
      interns: { name: () => 'Ada' },
    });
    const descriptions = rows.map(({ description }) => description);
    assert.deepEqual(descriptions, ['Ada · Archived · just now', 'Ada · just now']);
  });
});
