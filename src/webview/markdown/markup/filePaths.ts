import type { MarkupNode } from './nodes.ts';

const fileExtensions =
  'c|cc|cfg|conf|cpp|cs|css|csv|dart|ex|exs|go|gradle|graphql|h|hpp|html|ini|ipynb|java|js|json|jsonc|jsx|kt|less|lock|lua|md|mdx|mjs|mts|cjs|cts|php|pl|prisma|proto|ps1|py|rb|rs|sass|scala|scss|sh|sql|svelte|svg|swift|tf|toml|ts|tsx|txt|vue|xml|yaml|yml';
const filePath = new RegExp(
  `^(?:~?\\.{0,2}[\\\\/])?(?:[\\w@.+-]+[\\\\/])*[\\w@.+-]*\\.(?:${fileExtensions})(?::\\d+(?:[:-]\\d+)?)?$`,
  'i',
);
/** Most paths of one text that are looked for. */
const mostPaths = 500;
/** Stretches of what paths are written with. */
const words = /[\w@.+~\-/\\:]+/g;
/** A folder or a line: without either, half of all product names would be asked about. */
const folderOrLine = /[\\/]|:\d/;

/** Whether inline code reads like the path of a file, perhaps with a line: `src/main.ts:10`. */
export function isFilePath(code: string): boolean {
  return code.length <= 260 && filePath.test(code);
}

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
    if (nodes.length >= 2 * mostPaths) break;
  }
  nodes.push(text.slice(done));
  return nodes;
}
