import assert from 'node:assert/strict';
import type { ChatPage } from '../../../../src/features/chatPanel/chatPage.ts';
import { Stage } from '../../conversation/conversationStage.ts';
import { chatPage } from '../../support/chatPages.ts';
import { FakeSurface } from '../../support/fakeSurface.ts';
import { useStubs } from '../../support/stubEditor.ts';

const HOUR_MS = 3_600_000;

describe('the edit of a queued prompt', () => {
  const stub = useStubs();
  let stage: Stage;
  let surface: FakeSurface;
  let page: ChatPage;
  let id: string;

  /** The user edits the prompt that waits for the end of a run. */
  beforeEach(async () => {
    stage = new Stage();
    surface = new FakeSurface();
    page = chatPage(stub, stage.conversation, { surface, clock: stage.clock });
    await stage.settle();
    stage.submit('One');
    stage.submit('Two');
    await stage.settle();
    ({ id } = stage.state.queue[0]!);
    surface.say('editingQueued', { ids: [id] });
  });

  afterEach(() => page.dispose());

  const sent = () => stage.exchanges.map(({ chat }) => 'text' in chat && chat.text);

  it('a prompt whose edit outlasts the run is sent with the saved text', async () => {
    await stage.finish();
    assert.deepEqual(sent(), ['One']);
    surface.say('editQueued', { id, text: 'Two!' });
    surface.say('editingQueued', { ids: [] });
    await stage.settle();
    assert.deepEqual(sent(), ['One', 'Two!']);
  });

  for (const [title, end] of [
    ['its page is hidden', () => surface.show(false)],
    ['its edit lasts an hour', () => stage.advance(HOUR_MS)],
    ['its page loads again', () => surface.say('ready', { lastSeq: null })],
    ['its page closes, as before a deletion', () => page.dispose()],
  ] as const)
    it(`a prompt whose run is over is held when ${title}`, async () => {
      await stage.finish();
      await end();
      assert.deepEqual([sent(), stage.state.queueHeld], [['One'], true]);
    });

  for (const [title, end] of [
    ['hidden', () => surface.show(false)],
    ['loaded again', () => surface.say('ready', { lastSeq: null })],
  ] as const)
    it(`a prompt is held when the run ends after its page was ${title}`, async () => {
      end();
      await stage.finish();
      assert.deepEqual([sent(), stage.state.queueHeld], [['One'], true]);
    });

  it('a prompt is sent when the run ends after its page was closed', async () => {
    page.dispose();
    await stage.finish();
    assert.deepEqual(sent(), ['One', 'Two']);
  });
});
