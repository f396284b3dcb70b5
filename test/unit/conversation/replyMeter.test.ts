import assert from 'node:assert/strict';
import { MAX_REPLY_CHARACTERS, type ChatEvent } from '../../../src/api/index.ts';
import { ReplyMeter } from '../../../src/conversation/replyMeter.ts';
import { permissionCall } from './conversationStage.ts';

const text = (length: number): ChatEvent => ({ kind: 'text', text: 'x'.repeat(length) });
const reasoning = (length: number): ChatEvent => ({ kind: 'reasoning', text: 'x'.repeat(length) });
/** What a part of a reply counts beside its text. */
const part = 256;
const tooLong = { kind: 'reply-too-long' };

describe('a reply without an end', () => {
  it('may hold the most there may be, to the character, and no more', () => {
    const meter = new ReplyMeter();
    meter.count('r', [text(MAX_REPLY_CHARACTERS - part)]);
    assert.throws(() => meter.count('r', [text(1)]), tooLong);
  });

  it('counts text that goes on as one part, and each change of its kind as another', () => {
    const steady = new ReplyMeter();
    steady.count('r', [text(1), text(1), text(MAX_REPLY_CHARACTERS - part - 2)]);
    const changing = new ReplyMeter();
    changing.count('r', [text(1), reasoning(1), text(MAX_REPLY_CHARACTERS - 3 * part - 2)]);
    assert.throws(() => changing.count('r', [text(1)]), tooLong);
  });

  it('counts each question with its arguments, also those that come one after the other', () => {
    const call = permissionCall('c');
    const asked = { kind: 'interaction', call } as ChatEvent;
    const size = call.name.length + call.arguments.length;
    const meter = new ReplyMeter();
    meter.count('r', [asked, asked, text(MAX_REPLY_CHARACTERS - 3 * part - 2 * size)]);
    assert.throws(() => meter.count('r', [text(1)]), tooLong);
  });

  it('is counted anew for each run, across the requests of one', () => {
    const meter = new ReplyMeter();
    meter.count('first', [text(MAX_REPLY_CHARACTERS - part)]);
    meter.count('second', [text(MAX_REPLY_CHARACTERS)]);
    assert.throws(() => meter.count('second', [text(1)]), tooLong);
  });
});
