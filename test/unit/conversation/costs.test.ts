import assert from 'node:assert/strict';
import { readUsd } from '../../../src/features/chatPanel/prompts/sendingDialogs.ts';
import { playAll } from './plays.ts';

describe('a prompt over the cost limit', () => {
  playAll(`
    is held
      limit 1 | submit Go | finish session-1 1 | submit Two => sent Go; queued Two; isHeld true
    is sent after the limit was removed
      limit 1 | submit Go | finish session-1 1 | submit Two | limit none | send-now => sent Go, Two
    is held when the question before it is canceled
      submit One | open | ask | submit Two | cancel-and-send | limit 1 | finish session-1 1 => sent One, cancel;
      isHeld true
    is held when it no longer waits for a run that was left
      mode self-drive | submit One | open | stop | submit Two | other cost | limit 1 | wait 30000 => phase idle;
      sent One; isHeld true
    is held when it was queued, and not sent without an override
      limit 1 | submit One | submit Two | submit Three | finish session-1 1 | send-now => sent One; isHeld true;
      banner The cost limit of $1.00 is reached. You’re asked before each prompt. The prompts below weren’t sent.
    is sent alone with an override
      limit 1 | submit One | submit Two | submit Three | finish session-1 1 | send-anyway | finish session-1 1 =>
      sent One, Two; queued Three
  `);
});

describe('what a conversation costs', () => {
  playAll(`
    is not shown before a cost is known
      submit Go | finish => cost none
    is the sum of the reported costs of all windows
      submit Go | finish session-1 0.1 | submit Go | finish session-1 0.2 | submit Go | finish session-1 0.4 |
      other cost => cost Cost: $1.70
    is the same sum after a reload, and is shown with its limit
      submit Go | finish session-1 0.1 | submit Go | finish session-1 0.2 | submit Go | finish session-1 0.4 |
      other cost | limit 2 | reload => cost Cost: $1.70 of $2.00
    shows how many replies reported no cost beside a limit
      submit Go | finish | limit 2 => cost Cost: $0.00 of $2.00, unknown for 1 reply
    counts a stopped reply among those, but not a refused prompt
      submit Go | finish | limit 2 | submit Go | stop | submit Go | fail invalid-request =>
      cost Cost: $0.00 of $2.00, unknown for 2 replies
    shows no banner below 80% of its limit
      limit 1 | submit Go | finish session-1 0.79 => banner none
    shows a banner at 80% of its limit
      limit 1 | submit Go | finish session-1 0.79 | submit Go | finish session-1 0.01 => banner 80% of the $1.00 cost
      limit is used. The cost is known only when a run ends, so a run can exceed the limit.
    shows the same banner below its limit
      limit 1 | submit Go | finish session-1 0.79 | submit Go | finish session-1 0.11 => banner 80% of the $1.00 cost
      limit is used. The cost is known only when a run ends, so a run can exceed the limit.
    shows another banner at its limit
      limit 1 | submit Go | finish session-1 0.9 | submit Go | finish session-1 0.1 => offers limitCost;
      banner The cost limit of $1.00 is reached. You’re asked before each prompt.
  `);

  it('reads an amount as people type it, and nothing else', () => {
    for (const [text, usd] of [
      ...([['2.50', 2.5] as const, [' $3 ', 3], ['0,75', 0.75], ['', null]] as const),
      ...(['0', '-1', '1,000.00', 'many'] as const).map((text) => [text, undefined] as const),
    ])
      assert.equal(readUsd(text), usd, text);
  });
});
