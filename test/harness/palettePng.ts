import { deflateSync, crc32 } from 'node:zlib';
import type { Page } from 'playwright-core';

/** A picture in RGBA, from the top left. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Enough for screenshots of an editor. */
const maxColors = 64;

/**
 * Reduces a screenshot to 64 colors, which makes it four times smaller.
 * @param page any page: its browser decodes the picture
 */
export async function toPalette(page: Page, png: Buffer): Promise<Buffer> {
  const { width, height, data } = await decode(page, png);
  const { palette, indexes } = quantize(data);
  const rows = Buffer.alloc((width + 1) * height);
  // Each row begins with its filter: 0, none, compresses a palette best.
  for (let row = 0; row < height; row++)
    rows.set(indexes.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((rgb) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Decodes in the page. The code is text: this program does not have the DOM's types. */
async function decode(page: Page, png: Buffer): Promise<Pixels> {
  const source = JSON.stringify(png.toString('base64'));
  const { width, height, data } = await page.evaluate<{
    width: number;
    height: number;
    data: string;
  }>(`(async () => {
    const bytes = Uint8Array.from(atob(${source}), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    let text = '';
    for (let i = 0; i < data.length; i += 8192)
      text += String.fromCharCode(...data.subarray(i, i + 8192));
    return { width, height, data: btoa(text) };
  })()`);
  return { width, height, data: Buffer.from(data, 'base64') };
}

/** Selects the most frequent colors and maps each pixel to the nearest one. */
function quantize(data: Uint8Array): { palette: readonly number[]; indexes: Uint8Array } {
  const counts = new Map<number, number>();
  const pixels = new Uint32Array(data.length / 4);
  for (let i = 0; i < pixels.length; i++) {
    const [r = 0, g = 0, b = 0] = data.subarray(i * 4, i * 4 + 3);
    const rgb = (r << 16) | (g << 8) | b;
    pixels[i] = rgb;
    counts.set(rgb, (counts.get(rgb) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([rgb]) => rgb);
  const palette = pick(byCount);
  const nearestOf = new Map(byCount.map((rgb) => [rgb, nearest(palette, rgb)]));
  return { palette, indexes: Uint8Array.from(pixels, (rgb) => nearestOf.get(rgb) ?? 0) };
}

/** Returns the first colors, without those that are near to an earlier one if there are too many. */
function pick(byCount: readonly number[]): readonly number[] {
  for (let apart = 0; ; apart += 60) {
    const palette: number[] = [];
    for (const rgb of byCount) {
      const near = palette[nearest(palette, rgb)];
      if (near === undefined || distance(near, rgb) > apart) palette.push(rgb);
      if (palette.length > maxColors) break;
    }
    if (palette.length <= maxColors) return palette;
  }
}

function nearest(palette: readonly number[], rgb: number): number {
  let best = 0;
  let least = Infinity;
  for (const [index, candidate] of palette.entries()) {
    const apart = distance(candidate, rgb);
    if (apart >= least) continue;
    best = index;
    least = apart;
  }
  return best;
}

/** The squared distance of two colors. */
function distance(a: number, b: number): number {
  const parts = [16, 8, 0].map((shift) => ((a >> shift) & 255) - ((b >> shift) & 255));
  return parts.reduce((sum, part) => sum + part * part, 0);
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const frame = Buffer.alloc(4);
  frame.writeUInt32BE(body.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([frame, named, check]);
}
