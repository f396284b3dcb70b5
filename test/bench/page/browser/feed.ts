import { quantile } from '../../figures.ts';
import type { Seen } from '../seen.ts';

export interface Contender {
  write(text: string): void;
  end(): void;
}

/** A chat's rate at its fastest: twenty tokens of twenty characters a frame. */
const charactersPerFrame = 400;

interface LongFrame extends PerformanceEntry {
  readonly scripts: readonly PerformanceEntry[];
}

/** Writes a text to a contender, a part in each frame, until all is drawn or `limitMs` have passed. */
export async function feed(contender: Contender, text: string, limitMs: number): Promise<Seen> {
  const longFrames = watchLongFrames();
  const { frames, written } = await writeFrames(contender, text, limitMs);
  contender.end();
  for (let quiet = 0; quiet < 10; quiet++) await nextFrame();
  return {
    share: Math.min(1, written / text.length),
    longestScriptMs: longFrames.longestScript(),
    frameP95Ms: quantile(frames, 0.95),
    nodes: document.querySelectorAll('*').length,
  };
}

/** Writes in the frame's callback, because browsers do not count code after a promise as script. */
function writeFrames(
  contender: Contender,
  text: string,
  limitMs: number,
): Promise<{ readonly frames: readonly number[]; readonly written: number }> {
  return new Promise((resolve) => {
    const frames: number[] = [];
    const start = performance.now();
    let before: number | undefined;
    let written = 0;
    const step = (now: number): void => {
      if (before !== undefined) frames.push(now - before);
      before = now;
      if (written >= text.length || now - start > limitMs) {
        resolve({ frames, written });
        return;
      }
      contender.write(text.slice(written, written + charactersPerFrame));
      written += charactersPerFrame;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
}

function watchLongFrames(): { longestScript(): number } {
  let longest = 0;
  const observer = new PerformanceObserver((entries) => {
    for (const entry of entries.getEntries())
      for (const { duration } of (entry as LongFrame).scripts)
        longest = Math.max(longest, duration);
  });
  observer.observe({ type: 'long-animation-frame' });
  return {
    longestScript: () => {
      observer.disconnect();
      return longest;
    },
  };
}

export function nextFrame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve));
}

/** Creates a scroller of a panel's size, and returns the element for the reply. */
export function openScroller(): HTMLElement {
  const style = 'width:420px;height:800px;overflow-y:auto;font:13px/1.5 sans-serif';
  document.body.innerHTML = `<div id="scroller" style="${style}"><div id="reply"></div></div>`;
  return document.getElementById('reply')!;
}

export function followEnd(): void {
  const element = document.getElementById('scroller')!;
  element.scrollTop = element.scrollHeight;
}

declare global {
  interface Window {
    drawReply: (characters: number, limitMs: number) => Promise<Seen>;
  }
}
