import assert from 'node:assert/strict';
import type { MessageView } from '../../../src/protocol/view.ts';
import { Navigation } from '../../../src/webview/transcript/navigation.ts';
import type { TranscriptView } from '../../../src/webview/transcript/transcriptView.ts';
import { prompt } from '../../webview/fixtures/views.ts';

describe('Navigation', () => {
  // Node has no such function.
  const page = globalThis as { reportError?: typeof reportError };
  after(() => delete page.reportError);

  it('the next move of the page runs after one that failed, which is reported', async () => {
    const reported: unknown[] = [];
    page.reportError = (failure) => void reported.push(failure);
    const failure = new Error('no answer');
    const loaded: MessageView[] = [prompt('p1', 'x')];
    let loads = 0;
    const focused = new Promise<unknown>((resolve) => {
      const transcript = {
        currentIndex: 0,
        history: {
          load: () => (loads++ === 0 ? Promise.reject(failure) : Promise.resolve(loaded[0])),
        },
        ensure: (id: string) => Promise.resolve(id),
        focus: resolve,
      } as unknown as TranscriptView;
      const messages = { count: 2, at: () => undefined, indexOf: () => undefined };
      const navigation = new Navigation(transcript, messages);
      navigation.go('prompt', 1);
      navigation.go('prompt', 1);
    });
    assert.equal(await focused, 'p1');
    assert.deepEqual(reported, [failure]);
  });
});
