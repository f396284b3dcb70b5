import type { PageMessages } from '../../src/protocol/messages.ts';
import type { MessageView } from '../../src/protocol/view.ts';

type Posted = { [K in keyof PageMessages]: { type: K; body: PageMessages[K] } }[keyof PageMessages];

declare global {
  interface Window {
    posted: Posted[];
    /** Durations of the tasks that took 50 ms or more. */
    longTasks: number[];
    /** The whole conversation, if requests for its messages are to be answered. */
    record: readonly MessageView[] | undefined;
    kept: unknown;
    tellPost?: (type: string) => void;
    /** Used by `isSeen`. */
    pointsInSight: (element: unknown) => unknown;
    acquireVsCodeApi: () => {
      postMessage(message: unknown): void;
      setState(state: unknown): void;
    };
  }
}

/** Runs in the page before its own script. Does what VS Code does, and answers pings. */
export function beVSCode(theme: {
  bodyClass: string;
  variables: Readonly<Record<string, string>>;
  aheadMs: number;
}): void {
  window.posted = [];
  window.longTasks = [];
  new PerformanceObserver((list) =>
    window.longTasks.push(...list.getEntries().map(({ duration }) => duration)),
  ).observe({ type: 'longtask' });
  const hostNow = Date.now;
  if (theme.aheadMs !== 0) Date.now = () => hostNow() + theme.aheadMs;
  const answerHistory = (from: number, count: number): void => {
    const messages = window.record?.slice(from, from + count) ?? [];
    window.postMessage({ type: 'history', body: { from, messages } });
  };
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => {
      const { type, body } = message as Posted;
      window.posted.push(structuredClone(message) as Posted);
      window.tellPost?.(type);
      if (type === 'ping' && !('silent' in window)) {
        const pong = { ...body, now: hostNow() };
        window.postMessage({ type: 'pong', body: pong });
      }
      if (window.record === undefined) return;
      if (type === 'history') answerHistory(body.from, body.count);
      if (type === 'around') {
        const index = window.record.findIndex(({ id }) => id === body.message);
        answerHistory(Math.max(0, index - body.count / 2), index < 0 ? 0 : body.count);
      }
    },
    setState: (state) => {
      window.kept = state;
    },
  });
  document.addEventListener('DOMContentLoaded', () => {
    document.body.className = theme.bodyClass;
    for (const [name, value] of Object.entries(theme.variables))
      document.documentElement.style.setProperty(name, value);
  });
}
