import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { projectFolder } from '../../harness/paths.ts';
import { firstArguments, nodesIn } from './syntax.ts';

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
  'forget the claim on',
  'mark as shown',
  'read the claim on',
]);

/** Markup and style sheets. */
const isMarkup = /[<>{}]/;

/** Words with a space between them, the first of at least two letters. */
const looksLikeASentence = /\p{L}{2,} \p{L}/u;

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

function findingsIn(name: string, text: string): readonly string[] {
  return nodesIn(name, text, isExempt).flatMap((node) => {
    const found = textOf(node);
    return found !== undefined && isForUsers(found) ? `${name}: ${found}` : [];
  });
}

function isExempt(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node))
    return true;
  if (ts.isNewExpression(node)) return errorsForProgrammers.has(node.expression.getText());
  if (!ts.isCallExpression(node)) return false;
  const callee = node.expression.getText().replaceAll(/\s|\?/g, '');
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

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(projectFolder, name), 'utf8'));
}

/** Returns the message of a call of `l10n.t`, which may have a comment for translators. */
function messageOf(first: ts.Node): ts.Node | undefined {
  if (!ts.isObjectLiteralExpression(first)) return first;
  const found = first.properties.find((property) => property.name?.getText() === 'message');
  return found && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

describe('texts for users', () => {
  const host = sourceFiles().map((file) => [nameOf(file), readFileSync(file, 'utf8')] as const);

  it('the host passes all texts for users through l10n.t', () => {
    assert.deepEqual(
      host.flatMap((file) => findingsIn(...file)),
      [],
    );
  });

  it('the check finds a text for users that l10n.t does not get', () => {
    const text =
      "show('Nobody translated this'); show(l10n.t('This one is')); log.warn('Nor this, rightly');";
    assert.deepEqual(findingsIn('sample.ts', text), ['sample.ts: Nobody translated this']);
  });

  it('the code passes literals to l10n.t', () => {
    const passed = host.flatMap((file) => firstArguments(nodesIn(...file), /(^|\.)l10n\.t$/));
    assert.ok(passed.length > 0);
    const computed = passed.filter((first) => {
      const message = messageOf(first);
      return message === undefined || !ts.isStringLiteralLike(message);
    });
    assert.deepEqual(
      computed.map((first) => first.getText()),
      [],
    );
  });

  it('package.nls.json has the texts of the manifest, each of them used', () => {
    const manifest = readFileSync(join(projectFolder, 'package.json'), 'utf8');
    const words = readJson('package.nls.json') as Record<string, string>;
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
    const { contributes } = readJson('package.json') as { contributes: unknown };
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
