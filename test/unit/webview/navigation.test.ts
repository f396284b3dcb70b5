import assert from 'node:assert/strict';
import type { MessageStore } from '../../../src/webview/messageStore.ts';
import { createNavigation } from '../../../src/webview/transcript/navigation.ts';
import type { TranscriptView } from '../../../src/webview/transcript/transcriptView.ts';
import { prompt } from '../../webview/fixtures/views.ts';

describe('createNavigation', () => {
  // Node has no such function.
  const page = globalThis as { reportError?: typeof reportError };
  after(() => delete page.reportError);

  it('the next move of the page runs after one that failed, which is reported', async () => {
    const reported: unknown[] = [];
    page.reportError = (failure) => void reported.push(failure);
    const failure = new Error('no answer');
    let loads = 0;
    const messages = {
      indexOf: () => undefined,
      load: () => (loads++ === 0 ? Promise.reject(failure) : Promise.resolve(prompt('p1', 'x'))),
    } as unknown as MessageStore;
    const focused = new Promise<unknown>((resolve) => {
      const ensure = (id: string) => Promise.resolve(id);
      const transcript = { currentIndex: 0, ensure, focus: resolve } as unknown as TranscriptView;
      const go = createNavigation(transcript, messages);
      go('prompt', 1);
      go('prompt', 1);
    });
    assert.equal(await focused, 'p1');
    assert.deepEqual(reported, [failure]);
  });
});
