import assert from 'node:assert/strict';
import type { Message } from '../../../../src/conversation/messages.ts';
import { Transcript } from '../../../../src/conversation/transcript.ts';
import type { Account } from '../../../../src/features/accounts/account.ts';
import {
  findInTranscript,
  searchConversations,
} from '../../../../src/features/conversations/searchConversations.ts';
import { Stage } from '../../conversation/conversationStage.ts';
import { permissionCall } from '../../conversation/fakeExchange.ts';

/** A conversation of one prompt and the reply to it. */
async function said(prompt: string, ...reply: readonly string[]): Promise<readonly Message[]> {
  const stage = Stage.asked(prompt);
  stage.last.open();
  for (const text of reply) stage.last.say({ kind: 'text', text });
  await stage.last.finish().taken();
  return stage.conversation.transcript.messages;
}

function places(messages: readonly Message[], query: string, matchCase = false) {
  return findInTranscript(messages, query, matchCase).map(({ message, count }) => [
    messages.findIndex(({ id }) => id === message),
    count,
  ]);
}

describe('the search in a conversation', () => {
  it('the search finds text across marks, code and line breaks', async () => {
    const messages = await said(
      'say hello\nworld',
      'hello **world**, `hello` world, and hello\nworld',
    );
    assert.deepEqual(places(messages, 'hello world'), [
      [0, 1],
      [1, 3],
    ]);
  });

  it('the search finds no address and no invisible mark', async () => {
    const messages = await said('x', 'see **[the docs](https://example.com/hidden)**');
    assert.deepEqual(places(messages, 'hidden'), []);
    assert.deepEqual(places(messages, '**'), []);
    assert.deepEqual(places(messages, 'the docs'), [[1, 1]]);
  });

  it('the search minds the case only on request', async () => {
    const messages = await said('Alpha alpha', 'ALPHA');
    assert.deepEqual(places(messages, 'alpha'), [
      [0, 2],
      [1, 1],
    ]);
    assert.deepEqual(places(messages, 'alpha', true), [[0, 1]]);
  });

  it('the search finds what was added to a reply since the last search', async () => {
    const stage = Stage.asked('x');
    await stage.last.open().say({ kind: 'text', text: 'one ' }).taken();
    const { transcript } = stage.conversation;
    assert.equal(places(transcript.messages, 'two').length, 0);
    await stage.last.say({ kind: 'text', text: 'two' }).finish().taken();
    assert.equal(places(transcript.messages, 'one two').length, 1);
  });

  it('the search finds what a form asks', async () => {
    const stage = Stage.asked('x');
    const asked = { kind: 'elicitation', message: 'Which  branch?', fields: [] };
    const call = { ...permissionCall('call-1'), arguments: JSON.stringify(asked) };
    await stage.last.open().ask(call).taken();
    assert.equal(places(stage.conversation.transcript.messages, 'which branch').length, 1);
  });
});

describe('the search of all conversations', () => {
  type Rows = readonly { readonly description?: string; readonly note?: string }[];
  const head = { id: 'c1', intern: 'i1', title: 'Garden', createdAt: 0 };
  const heads = [
    { ...head, state: 'idle', listed: 'archived' },
    { ...head, id: 'c2', state: 'idle' },
  ] as const;

  /** Returns the rows that a search shows. */
  async function search(query: string): Promise<Rows> {
    let rows: Rows = [];
    type Search = (query: string, signal: AbortSignal) => Promise<Rows>;
    await searchConversations({} as Account, {
      dialogs: {
        pick: async ({ search: find }: { search: Search }) => {
          rows = await find(query, new AbortController().signal);
          return { kind: 'left' };
        },
      } as never,
      conversations: {
        // Other tests may take minutes before this one runs.
        list: () => Promise.resolve(heads.map((each) => ({ ...each, at: Date.now() }))),
        read: () => Promise.resolve(Transcript.fold([])),
      },
      interns: { name: () => 'Ada' },
    });
    return rows;
  }

  it('the search finds archived conversations and marks them', async () => {
    const descriptions = (await search('garden')).map(({ description }) => description);
    assert.deepEqual(descriptions, ['Ada · Archived · just now', 'Ada · just now']);
  });

  it('the search says that nothing matches', async () => {
    assert.deepEqual(await search('forest'), [{ note: 'No matches' }]);
  });
});
