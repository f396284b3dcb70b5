/** A host in the page itself, without an editor. */
import type { HostMessages, PageMessages } from '../../../../src/protocol/messages.ts';
import type { Change, MessageView } from '../../../../src/protocol/view.ts';
import { strings } from '../../../webview/fixtures/strings.ts';
import { prompt, reply, snapshot } from '../../../webview/fixtures/views.ts';
import { messageText } from './workload.ts';

/** Messages that the host sends at first. */
const firstStretch = 100;

export class BenchHost {
  readonly #messages: readonly MessageView[];
  #seq = 1;

  /** @param count how many messages the conversation has */
  constructor(count: number) {
    this.#messages = Array.from({ length: count }, (_, index) => message(index));
    Object.assign(window, {
      acquireVsCodeApi: () => ({
        // While the page is on the stack, the browser's inspector would parse its whole script again for a stack trace.
        postMessage: ({ type, body }: { type: string; body: never }) =>
          queueMicrotask(() => this.#answer(type, body)),
        setState: () => undefined,
      }),
    });
  }

  change(...changes: readonly Change[]): void {
    this.#seq += changes.length;
    this.#send('changes', { seq: this.#seq, changes });
  }

  #answer(type: string, body: never): void {
    if (type === 'ready') this.#sendSnapshot();
    else if (type === 'ping')
      this.#send('pong', { ...(body as PageMessages['ping']), now: Date.now() });
    else if (type === 'history') this.#sendHistory(body);
  }

  #sendSnapshot(): void {
    const earlier = Math.max(0, this.#messages.length - firstStretch);
    const view = snapshot({ messages: this.#messages.slice(earlier), earlier });
    const savedState = { account: '', intern: '', conversation: '' };
    this.#send('snapshot', { seq: this.#seq, now: Date.now(), strings, view, savedState });
  }

  #sendHistory({ from, count }: PageMessages['history']): void {
    this.#send('history', { from, messages: this.#messages.slice(from, from + count) });
  }

  #send<K extends keyof HostMessages>(type: K, body: HostMessages[K]): void {
    window.postMessage({ type, body });
  }
}

function message(index: number): MessageView {
  const text = messageText(index);
  return index % 2 === 0 ? prompt(`m${index}`, text) : reply(`m${index}`, text);
}
