import assert from 'node:assert/strict';
import { composePrompt, type ContextItem } from '../../../../src/conversation/attachments.ts';
import type { PromptSender } from '../../../../src/features/chatPanel/prompts/promptSender.ts';
import { selecting, SenderFixture } from '../../support/senderFixture.ts';

const item: ContextItem = { source: 'src/a.ts', language: 'ts', text: 'const a = 1;\n' };

describe('editing a prompt', () => {
  it('editing the last prompt returns its attachments and sends them again', async () => {
    const fixture = new SenderFixture();
    fixture.attached.push(item);
    await fixture.run('Why?');
    assert.deepEqual(fixture.attached, []);
    fixture.sender.edit(undefined);
    assert.deepEqual([fixture.attached, fixture.composed], [[item], ['Why?']]);
    await fixture.sender.submit('Why not?');
    assert.equal(fixture.lastSent, composePrompt('Why not?', [item]).sent);
  });

  it('Edit and Send Again on an older failure edits the prompt that failed', async () => {
    const fixture = new SenderFixture();
    fixture.attached.push(item);
    await fixture.run('Why?');
    const failed = fixture.stage.conversation.transcript.lastPrompt?.run;
    await fixture.run('And now?');
    fixture.sender.edit(failed);
    assert.deepEqual([fixture.attached, fixture.composed], [[item], ['Why?']]);
  });

  describe('the edit of the last prompt', () => {
    let fixture: SenderFixture;
    let sender: PromptSender;

    beforeEach(async () => {
      fixture = new SenderFixture();
      ({ sender } = fixture);
      await fixture.run('one');
      sender.edit(undefined);
    });

    it('an edit still replaces the prompt if the page reports an empty composer first', async () => {
      for (const text of ['one', 'two']) sender.saveDraft(text);
      const sent = fixture.run('two');
      sender.saveDraft('');
      await sent;
      assert.equal(fixture.edits, 1);
      await fixture.run('three');
      assert.equal(fixture.edits, 1, 'the next prompt is no edit');
    });

    it('Stop and Send of an edited prompt tells that the intern knows the earlier one', async () => {
      await sender.submit('two', true);
      const [notice] = fixture.stage.journal.filter(({ type }) => type === 'notice');
      assert.partialDeepStrictEqual(notice, { notice: 'edited' });
      assert.equal(fixture.lastSent, 'two');
    });

    it('an edit that was not sent stays an edit', async () => {
      sender.saveDraft('two');
      fixture.today = { spent: 5, limit: 5 };
      selecting(undefined, 'Send Anyway');
      await sender.submit('two');
      await sender.submit('two');
      assert.deepEqual([fixture.composed, fixture.edits], [['one', 'two'], 1]);
    });

    it('an edit ends when the user empties the composer, not before the prompt is in it', async () => {
      for (const text of ['', '', 'two']) sender.saveDraft(text);
      await fixture.run('two');
      assert.equal(fixture.edits, 1);
      sender.edit(undefined);
      for (const text of ['two', '', 'three']) sender.saveDraft(text);
      await fixture.run('three');
      assert.equal(fixture.edits, 1);
    });

    it('an edit that stops a run is recorded as an edit', async () => {
      sender.saveDraft('two');
      fixture.stage.submit('queued');
      await sender.submit('two', true);
      assert.equal(fixture.edits, 1);
    });

    it('an edit still replaces the prompt when the chat moves to another surface', async () => {
      sender.saveDraft('one, or t');
      const moved = fixture.openPage();
      moved.saveDraft('one, or two?');
      await moved.submit('one, or two?');
      assert.equal(fixture.edits, 1);
    });
  });
});
