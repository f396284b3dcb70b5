import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { projectFolder } from '../../harness/paths.ts';

/**
 * All sentences for users go through `l10n.t` in the host, and through package.nls.json in the manifest. Any other
 * sentence must be for the log, or in an error that only programmers see.
 */

const folders = ['platform', 'features'].map((name) => join(projectFolder, 'src', name));

/** Calls whose strings only programmers read. */
const forProgrammers = /(^|\.)(log|#log|options\.log|ports\.log)\.(trace|debug|info|warn|error)$/;
const errorsForProgrammers = new Set(['Error', 'TypeError', 'ApiError']);

/** Files whose texts go to logs and issues in English, or are scripts. */
const forOtherReaders = [
  'src/platform/log/',
  'src/features/diagnostics/',
  'src/platform/notifications/notificationCommand.ts',
];

/** Texts for the log, and the message of an `ApiError`, which `platform/text` replaces. */
const forTheLog = new Set([
  'No account is signed in',
  'Insert at cursor',
  'New file',
  'Open diff',
  'Apply diff',
  'Open link',
  'forget the claim on',
  'mark as shown',
  'read the claim on',
]);

/** Markup and style sheets. */
const isMarkup = /[<>{}]/;

/** Words with a space between them, the first of at least two letters. */
const looksLikeASentence = /\p{L}{2,} \p{L}/u;

interface Finding {
  readonly location: string;
  readonly text: string;
}

/** Returns the path in the project, with slashes. */
function nameOf(file: string): string {
  return relative(projectFolder, file).replaceAll('\\', '/');
}

function sourceFiles(): readonly string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => !forOtherReaders.some((name) => nameOf(file).startsWith(name)));
}

function parse(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
}

function findingsIn(source: ts.SourceFile): readonly Finding[] {
  const found: Finding[] = [];
  const visit = (node: ts.Node): void => {
    if (isExempt(node, source)) return;
    const text = textOf(node);
    if (text !== undefined && isForUsers(text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ location: `${source.fileName}:${line + 1}`, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isExempt(node: ts.Node, source: ts.SourceFile): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node))
    return true;
  if (ts.isNewExpression(node)) return errorsForProgrammers.has(node.expression.getText(source));
  if (!ts.isCallExpression(node)) return false;
  const callee = node.expression.getText(source).replaceAll(/\s|\?/g, '');
  if (callee === 'l10n.t' || callee === 'vscode.l10n.t') return true;
  return forProgrammers.test(callee) || callee === 'reportFailure';
}

function isForUsers(text: string): boolean {
  return looksLikeASentence.test(text) && !isMarkup.test(text) && !forTheLog.has(text);
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) return node.text;
  return undefined;
}

/** Returns the message of a call of `l10n.t`, which may have a comment for translators. */
function messageOf(first: ts.Expression | undefined): ts.Expression | undefined {
  if (first === undefined || !ts.isObjectLiteralExpression(first)) return first;
  const found = first.properties.find((property) => property.name?.getText() === 'message');
  return found && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

describe('texts for users', () => {
  let host: readonly ts.SourceFile[];

  before(() => {
    host = sourceFiles().map((file) => parse(nameOf(file), readFileSync(file, 'utf8')));
  });

  it('the host passes all texts for users through l10n.t', () => {
    const left = host.flatMap(findingsIn);
    assert.deepEqual(left, []);
  });

  it('the check finds a text for users that l10n.t does not get', () => {
    const text =
      "show('Nobody translated this'); show(l10n.t('This one is')); log.warn('Nor this, rightly');";
    const found = findingsIn(parse('sample.ts', text)).map((finding) => finding.text);
    assert.deepEqual(found, ['Nobody translated this']);
  });

  it('the code passes literals to l10n.t', () => {
    const computed = host.flatMap((source) => {
      const bad: string[] = [];
      const visit = (node: ts.Node): void => {
        if (ts.isCallExpression(node) && /(^|\.)l10n\.t$/.test(node.expression.getText(source))) {
          const message = messageOf(node.arguments[0]);
          if (message === undefined || !ts.isStringLiteralLike(message))
            bad.push(node.getText(source));
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
      return bad;
    });
    assert.deepEqual(computed, []);
  });

  it('package.nls.json has the texts of the manifest, each of them used', () => {
    const manifest = readFileSync(join(projectFolder, 'package.json'), 'utf8');
    const words = JSON.parse(
      readFileSync(join(projectFolder, 'package.nls.json'), 'utf8'),
    ) as Record<string, string>;
    const used = new Set([...manifest.matchAll(/%([\w.-]+)%/g)].map(([, key]) => key));
    assert.deepEqual(
      [...used].filter((key) => !Object.hasOwn(words, key!)),
      [],
      'missing',
    );
    assert.deepEqual(
      Object.keys(words).filter((key) => !used.has(key)),
      [],
      'unused',
    );
  });

  it('package.json has no text for users', () => {
    const { contributes } = JSON.parse(
      readFileSync(join(projectFolder, 'package.json'), 'utf8'),
    ) as {
      contributes: unknown;
    };
    const shown = new Set([
      ...['title', 'name', 'contents', 'altText'],
      ...['description', 'markdownDescription', 'enumDescriptions', 'enumItemLabels'],
    ]);
    /** Proper names, the same in every language; those of tools are a model's. */
    const names = new Set(['Interns', 'interns_ask', 'interns_list']);
    /** Read by a model, in English. */
    const forModels = new Set(['inputSchema', 'modelDescription']);
    const raw: string[] = [];
    const walk = (value: unknown, key: string): void => {
      if (forModels.has(key)) return;
      if (typeof value === 'string') {
        if (shown.has(key) && !/^%[\w.-]+%$/.test(value) && !names.has(value))
          raw.push(`${key}: ${value}`);
      } else if (Array.isArray(value)) for (const item of value) walk(item, key);
      else if (typeof value === 'object' && value !== null)
        for (const [inner, item] of Object.entries(value)) walk(item, inner);
    };
    walk(contributes, '');
    assert.deepEqual(raw, []);
  });
});
