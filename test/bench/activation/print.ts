import type { ActivationResults, ActivationTimes, ExtensionId } from './bench.ts';

/** A table of the medians, in ms, with the range of the sums. */
export function printActivation({ stored, windows }: ActivationResults): string {
  const row = (id: ExtensionId): string => {
    const times = windows.map((window) => window[id]);
    const sums = times.map(sumOf);
    const medians = (['load', 'call', 'finish'] as const).map((part) =>
      median(times.map((time) => time[part])),
    );
    const cells = [...medians, median(sums)].map((ms) => ms.toFixed(0).padStart(7));
    return `${id.padEnd(24)}${cells.join('')}   ${Math.min(...sums)}–${Math.max(...sums)}`;
  };
  return [
    `Activation, ${windows.length} windows, ${stored.interns} interns and ${stored.conversations} conversations on disk (ms, medians)`,
    `${''.padEnd(24)}${['load', 'call', 'finish', 'sum'].map((head) => head.padStart(7)).join('')}   range`,
    row('intern-service.interns'),
    row('vscode.git-base'),
  ].join('\n');
}

function sumOf({ load, call, finish }: ActivationTimes): number {
  return load + call + finish;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = NaN, high = low] = sorted.slice(Math.ceil(middle) - 1, Math.floor(middle) + 1);
  return (low + high) / 2;
}
