import assert from 'node:assert/strict';

/**
 * Fails if the CPU time of `run` grows faster than the length of its text. A busy machine only adds to a time, so a
 * long one is measured again, at most 20 times.
 * @param lengths in characters, each the same multiple of the last
 * @param most the largest ratio of two successive times; the default is for four times the length
 */
export function assertInProportion(
  lengths: readonly number[],
  textOf: (length: number) => string,
  run: (text: string) => void,
  most = 9,
): void {
  let before = Infinity;
  // Shorter times cannot be compared.
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
