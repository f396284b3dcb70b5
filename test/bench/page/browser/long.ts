import { quantile } from '../../figures.ts';
import type { LongSeen } from '../seen.ts';
import { nextFrame } from './feed.ts';

export interface LongContender {
  /** Draws the conversation; resolves when its end is drawn. */
  open(): Promise<void>;
  readonly scroller: () => HTMLElement;
  write(text: string): void;
}

const scrollFrames = 120;
const pixelsPerFrame = 120;
const streamedFrames = 120;

/** Opens a conversation, scrolls up and back, and writes a reply at its end. */
export async function measureLong(contender: LongContender): Promise<LongSeen> {
  const start = performance.now();
  await contender.open();
  await nextFrame();
  const firstPaintMs = performance.now() - start;
  const scroller = contender.scroller();
  const scrollP95Ms = await frames(scrollFrames, () => scroller.scrollBy(0, -pixelsPerFrame));
  scroller.scrollTop = scroller.scrollHeight;
  await nextFrame();
  const firstTokenMs = await firstToken(contender);
  const streamP95Ms = await frames(streamedFrames, () =>
    contender.write('and **more** of it, '.repeat(2)),
  );
  const nodes = document.querySelectorAll('*').length;
  return { firstPaintMs, scrollP95Ms, streamP95Ms, firstTokenMs, nodes };
}

async function firstToken(contender: LongContender): Promise<number> {
  const start = performance.now();
  const seen = until(() => contender.scroller().textContent.includes('Zebra'));
  contender.write('Zebra ');
  await seen;
  await nextFrame();
  return performance.now() - start;
}

async function frames(count: number, act: () => void): Promise<number> {
  const taken: number[] = [];
  let before = await nextFrame();
  for (let frame = 0; frame < count; frame++) {
    act();
    const now = await nextFrame();
    taken.push(now - before);
    before = now;
  }
  return quantile(taken, 0.95);
}

/** Resolves when a change of the document makes the condition true. */
export function until(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!isSo()) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document, { childList: true, characterData: true, subtree: true });
  });
}

declare global {
  interface Window {
    showLong: (messages: number) => Promise<LongSeen>;
  }
}
