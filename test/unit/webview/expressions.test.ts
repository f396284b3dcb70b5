import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { projectFolder } from '../../harness/paths.ts';
import { assertInProportion } from '../support/proportion.ts';

/** Sources with regular expressions for the text of interns. */
const places = [
  'src/webview/{markdown,highlight}/**/*.ts',
  'src/webview/{fileLinks,narrator,textRanges,spokenText}.ts',
  'src/base/{markdownText,sentences,links}.ts',
  'src/features/conversations/{searchConversations,exportConversation}.ts',
  'src/platform/dialogs/plainText.ts',
  'src/features/editor/csv.ts',
];

/** Repeated to provoke backtracking: parts of Markdown, HTML, paths and numbers. */
const units = [
  ...['a', '1', ' ', '\t', '\n', ' \n', 'a ', 'a\n', '> ', '- ', '1. ', '#', '# '],
  ...['|', '| ', '-|', ':-', '-', '=', '`', '```', '```\n', '~', '~~', '*', '_', '*a'],
  ...['_a', '\\', '[', ']', '[a', '[a]', '[a](', '![', '(', ')', '!', '<', '<a', '<a '],
  ...['</a', '<!--', '<div>', '<div ', '<div a="', "'", '"', 'a="b" ', '&', '&a', '&a;', '&#1'],
  ...['.', '. ', '..', ',', ':', ':1', '/', 'a/', '\\a', './', '@', 'a@', '.a', '+', '?'],
  ...['!?', ';', '{0}', '%41', '\u200b', '😀'],
];
const prefixes = ['', 'a', '\n', '[', '<div ', '`'];
/** A character that nothing matches, to force backtracking. */
const ending = '\u0001';

function expressionsOf(file: string): readonly RegExp[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const found: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function hostileText(prefix: string, unit: string, length: number): string {
  return prefix + unit.repeat(Math.ceil(length / unit.length)) + ending;
}

/** Returns the slowest text for an expression. */
function worstText(expression: RegExp): { readonly prefix: string; readonly unit: string } {
  let worst = { prefix: '', unit: 'a', time: -1 };
  for (const unit of units)
    for (const prefix of prefixes) {
      const text = hostileText(prefix, unit, 4_000);
      const begun = performance.now();
      text.replace(expression, '');
      const time = performance.now() - begun;
      if (time > worst.time) worst = { prefix, unit, time };
    }
  return worst;
}

const files = places.flatMap((place) => globSync(place, { cwd: projectFolder }));

describe('Regular expressions for hostile text', () => {
  for (const file of files)
    for (const expression of expressionsOf(path.join(projectFolder, file)))
      it(`an expression of ${path.basename(file)} is linear: ${String(expression).slice(0, 40)}`, () => {
        const { prefix, unit } = worstText(expression);
        assertInProportion(
          [4_096, 16_384, 65_536, 262_144, 1_048_576],
          (length) => hostileText(prefix, unit, length),
          (text) => text.replace(expression, ''),
        );
      });
});
