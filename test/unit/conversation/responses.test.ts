import assert from 'node:assert/strict';
import { messageView } from '../../../src/features/chatPanel/present/messageView.ts';
import { Stage } from './conversationStage.ts';
import { endEvent } from './fakeExchange.ts';
import { factsOf, playAll } from './plays.ts';
import { reasoning, responseOf, text } from './recordedRuns.ts';
import { messageContext } from './viewContexts.ts';

describe('an unusable response', () => {
  playAll(`
    a run with too many tool calls ends though the response said that it waits
      submit One | finish session-1 | submit Two | asking | end tool_calls | fail too-many-calls => phase idle; asked 0;
      state failed
    the conversation leaves a run with too many tool calls after a reload
      submit One | finish session-1 | submit Two | asking | end tool_calls | fail too-many-calls | reload =>
      phase idle; state failed; endings run-ended
    Stop ends a run as stopped though its response cannot be used
      submit Hello | open | ask | stop | open | malformed | pause => phase idle; state stopped
    the conversation shows that a reply failed with too many tool calls
      submit Hello | say Hm | fail too-many-calls => text Hm; phase idle; title The reply asks too many questions at once
    a run fails if it waits for an unreadable tool call
      submit Hello | open | malformed | pause => phase idle; runs false
    the conversation shows after a reload that Retry may do the work twice
      submit Hello | open | malformed | pause | reload => state failed; leftAt 0; failureOffers retry, newConversation;
      title The intern’s question can’t be answered; detail
      The service will probably cancel the run when the question expires. The intern may already be working on it.
      Retry may do the work twice.
  `);

  it('a conversation shows after a reload that a question could not be read', async () => {
    const stage = Stage.asked('Hello');
    stage.last.open().say({ kind: 'malformed', problem: 'not-json' });
    await stage.last.say({ kind: 'malformed', problem: 'tool-call' }).finish().taken();
    stage.reload();
    const told = stage.conversation.transcript.messages
      .map((message) => messageView(message, messageContext))
      .flatMap((view) => (view.kind === 'notice' ? view.text : []));
    assert.equal(told.length, 1);
    assert.match(told[0]!, /Can’t display the question/);
  });

  it('a conversation shows after a reload until when the service asks to wait', async () => {
    const stage = Stage.asked('Hello');
    await stage.fail({ kind: 'rate-limited', status: 429, retryAfterMs: 600_000 });
    stage.reload();
    const view = messageView(stage.reply, messageContext);
    assert.ok(view.kind === 'reply');
    assert.match(view.failure?.detail ?? '', /asks you to wait until/);
  });

  it('a conversation keeps the service’s ID of the response', async () => {
    const stage = Stage.asked('Hello');
    const end = { ...endEvent('session-1'), completionId: 'chatcmpl-1' };
    await stage.last.open().say({ kind: 'finish', reason: 'stop' }, end).done().taken();
    stage.reload();
    assert.equal(stage.reply.completion, 'chatcmpl-1');
  });
});

describe('a response that comes in pieces', () => {
  it('a conversation records the first text at once, and merges later text for a moment', async () => {
    const stage = Stage.asked('Hello');
    const recorded = () =>
      stage.journal.flatMap((entry) =>
        entry.type === 'text' || entry.type === 'reasoning' ? `${entry.type} ${entry.text}` : [],
      );
    await stage.last.open().say(text('One ')).taken();
    assert.deepEqual(recorded(), ['text One ']);
    for (const words of ['two ', 'three ']) {
      await stage.last.say(text(words)).taken();
    }
    await stage.advance(29);
    assert.deepEqual(recorded(), ['text One ']);
    await stage.advance(1);
    assert.deepEqual(recorded(), ['text One ', 'text two three ']);
    await stage.last.say(text('four.'), reasoning('Done')).taken();
    assert.equal(recorded().length, 2);
    await stage.last.say({ kind: 'finish', reason: 'stop' }).taken();
    assert.deepEqual(recorded().slice(2), ['text four.', 'reasoning Done']);
  });

  it('a conversation removes a response once its end is on disk, unless a later window needs it', async () => {
    const keptAfter = async (end: (stage: Stage) => Promise<void> | void): Promise<number> => {
      const stage = Stage.asked('Hello');
      stage.kept.add(responseOf(stage.journal));
      await end(stage);
      await stage.settle();
      return stage.kept.size;
    };
    assert.equal(await keptAfter((stage) => stage.finish()), 0);
    const onFullDisk = await keptAfter(async (stage) => {
      stage.recorded = Promise.resolve(false);
      await stage.finish();
    });
    assert.equal(onFullDisk, 1);
    assert.equal(await keptAfter((stage) => stage.conversation.dispose()), 1);
  });
});

describe('an unlisted finish reason', () => {
  playAll(`
    the conversation shows an unlisted finish reason after a reload
      submit Hello | say Hm | unlisted | done session-1 | reload => state failed; text Hm;
      title The reply ended with “content_filter”
    the chat shows an unlisted finish reason if the stream breaks before its final chunk
      submit Hello | unlisted | fail severed => title The reply ended with “content_filter”
    the conversation holds the queue after an unlisted finish reason
      submit One | submit Two | unlisted | done null => runs false; queued Two; isHeld true; leftAt none
    the conversation sends the queue after an unlisted finish reason when the user asks for it
      submit One | submit Two | unlisted | done null | send-now => sent One, Two; phase requesting
  `);
});

describe('a silent stream', () => {
  playAll(`
    the conversation shows a banner for a silent stream and logs it
      submit Hello | open | quiet 90000 => banner No data for over a minute. The connection may be lost.;
      offers stop; silences 90000
    the conversation hides the banner of a silent stream once bytes come again
      submit Hello | open | quiet 90000 | quiet 180000 | sound => banner none
    the conversation shows the banner again when a stream falls silent again
      submit Hello | open | quiet 90000 | sound | quiet 90000 => offers stop
    the conversation hides the banner of a silent stream once the run has ended
      submit Hello | open | quiet 90000 | finish => banner none
    the conversation shows that a silent run is being stopped
      submit Hello | open | ask | stop | open | quiet 90000 => banner Canceling the question to stop the run…
    the conversation shows that a run is being stopped while its cancel is sent again
      submit Hello | open | ask | stop | fail network => phase backing-off; offers sendNow;
      banner Canceling the question to stop the run…
  `);

  it('silence of an earlier stream does not affect the next run', async () => {
    const stage = Stage.asked('One');
    const first = stage.last.open();
    await stage.stopped();
    stage.submit('Two');
    await stage.settle();
    first.quiet(90_000);
    assert.equal(factsOf(stage).banner, '');
    assert.equal(stage.phase, 'requesting');
  });
});
