import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** One change of one place in the source. */
export interface Mutant {
  /** Path of the file, relative to the root of the project. */
  readonly file: string;
  /** First is 1. */
  readonly line: number;
  readonly kind: MutantKind;
  /** What stood there, and what stands there now. */
  readonly from: string;
  readonly to: string;
  /** Place of `from` in the file, in UTF-16 code units. */
  readonly start: number;
}

type MutantKind =
  | 'boundary'
  | 'equality'
  | 'arithmetic'
  | 'logic'
  | 'negation'
  | 'condition'
  | 'boolean'
  | 'number'
  | 'string'
  | 'regular expression'
  | 'call'
  | 'return';

const { SyntaxKind } = ts;

/** Operators, by what takes their place. */
const OPERATORS: ReadonlyMap<ts.SyntaxKind, readonly [MutantKind, string]> = new Map([
  [SyntaxKind.LessThanToken, ['boundary', '<=']],
  [SyntaxKind.LessThanEqualsToken, ['boundary', '<']],
  [SyntaxKind.GreaterThanToken, ['boundary', '>=']],
  [SyntaxKind.GreaterThanEqualsToken, ['boundary', '>']],
  [SyntaxKind.EqualsEqualsEqualsToken, ['equality', '!==']],
  [SyntaxKind.ExclamationEqualsEqualsToken, ['equality', '===']],
  [SyntaxKind.PlusToken, ['arithmetic', '-']],
  [SyntaxKind.MinusToken, ['arithmetic', '+']],
  [SyntaxKind.AsteriskToken, ['arithmetic', '/']],
  [SyntaxKind.SlashToken, ['arithmetic', '*']],
  [SyntaxKind.PercentToken, ['arithmetic', '*']],
  [SyntaxKind.PlusEqualsToken, ['arithmetic', '-=']],
  [SyntaxKind.AmpersandAmpersandToken, ['logic', '||']],
  [SyntaxKind.BarBarToken, ['logic', '&&']],
  [SyntaxKind.QuestionQuestionToken, ['logic', '&&']],
]);

type Change = readonly [node: ts.Node, kind: MutantKind, to: string];

/** Every mutant of a file, in the order of its lines. @param path absolute, `file` is the same for people */
export function mutantsOf(path: string, file: string): Mutant[] {
  const text = readFileSync(path, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (isOutOfReach(node)) return;
    for (const [target, kind, to] of changesOf(node)) {
      const start = target.getStart(source);
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      mutants.push({ file, line, kind, from: target.getText(source), to, start });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

/** The source with one mutant in it. */
export function mutate(text: string, { start, from, to }: Mutant): string {
  return text.slice(0, start) + to + text.slice(start + from.length);
}

/** Types, imports and exports have no behaviour of their own. */
function isOutOfReach(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  );
}

function changesOf(node: ts.Node): Change[] {
  if (ts.isBinaryExpression(node)) {
    const operator = OPERATORS.get(node.operatorToken.kind);
    return operator === undefined ? [] : [[node.operatorToken, ...operator]];
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
    return [[node, 'negation', node.operand.getText()]];
  }
  if (ts.isIfStatement(node)) return conditions(node.expression);
  if (ts.isConditionalExpression(node)) return conditions(node.condition);
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
    return [[node, 'call', ';']];
  }
  if (ts.isReturnStatement(node) && node.expression !== undefined) {
    if (node.expression.getText() === 'undefined') return [];
    return [[node.expression, 'return', 'undefined']];
  }
  return literals(node);
}

function conditions(condition: ts.Expression): Change[] {
  return [
    [condition, 'condition', 'true'],
    [condition, 'condition', 'false'],
  ];
}

function literals(node: ts.Node): Change[] {
  if (node.kind === SyntaxKind.TrueKeyword) return [[node, 'boolean', 'false']];
  if (node.kind === SyntaxKind.FalseKeyword) return [[node, 'boolean', 'true']];
  if (ts.isNumericLiteral(node)) return [[node, 'number', `(${node.text} + 1)`]];
  if (ts.isStringLiteral(node) && !ts.isPropertyAssignment(node.parent.parent)) {
    return [[node, 'string', node.text === '' ? "'mutant'" : "''"]];
  }
  if (ts.isRegularExpressionLiteral(node)) return regularExpressions(node);
  return [];
}

/** Without its anchors, one at a time; without its flags. */
function regularExpressions(node: ts.RegularExpressionLiteral): Change[] {
  const [, body = '', flags = ''] = /^\/(.*)\/(\w*)$/s.exec(node.text) ?? [];
  const others: string[] = [];
  if (body.startsWith('^')) others.push(`/${body.slice(1)}/${flags}`);
  if (body.endsWith('$')) others.push(`/${body.slice(0, -1)}/${flags}`);
  if (/[isg]/.test(flags)) others.push(`/${body}/${flags.replace(/[isg]/g, '')}`);
  return others.map((to) => [node, 'regular expression', to]);
}
