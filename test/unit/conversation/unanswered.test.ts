import assert from 'node:assert/strict';
import { toJson, toMarkdown } from '../../../src/features/conversations/exportConversation.ts';
import { play, playAll } from './plays.ts';

describe('a conversation whose question nobody answers', () => {
  playAll(`
    stops the run if that is its policy, though the intern goes on after the cancel
      submit Go | policy cancel | open | ask | nobody | say All the same | wait 30 => phase idle; state stopped;
      isAborted true; card Not answered. Canceled automatically.
    gives the next question its own time, also after a cancel
      submit Go | policy cancel | open | ask | nobody | open | ask call-2 => phase paused; sent Go, cancel; asked 2
    lets the question expire without a policy
      submit Go | open | ask | nobody => phase paused; sent Go
    sends nothing if another window answers
      submit Go | policy refuse | open | ask | owner elsewhere | nobody => phase paused; sent Go
    sends no second answer, even if the first may not have arrived
      submit Go | policy refuse | open | ask | answer allow_once | reload | nobody => sent Go, allow_once
    shows its policy on the card that waits
      submit Go | policy cancel | open | ask =>
      card Waiting for you. If you don’t answer, the run is canceled with 0:30 left.
    follows a policy that another window has just recorded
      submit Go | policy refuse | open | ask | unread expire | nobody => phase paused; sent Go
    rejects it and continues
      submit Go | policy refuse | open | ask | nobody | say Well. | finish => sent Go, reject_once; text Well.; state done
    shows after a reload that the answer was automatic
      submit Go | policy refuse | open | ask | nobody | finish | reload =>
      card Not answered. Rejected automatically.; cardOffers tellIntern
    may have rejected it if the automatic answer was lost
      submit Go | policy refuse | open | ask | nobody | role | reload =>
      card Not answered. An automatic answer may have been received. You can answer.
    may have rejected it if a later answer comes too late
      submit Go | policy refuse | open | ask | nobody | role | reload | answer allow_once | fail not-pending =>
      endings maybe-answered; received reject_once;
      card Not answered. An automatic answer may have been received. The question has closed.
  `);

  it('exports that the answer was automatic', async () => {
    const { conversation } = await play('submit Go | policy refuse | open | ask | nobody | finish');
    assert.match(toMarkdown(conversation, 'ada'), /^> Not answered\. Rejected/m);
    assert.match(toJson(conversation, 'ada'), /"by": "nobody"/);
  });
});
