import assert from 'node:assert/strict';
import { readUsd } from '../../../src/features/chatPanel/prompts/sendingDialogs.ts';
import { playAll } from './plays.ts';

describe('the cost limit', () => {
  playAll(`
    the conversation holds a prompt when the cost limit is reached
      limit 1 | submit Go | finish session-1 1 | submit Two => sent Go; queued Two; isHeld true
    the conversation holds a queued prompt when the cost limit of the day is reached
      submit One | submit Two | day-limit | finish => sent One; queued Two; isHeld true
    the conversation says that the cost limit of the day holds a prompt, not a failed run
      day-limit | submit One => sent none; queued One; isHeld true; banner Today’s cost limit is reached. The prompts below weren’t sent.
    the conversation does not say that a stopped run failed
      submit Go | finish session-1 | submit One | submit Two | stop => queued Two;
      banner The intern may still be busy for {time}. A prompt you send now waits. The prompts below weren’t sent.
    the conversation sends a held prompt after the cost limit was removed
      limit 1 | submit Go | finish session-1 1 | submit Two | limit none | send-now => sent Go, Two
    the conversation holds a prompt at the cost limit when the question before it is canceled
      submit One | open | ask | submit Two | cancel-and-send | limit 1 | finish session-1 1 => sent One, cancel;
      isHeld true
    the conversation holds a prompt at the cost limit when it no longer waits for a left run
      mode self-drive | submit One | open | stop | submit Two | other cost | limit 1 | wait 30000 => phase idle;
      sent One; isHeld true
    the conversation holds queued prompts at the cost limit until the user overrides it
      limit 1 | submit One | submit Two | submit Three | finish session-1 1 | send-now => sent One; isHeld true;
      banner The cost limit of $1.00 is reached. You’re asked before each prompt. The prompts below weren’t sent.
    an override of the cost limit sends one prompt alone
      limit 1 | submit One | submit Two | submit Three | finish session-1 1 | send-anyway | finish session-1 1 =>
      sent One, Two; queued Three
  `);
});

describe('the cost of a conversation', () => {
  playAll(`
    the conversation shows no cost before one is known
      submit Go | finish => cost none
    the conversation shows the sum of the costs that all windows reported
      submit Go | finish session-1 0.1 | submit Go | finish session-1 0.2 | submit Go | finish session-1 0.4 |
      other cost => cost Cost: $1.70
    the conversation shows the same sum of costs after a reload, with its limit
      submit Go | finish session-1 0.1 | submit Go | finish session-1 0.2 | submit Go | finish session-1 0.4 |
      other cost | limit 2 | reload => cost Cost: $1.70 of $2.00
    the conversation shows how many replies reported no cost
      submit Go | finish | limit 2 => cost Cost: $0.00 of $2.00, unknown for 1 reply
    the cost of a stopped reply counts as unknown, but not that of a refused prompt
      submit Go | finish | limit 2 | submit Go | stop | submit Go | fail invalid-request =>
      cost Cost: $0.00 of $2.00, unknown for 2 replies
    the conversation shows no banner below 80% of the cost limit
      limit 1 | submit Go | finish session-1 0.79 => banner none
    the conversation shows a banner at 80% of the cost limit
      limit 1 | submit Go | finish session-1 0.79 | submit Go | finish session-1 0.01 => banner 80% of the $1.00 cost
      limit is used. The cost is known only when a run ends, so a run can exceed the limit.
    the conversation shows another banner at the cost limit
      limit 1 | submit Go | finish session-1 0.9 | submit Go | finish session-1 0.1 => offers limitCost, continueInNew;
      banner The cost limit of $1.00 is reached. You’re asked before each prompt.
  `);

  it('the cost limit accepts amounts of money as people type them, and nothing else', () => {
    for (const [text, usd] of [
      ...([['2.50', 2.5] as const, [' $3 ', 3], ['0,75', 0.75], ['', null]] as const),
      ...(['0', '-1', '1,000.00', 'many'] as const).map((text) => [text, undefined] as const),
    ])
      assert.equal(readUsd(text), usd, text);
  });
});
