import { median, row as line } from '../figures.ts';
import type { ActivationResults, ActivationTimes, ExtensionId } from './bench.ts';

/**
 * A table of the medians, in ms: what VS Code's own report shows with its sum and the range of the sums, then the same
 * without the time in which VS Code loaded other extensions.
 */
export function printActivation({ stored, windows }: ActivationResults): string {
  const row = (id: ExtensionId): string => {
    const times = windows.map((window) => window[id]);
    const sums = times.map(sumOf);
    const cells = [
      ...(['load', 'call', 'finish'] as const).map((part) => times.map((time) => time[part])),
      sums,
      times.map(({ ownLoad }) => ownLoad),
      times.map((time) => sumOf(time) - time.load + time.ownLoad),
    ].map((values) => median(values).toFixed(0));
    return line(id, ...cells, `${Math.min(...sums)}–${Math.max(...sums)}`);
  };
  const heads = ['load', 'call', 'finish', 'sum', 'own load', 'own sum', 'sums'];
  return [
    `Activation, ${windows.length} windows, ${stored.interns} interns and ${stored.conversations} conversations on disk (ms, medians)`,
    line('', ...heads),
    row('intern-service.interns'),
    row('vscode.git-base'),
  ].join('\n');
}

function sumOf({ load, call, finish }: ActivationTimes): number {
  return load + call + finish;
}
