import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { FrameScheduler } from '../../../src/webview/frames.ts';

describe('FrameScheduler', () => {
  // Node has no such function.
  const page = globalThis as { requestAnimationFrame?: (draw: () => void) => number };
  const frames = new EventEmitter<{ requested: [] }>();
  let requested: (() => void)[] = [];
  before(() => {
    page.requestAnimationFrame = (draw) => {
      frames.emit('requested');
      return requested.push(draw);
    };
  });
  beforeEach(() => {
    requested = [];
  });
  after(() => delete page.requestAnimationFrame);

  function drawFrame(): void {
    for (const draw of requested.splice(0)) draw();
  }

  it('draws a new message in the next frame though others were drawn in this one', () => {
    const scheduler = new FrameScheduler(() => undefined);
    let draws = 0;
    scheduler.request({});
    drawFrame();
    scheduler.request({
      draw: () => {
        draws++;
        return false;
      },
    });
    drawFrame();
    assert.equal(draws, 1);
  });

  it('pauses before it draws the same message again', async () => {
    const scheduler = new FrameScheduler(() => undefined);
    const message = {};
    scheduler.request(message);
    drawFrame();
    scheduler.request(message);
    assert.deepEqual(requested, []);
    await once(frames, 'requested');
  });

  it('pauses before it draws the rest of a batch', async () => {
    const scheduler = new FrameScheduler(() => undefined);
    scheduler.request({ draw: spendBudget });
    scheduler.request({});
    drawFrame();
    assert.deepEqual(requested, []);
    await once(frames, 'requested');
  });
});

/** Takes as long as one frame may draw. */
function spendBudget(until: number): boolean {
  while (performance.now() < until);
  return false;
}
