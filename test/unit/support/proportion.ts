import assert from 'node:assert/strict';

/**
 * Fails where something takes more than in proportion to the length of its text, in the thread's own time. What else the
 * machine does can only add to a time, so that one that seems too long is taken again, at most 20 times.
 *
 * @param lengths in characters, each the same multiple of the one before
 * @param most how many times the time of one length the next one may take; the default is for four times the length
 */
export function assertInProportion(
  lengths: readonly number[],
  textOf: (length: number) => string,
  run: (text: string) => void,
  most = 9,
): void {
  let before = Infinity;
  // Shorter times are too short to be compared.
  const isInProportion = (time: number): boolean => time < 40 || time < most * before;
  for (const length of lengths) {
    const text = textOf(length);
    let least = Infinity;
    for (let tries = 0; tries < 20 && !isInProportion(least); tries += 1)
      least = Math.min(least, timeOf(run, text));
    assert.ok(
      isInProportion(least),
      `${least} ms, and ${before} ms for the length before of ${JSON.stringify(text.slice(0, 40))}…`,
    );
    before = least;
  }
}

function timeOf(run: (text: string) => void, text: string): number {
  const before = process.threadCpuUsage();
  run(text);
  return process.threadCpuUsage(before).user / 1000;
}
