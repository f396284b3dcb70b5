import assert from 'node:assert/strict';
import { toJson, toMarkdown } from '../../../src/features/conversations/exportConversation.ts';
import { play, playAll } from './plays.ts';

describe('an unanswered question', () => {
  playAll(`
    an automatic cancel stops the run though the intern continues
      submit Go | policy cancel | open | ask | nobody | say All the same | wait 30 => phase idle; state stopped;
      isAborted true; card Not answered. Canceled automatically.
    the conversation gives the next question its own time after an automatic cancel
      submit Go | policy cancel | open | ask | nobody | open | ask call-2 => phase paused; sent Go, cancel; asked 2
    an unanswered question expires without a policy
      submit Go | open | ask | nobody => phase paused; sent Go
    the conversation sends no automatic answer if another window answers
      submit Go | policy refuse | open | ask | owner elsewhere | nobody => phase paused; sent Go
    the conversation sends no automatic answer after an answer that may not have arrived
      submit Go | policy refuse | open | ask | answer allow_once | reload | nobody => sent Go, allow_once
    the conversation shows the policy for unanswered questions on the card of a question
      submit Go | policy cancel | open | ask =>
      card Waiting for you. If you don’t answer, the run is canceled 30s before time runs out.
    an automatic answer follows a policy that another window has just recorded
      submit Go | policy refuse | open | ask | unread expire | nobody => phase paused; sent Go
    the conversation continues the run after an automatic rejection
      submit Go | policy refuse | open | ask | nobody | say Well. | finish => sent Go, reject_once; text Well.; state done
    the conversation shows after a reload that the answer was automatic
      submit Go | policy refuse | open | ask | nobody | finish | reload =>
      card Not answered. Rejected automatically.; cardOffers tellIntern
    the conversation shows that a lost automatic answer may have been received
      submit Go | policy refuse | open | ask | nobody | role | reload =>
      card Not answered. An automatic answer may have been received. You can answer.
    the card shows that an automatic answer may have closed the question before a later one
      submit Go | policy refuse | open | ask | nobody | role | reload | answer allow_once | fail not-pending =>
      endings maybe-answered; received reject_once;
      card Not answered. An automatic answer may have been received. The question has closed.
  `);

  it('the export says that an answer was automatic', async () => {
    const { conversation } = await play('submit Go | policy refuse | open | ask | nobody | finish');
    assert.match(toMarkdown(conversation, 'ada'), /^> Not answered\. Rejected/m);
    assert.match(toJson(conversation, 'ada'), /"by": "nobody"/);
  });
});
