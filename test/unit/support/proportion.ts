import assert from 'node:assert/strict';

/**
 * Fails where something takes more than in proportion to the length of its text, in the thread's own time. What else the
 * machine does can only add to a time, so that one that seems too long is taken again, at most 20 times.
 *
 * @param lengths in characters, each four times the one before
 */
export function assertInProportion(
  lengths: readonly number[],
  textOf: (length: number) => string,
  run: (text: string) => void,
): void {
  let quarter = Infinity;
  for (const length of lengths) {
    const text = textOf(length);
    let least = Infinity;
    for (let tries = 0; tries < 20 && !inProportion(least, quarter); tries += 1)
      least = Math.min(least, timeOf(run, text));
    assert.ok(
      inProportion(least, quarter),
      `${least} ms, and ${quarter} ms for a quarter of ${JSON.stringify(text.slice(0, 40))}…`,
    );
    quarter = least;
  }
}

/** Whether a time in milliseconds is less than four times as much text may take; sixteen times would be the square. */
function inProportion(time: number, quarter: number): boolean {
  return time < 40 || time < 9 * quarter;
}

function timeOf(run: (text: string) => void, text: string): number {
  const before = process.threadCpuUsage();
  run(text);
  return process.threadCpuUsage(before).user / 1000;
}
