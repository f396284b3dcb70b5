import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { projectFolder } from '../../harness/paths.ts';
import { languageBundle, manifestStrings } from '../../harness/strings.ts';
import { firstArguments, nodesIn } from './syntax.ts';

/** Checks the rules for comments, test titles and user strings that a program can check. */

/** Longest title of a test, and longest message to users, in characters. */
const longestTitle = 90;
/** Longest description or detail, in characters. */
const longestDescription = 140;

/** Words that begin a clause instead of a sentence. */
const fragment =
  /^(?:Of|Where|What|That|Who|Whom|Whose|Which|As|By|Nor|But|And|So|Since|Because|Whether|Without)\b/;

/** First words of a test title that leave its subject to the `describe`. */
const missingSubject =
  /^(?:is|are|was|were|has|have|had|does|do|can|may|must|that|which|where|it|they|them|its|their|for|in|of|with|without|as|if|when|while|after|before|not|and|also|never)\b/i;

/** Verbs that begin no title. Those that are plural nouns too, such as "reports", may begin one. */
const openingVerbs = [
  'accepts|adds|allows|announces|applies|asks|attaches|cancels|closes|contains|continues',
  'creates|exists|explains|fails|finds|follows|forgets|gets|gives|goes|holds|ignores|keeps',
  'leaves|lives|logs|makes|offers|opens|outlives|parses|puts|reaches|reads|refuses|rejects',
  'removes|repeats|restores|returns|sends|shows|skips|starts|takes|throws|treats|turns|uses',
  'waits|withholds|writes|counts as|ends (?:when|after)|stops (?:at|its)',
];
const verbFirst = new RegExp(`^(?:${openingVerbs.join('|')})\\b`);

/** Retired terms, and the British spelling of words. */
const retiredTerms = [
  /\b(?:Id|id)\b/,
  /\b(?:API root|base URL|cut off|pick|choose|nobody|cannot)\b/i,
  /\b(?:colour|behaviour|favourite|cancelled|cancelling|programme|licence|centre|grey|recognise|organisation)/i,
];

/** Texts that are read at length: the help and the details of modal dialogs. */
const longTexts = [
  'Each message is an article',
  'Escape in a question’s dialog',
  'The setting {0} controls which parts of a reply',
  'The intern will run commands without a sandbox',
];

interface Finding {
  readonly file: string;
  readonly text: string;
}

const files = globSync(
  ['src/**/*.ts', 'test/**/*.ts', 'build/**/*.ts', '*.mjs', 'l10n/*.md', 'test/service/*.md'],
  { cwd: projectFolder },
)
  .filter((file) => !file.includes('node_modules'))
  .map((file) => ({
    file: file.replaceAll('\\', '/'),
    text: readFileSync(join(projectFolder, file), 'utf8'),
  }));

function fragmentsIn(text: string): readonly string[] {
  return [...text.matchAll(/^[ \t]*\/\*\*(?:[ \t]*\n[ \t]*\*)?[ \t]+(.*)$/gm)]
    .map(([, first]) => first!)
    .filter((first) => fragment.test(first));
}

/** Returns the titles in a call: a literal, the first words of a template, or those of a table of plays. */
function titlesIn(call: ts.CallExpression): readonly string[] {
  const name = call.expression.getText();
  const [title] = call.arguments;
  if (title === undefined) return [];
  if (name === 'playAll') return title.getText().match(/(?<=^ {4})\S.*/gm) ?? [];
  if (name !== 'it' && name !== 'describe') return [];
  if (ts.isStringLiteralLike(title)) return [title.text];
  return ts.isTemplateExpression(title) ? [title.head.text] : [];
}

function testTitles(file: string, text: string): readonly string[] {
  return nodesIn(file, text).filter(ts.isCallExpression).flatMap(titlesIn);
}

/** Returns the messages of `l10n.t` that are too long, except what is named a detail or is the second argument of `confirm`. */
function longMessages(text: string): readonly string[] {
  const isDetail = (node: ts.Node): boolean =>
    ('name' in node && /detail/i.test((node.name as ts.Node | undefined)?.getText() ?? '')) ||
    (ts.isCallExpression(node.parent) &&
      node.parent.expression.getText() === 'confirm' &&
      node.parent.arguments[1] === node);
  const nodes = nodesIn('messages.ts', text, (node) => !ts.isSourceFile(node) && isDetail(node));
  return firstArguments(nodes, /\bl10n\.t$/)
    .flatMap((message) => (ts.isStringLiteralLike(message) ? message.text : []))
    .filter((message) => isLong(message, longestTitle));
}

function findings(find: (text: string, file: string) => readonly string[]): readonly Finding[] {
  return files.flatMap(({ file, text }) =>
    find(text, file).map((found) => ({ file, text: found })),
  );
}

/** The English strings that users read. The keys of a translation are those of the source, as another test checks. */
async function userStrings(): Promise<readonly string[]> {
  const source = Object.keys(await languageBundle('de'));
  return [...source, ...Object.values(await manifestStrings())];
}

describe('plain English', () => {
  let titles: readonly Finding[];

  before(() => {
    const tests = files.filter(({ file }) => file.endsWith('.test.ts'));
    titles = tests.flatMap(({ file, text }) =>
      testTitles(file, text).map((title) => ({ file, text: title })),
    );
  });

  it('the check finds fragments, hidden subjects and retired terms in samples', () => {
    assert.deepEqual(
      fragmentsIn('/** Of the page. */\n/**\n * Where it is.\n */\n/** The page. */'),
      ['Of the page. */', 'Where it is.'],
    );
    const sample =
      "it('outlives it', f); it(`a ${b}`, f); playAll(`\n    has a title\n      step\n`);";
    const found = testTitles('sample.ts', sample);
    assert.deepEqual(found, ['outlives it', 'a ', 'has a title']);
    assert.deepEqual(found.filter(hidesSubject), ['outlives it', 'has a title']);
    for (const text of ['Copy Id', 'Enter the API root', 'The run was cancelled'])
      assert.ok(isRetired(text), text);
  });

  it('doc comments begin with a verb or a noun, not a fragment', () => {
    assert.deepEqual(findings(fragmentsIn), []);
  });

  it('test titles have at most 90 characters', () => {
    assert.deepEqual(
      titles.filter(({ text }) => text.length > longestTitle),
      [],
    );
  });

  it('test titles name their subject', () => {
    assert.deepEqual(
      titles.filter(({ text }) => hidesSubject(text)),
      [],
    );
  });

  it('user strings have US spelling and no retired terms', async () => {
    assert.deepEqual((await userStrings()).filter(isRetired), []);
  });

  it('messages have at most 90 characters', () => {
    const long = 'l'.repeat(longestTitle + 1);
    assert.deepEqual(longMessages(`warn(l10n.t('${long}'))`), [long]);
    assert.deepEqual(longMessages(`show({ detail: l10n.t('${long}') })`), []);
    const found = findings((text, file) => (file.startsWith('src/') ? longMessages(text) : []));
    assert.deepEqual(found, []);
  });

  it('descriptions have at most 140 characters', async () => {
    const found = (await userStrings()).filter((text) => isLong(text, longestDescription));
    assert.deepEqual(found, []);
  });
});

function hidesSubject(title: string): boolean {
  return missingSubject.test(title) || verbFirst.test(title);
}

function isLong(text: string, longest: number): boolean {
  return withoutCode(text).length > longest && !longTexts.some((long) => text.startsWith(long));
}

function isRetired(text: string): boolean {
  return retiredTerms.some((words) => words.test(withoutCode(text)));
}

/** Removes code, links and the parts that are replaced, which are not words. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/\n\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`]*`|\{\w+\}/g, '');
}
