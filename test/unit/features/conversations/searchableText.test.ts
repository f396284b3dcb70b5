import assert from 'node:assert/strict';
import type { Message } from '../../../../src/conversation/messages.ts';
import { findInTranscript } from '../../../../src/features/conversations/searchConversations.ts';
import { Stage } from '../../conversation/conversationStage.ts';
import { permissionCall } from '../../conversation/fakeExchange.ts';

/** A conversation of one prompt and the reply to it. */
async function said(prompt: string, ...reply: readonly string[]): Promise<readonly Message[]> {
  const stage = Stage.asked(prompt);
  stage.last.open();
  for (const text of reply) stage.last.say({ kind: 'text', text });
  stage.last.finish();
  await stage.settle();
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
    stage.last.open().say({ kind: 'text', text: 'one ' });
    await stage.settle();
    const { transcript } = stage.conversation;
    assert.equal(places(transcript.messages, 'two').length, 0);
    stage.last.say({ kind: 'text', text: 'two' }).finish();
    await stage.settle();
    assert.equal(places(transcript.messages, 'one two').length, 1);
  });

  it('the search finds what a form asks', async () => {
    const stage = Stage.asked('x');
    const asked = { kind: 'elicitation', message: 'Which  branch?', fields: [] };
    const call = { ...permissionCall('call-1'), arguments: JSON.stringify(asked) };
    stage.last.open().ask(call);
    await stage.settle();
    assert.equal(places(stage.conversation.transcript.messages, 'which branch').length, 1);
  });
});
