import { figureRows, row as line } from '../figures.ts';
import type { StreamResult } from './bench.ts';

const MODE_TITLES: Readonly<Record<string, string>> = {
  block: 'loopback, 64 KiB chunks',
  event: 'loopback, a chunk an event',
};

const CLIENT_TITLES: Readonly<Record<string, string>> = {
  floor: 'floor: read, split, JSON.parse',
  client: 'this client',
  openai: 'openai',
  streamText: 'ai, streamText, @ai-sdk/openai-compatible',
};

/** The tables of a stream bench, as text. */
export function printStream({ options, replyMb, rows, figures }: StreamResult): string {
  const lines = [
    `Chat stream: ${options.chunks} chunks, ${replyMb.toFixed(1)} MB, medians of ${options.runs} runs`,
  ];
  let mode = '';
  for (const row of rows) {
    if (row.mode !== mode) {
      mode = row.mode;
      lines.push(
        '',
        line(MODE_TITLES[mode] ?? mode, 'CPU s', '/ floor', 'RSS MB', 'chunks/s', 'MB/s'),
      );
    }
    lines.push(
      line(
        CLIENT_TITLES[row.client] ?? row.client,
        row.cpuSeconds.toFixed(3),
        row.cpuToFloor.toFixed(2),
        row.peakRssMb.toFixed(0),
        row.chunksPerSecond.toFixed(0),
        row.mbPerSecond.toFixed(1),
      ),
    );
  }
  return [...lines, ...figureRows(figures)].join('\n');
}
