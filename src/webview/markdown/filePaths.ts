import { isFilePath } from './links.ts';
import type { MarkupNode } from './nodes.ts';

/** Stretches of what paths are written with. */
const words = /[\w@.+~\-/\\:]+/g;
/** A folder or a line: without either, half of all product names would be asked about. */
const folderOrLine = /[\\/]|:\d/;

/** Plain text, with the paths of files in it apart: `src/main.ts`, `main.ts:10:5`, not `main.ts` alone. */
export function splitPaths(text: string): readonly MarkupNode[] {
  if (!folderOrLine.test(text)) return [text];
  const nodes: MarkupNode[] = [];
  let done = 0;
  for (const { 0: word, index } of text.matchAll(words)) {
    const path = word.replace(/[.:-]{1,8}$/, '');
    if (!folderOrLine.test(path) || !isFilePath(path)) continue;
    nodes.push(text.slice(done, index), { kind: 'file', path });
    done = index + path.length;
  }
  nodes.push(text.slice(done));
  return nodes;
}
